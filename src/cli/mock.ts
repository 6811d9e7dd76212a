import { parseArgs } from 'node:util';
import { ConfigurationError } from '../errors/errors.js';
import { headerNames } from '../protocol/headers.js';
import { signPayment } from '../protocol/signature.js';
import { requestTime } from '../protocol/timestamps.js';
import { version } from '../version.js';
import type { MockServer } from '../mock/adapters/node.js';
import { CliError, codeOf, visible, type CliIo } from './io.js';
import { createMockService } from '../mock/create-mock.js';
import type { JournalEntry } from '../mock/state/journal-types.js';
import { DEMO_MERCHANT, type MockMerchant } from '../mock/service/merchants.js';
import type { MockService } from '../mock/types.js';

const options = {
  port: { type: 'string', default: '4010' },
  host: { type: 'string', default: '127.0.0.1' },
  merchant: { type: 'string', multiple: true, default: [] as string[] },
  'journal-limit': { type: 'string', default: '500' },
  json: { type: 'boolean', default: false },
  quiet: { type: 'boolean', default: false },
} as const;

function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  if (value >= least && value <= most) return value;
  throw new CliError(`--${option} must be a whole number from ${String(least)} to ${String(most)}`);
}

/** A merchant of the command line. The secret may hold colons; the names beside it may not. */
function merchantFrom(text: string): MockMerchant {
  const match = /^([^:]+):(.+):([^:]+)$/.exec(text);
  const [, clientId, secretKey, merchantId] = match ?? [];
  if (clientId === undefined || secretKey === undefined || merchantId === undefined) {
    throw new CliError('--merchant must be given as clientId:secret:merchantId');
  }
  return { clientId, secretKey, merchantId };
}

/** The `mock` command. Resolves once a signal has ended it. */
export async function serveMock(args: readonly string[], io: CliIo): Promise<number> {
  const { values } = parseArgs({ args: [...args], options, allowPositionals: false });
  if (values.json && values.quiet) throw new CliError('--json and --quiet exclude each other');
  const port = wholeNumber('port', values.port, 0, 65_535);
  const journalLimit = wholeNumber('journal-limit', values['journal-limit'], 1, 1_000_000);
  const given = values.merchant.map(merchantFrom);
  const [first = DEMO_MERCHANT, ...others] = given;
  const mock = created([first, ...others], journalLimit);
  const server = await listening(mock, port, values.host);
  const stopped = signalled(io);
  if (values.json) {
    io.out(readyLine(server, [first, ...others]));
  } else if (!values.quiet) {
    io.out(banner(server, first, new Date()));
    mock.subscribe((change) => {
      if (change.kind === 'request' && change.entry.completed) io.out(lineOf(change.entry));
    });
  }
  await stopped;
  // Ends what is delayed or hangs; nothing holds the process then.
  mock.reset();
  await server.close();
  return 0;
}

function created(merchants: readonly MockMerchant[], journalLimit: number): MockService {
  try {
    return createMockService({ merchants, journalLimit });
  } catch (error) {
    throw error instanceof ConfigurationError ? new CliError(error.message) : error;
  }
}

async function listening(mock: MockService, port: number, host: string): Promise<MockServer> {
  try {
    return await mock.listen({ port, host });
  } catch (error) {
    if (error instanceof ConfigurationError) throw new CliError(`--${error.message}`);
    const code = codeOf(error);
    if (code === undefined) throw error;
    const at = `${visible(host)}:${String(port)}`;
    throw new CliError(
      code === 'EADDRINUSE'
        ? `${at} is in use: choose another port with --port`
        : `Cannot listen on ${at} (${code})`,
    );
  }
}

function signalled({ signals }: CliIo): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      signals.off('SIGINT', stop);
      signals.off('SIGTERM', stop);
      resolve();
    };
    signals.once('SIGINT', stop);
    signals.once('SIGTERM', stop);
  });
}

/** For a program that waits: where the mock is and whom it knows. Secrets are not in it. */
function readyLine({ url, port }: MockServer, merchants: readonly MockMerchant[]): string {
  const known = merchants.map(({ clientId, merchantId }) => ({
    clientId,
    merchantId,
    storeIds: DEMO_MERCHANT.storeIds,
  }));
  return JSON.stringify({ ready: true, url, port, merchants: known });
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

const platformId = 'WEBSHOP';

function banner({ url }: MockServer, merchant: MockMerchant, now: Date): string {
  const isDemo = merchant.secretKey === DEMO_MERCHANT.secretKey;
  const environment = {
    INSTALLMENT_BASE_URL: url,
    INSTALLMENT_CLIENT_ID: merchant.clientId,
    ...(isDemo && { INSTALLMENT_SECRET_KEY: merchant.secretKey }),
    INSTALLMENT_MERCHANT_ID: merchant.merchantId,
    INSTALLMENT_STORE_ID: DEMO_MERCHANT.storeIds[0],
    INSTALLMENT_PLATFORM_ID: platformId,
  };
  const lines = Object.entries(environment).map(([name, value]) => `export ${name}=${shellQuoted(value)}`);
  if (!isDemo) lines.push('# and INSTALLMENT_SECRET_KEY: the secret that --merchant was given');
  return [
    `installment-payments mock ${version}`,
    '',
    `Listening on ${url} (stop with Ctrl-C)`,
    `To look at it: ${url}/_mock`,
    '',
    'For your client:',
    '',
    ...lines,
    '',
    'A first signed request:',
    '',
    curl(url, merchant, now),
    '',
  ].join('\n');
}

/** A request that works as pasted, and again: the second time it is the same one. */
function curl(url: string, merchant: MockMerchant, now: Date): string {
  const body = JSON.stringify(sampleOrder(merchant.merchantId));
  const headers = {
    [headerNames.contentType]: 'application/json',
    [headerNames.clientId]: merchant.clientId,
    [headerNames.requestTime]: requestTime(now, 7 * 60),
    [headerNames.signature]: signPayment(body, merchant.secretKey),
    [headerNames.idempotencyKey]: 'first-curl',
  };
  return [
    `curl -sS ${shellQuoted(`${url}/v2/payments`)}`,
    ...Object.entries(headers).map(([name, value]) => `  -H ${shellQuoted(`${name}: ${value}`)}`),
    `  --data-raw ${shellQuoted(body)}`,
  ].join(' \\\n');
}

function sampleOrder(merchantId: string): object {
  const price = 12_000_000;
  return {
    merchantId,
    storeId: DEMO_MERCHANT.storeIds[0],
    referenceId: 'FIRST-CURL',
    platformId,
    requestType: 'installment',
    paymentMethod: 'WEB',
    description: 'Refrigerator',
    successRedirectUrl: 'https://shop.example/paid',
    unSuccessRedirectUrl: 'https://shop.example/not-paid',
    amount: { value: price, currency: 'VND' },
    items: [
      {
        productId: 'SKU-1',
        productName: 'Refrigerator',
        category: 'appliance',
        currency: 'VND',
        quantity: 1,
        price,
        totalAmount: price,
      },
    ],
    customer: { phoneNumber: '0912345678', email: 'an@example.com', firstName: 'An', lastName: 'Nguyen' },
    shipping: {
      city: 'Ha Noi',
      district: 'Ba Dinh',
      ward: 'Kim Ma',
      street: 'Kim Ma',
      houseNumber: '12',
      country: 'VN',
    },
  };
}

/** A request in one line: when, what, about which reference, with what result. */
function lineOf(entry: JournalEntry): string {
  const { at, operation, method, path, resultStatus, replay, fault, diagnosis, durationMs = 0 } = entry;
  const reference = entry.referenceId ?? entry.lenderTransactionCode ?? entry.requestId;
  const notes = [
    replay && 'replay',
    fault && `fault ${typeof fault === 'string' ? fault : `delay ${String(fault.delayMs)} ms`}`,
    diagnosis?.cause,
    entry.error,
  ].filter((note) => typeof note === 'string');
  return [
    at.toISOString().slice(11, 19),
    operation ?? `${method} ${visible(path.slice(0, 100))}`,
    reference === undefined ? '' : visible(reference),
    resultStatus === undefined ? '' : visible(resultStatus),
    `${durationMs.toFixed(1)} ms`,
    notes.length > 0 ? `(${notes.join(', ')})` : '',
  ]
    .filter((part) => part !== '')
    .join('  ');
}
