/**
 * From an order to its invoice, against a mock of the service:
 *
 *   npx tsx quickstart.ts                           order.json and invoice.pdf, beside this file
 *   npx tsx quickstart.ts my-order.json my.pdf      your own files
 *
 * In a clone, `npm start` runs this example. With INSTALLMENT_BASE_URL and the credentials of a merchant in the
 * environment, it calls that service instead of the mock. Each run gives order.json a new referenceId.
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
  type InstallmentClientOptions,
  type PaymentRequest,
} from 'installment-payments';
import { createMockService, type MockService } from 'installment-payments/mock';

const usage = `Usage: npx tsx quickstart.ts [order.json] [invoice.pdf]
       npm start -- [order.json] [invoice.pdf]      in a clone

Initiates a payment for the order and uploads the invoice, against a mock.
To call another service, set INSTALLMENT_BASE_URL, INSTALLMENT_CLIENT_ID and
INSTALLMENT_SECRET_KEY, and, if the order leaves them out, INSTALLMENT_MERCHANT_ID,
INSTALLMENT_STORE_ID and INSTALLMENT_PLATFORM_ID.`;

/** The error for wrong files or options on the command line. Only its message is printed, and the exit code is 1. */
class UsageError extends Error {}

function inExamples(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** The text in colour, if the terminal supports colours. */
function coloured(colour: Parameters<typeof styleText>[0], text: string): string {
  return process.stdout.isTTY && process.stdout.hasColors() ? styleText(colour, text) : text;
}

function printRow(what: string, text: string): void {
  console.log(coloured('dim', what.padEnd(13)) + text);
}

async function readOrder(path: string): Promise<PaymentRequest> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UsageError(`The order ${path} cannot be read: ${(error as Error).message}`);
  });
  try {
    // The client checks every field, and reports each invalid field.
    return JSON.parse(text) as PaymentRequest;
  } catch (error) {
    throw new UsageError(`The order ${path} is not JSON: ${(error as Error).message}`);
  }
}

/** The options of a client that sends its requests to the mock's server instead of calling the mock in the process. */
function optionsFor(mock: MockService, baseUrl: string): InstallmentClientOptions {
  const { fetch: _inProcess, ...options } = mock.clientOptions();
  return { ...options, baseUrl };
}

async function runExample(order: PaymentRequest, invoicePath: string): Promise<void> {
  const address = process.env['INSTALLMENT_BASE_URL'];
  const mock = address ? undefined : createMockService();
  const server = await mock?.listen();
  try {
    const client = new InstallmentClient(mock && server && optionsFor(mock, server.url));
    printRow('Service', server ? `mock at ${server.url}` : `${String(address)} (INSTALLMENT_BASE_URL)`);

    const payment = await client.initiatePayment(order);
    printRow('Payment', `${payment.referenceId}: ${coloured('green', payment.resultStatus)}`);
    printRow('Payment URL', coloured('cyan', payment.paymentUrl));

    if (mock) mock.settle(order.referenceId, 'paid');
    if (mock) printRow('Settled', 'paid, in place of the customer');
    else console.log('An invoice can be uploaded once the payment is confirmed.');

    await sendInvoice(client, order.referenceId, invoicePath);

    console.log('\nAn error, as your code receives it:\n');
    await showError(client, order, mock !== undefined);
  } finally {
    await server?.close();
  }
}

/** Uploads the invoice. A real service refuses it until the customer has paid. */
async function sendInvoice(client: InstallmentClient, referenceId: string, path: string): Promise<void> {
  try {
    const { invoiceId } = await client.uploadInvoice({
      referenceId,
      invoiceNumber: 'INV-2026-0001',
      invoiceDate: new Date(),
      file: { path },
    });
    printRow('Invoice ID', invoiceId ?? '(none given)');
  } catch (error) {
    if (!(error instanceof InvalidReferenceIdError)) throw error;
    printRow('Invoice', 'refused: pay at the payment URL first, then upload it.');
  }
}

/**
 * Shows an error. The mock receives a different order with the same referenceId. A real service receives nothing: the
 * order has a negative amount, so the client refuses it.
 */
async function showError(client: InstallmentClient, order: PaymentRequest, isMock: boolean): Promise<void> {
  const wrong = isMock
    ? { ...order, description: `${order.description} (2)` }
    : { ...order, amount: { value: -1 } };
  try {
    await client.initiatePayment(wrong);
  } catch (error) {
    if (!isInstallmentError(error)) throw error;
    printError(error);
  }
}

function printError(error: unknown): void {
  if (!isInstallmentError(error)) throw error;
  console.log(`  ${coloured('red', error.name)} (${error.code})`);
  printRow('  outcome', error.outcome);
  if ('action' in error) printRow('  action', error.action);
  printRow('  message', error.message);
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
  const [orderPath, invoice = inExamples('invoice.pdf')] = positionals;
  const order = await readOrder(orderPath ?? inExamples('order.json'));
  if (orderPath === undefined) order.referenceId += `-${String(Date.now())}`;
  await runExample(order, invoice);
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
    printError(error);
  } else {
    console.error(error);
  }
});
