/**
 * From an order to its invoice, against a mock of the service:
 *
 *   npx tsx quickstart.ts                           order.json and invoice.pdf, beside this file
 *   npx tsx quickstart.ts my-order.json my.pdf      your own files
 *
 * In a clone, `npm start` runs it. With INSTALLMENT_BASE_URL and the credentials of a merchant in the environment, it
 * calls that service instead. Each run has a new referenceId for the order of the examples.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, styleText } from 'node:util';
import {
  ConfigurationError,
  InstallmentClient,
  InvalidReferenceIdError,
  isInstallmentError,
  ValidationError,
  type PaymentRequest,
} from 'installment-payments';
import { createMockService } from 'installment-payments/mock';

const usage = `Usage: npx tsx quickstart.ts [order.json] [invoice.pdf]
       npm start -- [order.json] [invoice.pdf]      in a clone

Initiates a payment for the order and uploads the invoice, against a mock.
To call another service, set INSTALLMENT_BASE_URL, INSTALLMENT_CLIENT_ID and
INSTALLMENT_SECRET_KEY, and, if the order leaves them out, INSTALLMENT_MERCHANT_ID,
INSTALLMENT_STORE_ID and INSTALLMENT_PLATFORM_ID.`;

/** The error for wrong files or options on the command line. It prints one line, with exit code 1. */
class UsageError extends Error {}

function inExamples(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** The text in colour, if the terminal supports colours. */
function coloured(colour: Parameters<typeof styleText>[0], text: string): string {
  return process.stdout.isTTY && process.stdout.hasColors() ? styleText(colour, text) : text;
}

function tell(what: string, text: string): void {
  console.log(coloured('dim', what.padEnd(13)) + text);
}

async function readOrder(path: string): Promise<PaymentRequest> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UsageError(`The order ${path} cannot be read: ${(error as Error).message}`);
  });
  try {
    // The client checks every field, and reports each that is wrong.
    return JSON.parse(text) as PaymentRequest;
  } catch (error) {
    throw new UsageError(`The order ${path} is not JSON: ${(error as Error).message}`);
  }
}

async function run(order: PaymentRequest, invoicePath: string): Promise<void> {
  const address = process.env['INSTALLMENT_BASE_URL'];
  const mock = address ? undefined : createMockService();
  const server = await mock?.listen();
  try {
    const client = new InstallmentClient(mock && server && { ...mock.clientOptions(), baseUrl: server.url });
    tell('Service', server ? `mock at ${server.url}` : `${String(address)}, as INSTALLMENT_BASE_URL says`);

    const payment = await client.initiatePayment(order);
    tell('Payment', `${payment.referenceId}: ${coloured('green', payment.resultStatus)}`);
    tell('Payment URL', coloured('cyan', payment.paymentUrl));

    if (mock) mock.settle(order.referenceId, 'paid');
    if (mock) tell('Settled', 'paid, as the customer would at the payment URL');
    else console.log('The invoice belongs to a payment that is confirmed.');

    await sendInvoice(client, order.referenceId, invoicePath);

    console.log('\nAn error, as your code gets it:\n');
    await showError(client, order, mock !== undefined);
  } finally {
    await server?.close();
  }
}

/** Uploads the invoice. A service other than the mock refuses it while the payment is not paid. */
async function sendInvoice(client: InstallmentClient, referenceId: string, path: string): Promise<void> {
  try {
    const { invoiceId } = await client.uploadInvoice({
      referenceId,
      invoiceNumber: 'INV-2026-0001',
      invoiceDate: new Date(),
      file: { path },
    });
    tell('Invoice ID', invoiceId ?? '(none given)');
  } catch (error) {
    if (!(error instanceof InvalidReferenceIdError)) throw error;
    tell('Invoice', 'refused: pay at the payment URL first, then upload it.');
  }
}

/** Shows an error: the mock refuses the same referenceId for another order. Another service gets no wrong request. */
async function showError(client: InstallmentClient, order: PaymentRequest, isMock: boolean): Promise<void> {
  const wrong = isMock
    ? { ...order, description: `${order.description} (2)` }
    : { ...order, amount: { value: -1 } };
  try {
    await client.initiatePayment(wrong);
  } catch (error) {
    if (!isInstallmentError(error)) throw error;
    explain(error);
  }
}

function explain(error: unknown): void {
  if (!isInstallmentError(error)) throw error;
  console.log(`  ${coloured('red', error.name)} (${error.code})`);
  tell('  outcome', error.outcome);
  if ('action' in error) tell('  action', error.action);
  tell('  message', error.message);
}

function readArguments() {
  try {
    return parseArgs({ options: { help: { type: 'boolean', short: 'h' } }, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${usage}`);
  }
}

async function main(): Promise<void> {
  const { values, positionals } = readArguments();
  if (values.help) {
    console.log(usage);
    return;
  }
  if (positionals.length > 2) throw new UsageError(usage);
  const [ownOrder, invoice = inExamples('invoice.pdf')] = positionals;
  const order = await readOrder(ownOrder ?? inExamples('order.json'));
  if (ownOrder === undefined) order.referenceId += `-${String(Date.now())}`;
  await run(order, invoice);
  console.log(`
To keep a mock open, and to see each request arrive:

  npx installment-payments mock

It prints environment lines. Paste them into a second terminal, run this example there,
and open http://127.0.0.1:4010/_mock in a browser. For a whole shop:

  npx installment-payments demo`);
}

main().catch((error: unknown) => {
  process.exitCode = 1;
  if (error instanceof ValidationError) {
    console.error('The service would refuse this, so nothing was sent:');
    for (const { path, message } of error.issues) console.error(`  ${path.join('.')}: ${message}`);
  } else if (error instanceof ConfigurationError || error instanceof UsageError) {
    console.error(error.message);
  } else if (isInstallmentError(error)) {
    explain(error);
  } else {
    console.error(error);
  }
});
