import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ConfigurationError } from '../errors/errors.js';
import type { MockServer } from '../mock/adapters/node.js';
import { isDelay } from '../mock/controls/faults.js';
import { createMockService } from '../mock/create-mock.js';
import { samplePaymentRequest } from '../mock/samples.js';
import { DEMO_MERCHANT, type MockMerchant } from '../mock/service/merchants.js';
import type { JournalEntry } from '../mock/state/journal-types.js';
import type { MockClientOptions, MockService } from '../mock/types.js';
import { endpoints } from '../protocol/endpoints.js';
import { headerNames } from '../protocol/headers.js';
import { paymentRequestSchema } from '../protocol/payment-schema.js';
import { signPayment } from '../protocol/signature.js';
import { requestTime, vietnamOffsetMinutes } from '../protocol/timestamps.js';
import { version } from '../version.js';
import { CliError, codeOf, visible, type CliIo } from './io.js';

const flags = {
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
  throw new CliError(`--${option} must be a whole number from ${least} to ${most}`);
}

/** The merchant of a `--merchant` flag. The secret may contain colons, the IDs may not. */
function merchantFrom(text: string): MockMerchant {
  const match = /^([^:]+):(.+):([^:]+)$/.exec(text);
  const [, clientId, secretKey, merchantId] = match ?? [];
  if (clientId === undefined || secretKey === undefined || merchantId === undefined) {
    throw new CliError('--merchant must be given as clientId:secret:merchantId');
  }
  return { clientId, secretKey, merchantId };
}

/** The `mock` command. Resolves when it is stopped. */
export async function serveMock(args: readonly string[], io: CliIo): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: flags, allowPositionals: false });
  if (values.json && values.quiet) throw new CliError('--json and --quiet exclude each other');
  const port = wholeNumber('port', values.port, 0, 65_535);
  const journalLimit = wholeNumber('journal-limit', values['journal-limit'], 1, 1_000_000);
  const given = values.merchant.map(merchantFrom);
  const merchants = given.length > 0 ? given : [DEMO_MERCHANT];
  const mock = created(merchants, journalLimit);
  const server = await listening(mock, port, values.host);
  const end = await watchForEnd(io);
  const { url } = server;
  const { fetch: _fetch, ...options } = mock.clientOptions();
  const clientOptions = { ...options, baseUrl: url };
  if (values.json) {
    const line: ReadyLine = {
      ready: true,
      url,
      port: server.port,
      clientOptions,
      merchants: merchants.map((merchant) => ({ storeIds: DEMO_MERCHANT.storeIds, ...merchant })),
    };
    io.out(JSON.stringify(line));
  } else if (!values.quiet) {
    io.out(banner(url, clientOptions, new Date()));
    mock.subscribe((change) => {
      if (change.kind === 'request' && change.entry.completed) io.out(lineOf(change.entry));
    });
  }
  await end.reached;
  // Ends requests that are delayed or hang, which would keep the process alive.
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
    const at = `${visible(host)}:${port}`;
    throw new CliError(
      code === 'EADDRINUSE'
        ? `${at} is in use: choose another port with --port`
        : `Cannot listen on ${at} (${code})`,
    );
  }
}

/**
 * Waits for SIGINT, SIGTERM, or the end of standard input where that is a pipe: a parent process may die without
 * passing a signal on, as npx does. A pipe that has ended before the mock is ready says nothing about the parent.
 */
async function watchForEnd({ signals, input, inputIsPipe }: CliIo): Promise<{ reached: Promise<void> }> {
  if (inputIsPipe) {
    input.resume();
    // A pipe that has ended already emits its end in this turn of the event loop, before anything listens for it.
    await nextTurn();
  }
  const reached = new Promise<void>((resolve) => {
    const stop = () => {
      signals.off('SIGINT', stop);
      signals.off('SIGTERM', stop);
      if (inputIsPipe) input.destroy();
      resolve();
    };
    signals.once('SIGINT', stop);
    signals.once('SIGTERM', stop);
    if (inputIsPipe) input.once('end', stop).once('error', stop);
  });
  return { reached };
}

/** The line of `--json`. `clientOptions` are complete options of an `InstallmentClient` for the first merchant. */
interface ReadyLine {
  readonly ready: true;
  readonly url: string;
  readonly port: number;
  readonly clientOptions: Omit<MockClientOptions, 'fetch'>;
  readonly merchants: readonly MockMerchant[];
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function banner(url: string, clientOptions: ReadyLine['clientOptions'], now: Date): string {
  const { clientId, secretKey, merchantId, storeId = '', platformId } = clientOptions;
  const isDemo = secretKey === DEMO_MERCHANT.secretKey;
  const environment = {
    INSTALLMENT_BASE_URL: url,
    INSTALLMENT_CLIENT_ID: clientId,
    ...(isDemo && { INSTALLMENT_SECRET_KEY: secretKey }),
    INSTALLMENT_MERCHANT_ID: merchantId,
    INSTALLMENT_STORE_ID: storeId,
    INSTALLMENT_PLATFORM_ID: platformId,
  };
  const lines = Object.entries(environment).map(([name, value]) => `export ${name}=${shellQuoted(value)}`);
  if (!isDemo) lines.push('# and INSTALLMENT_SECRET_KEY: the secret in --merchant');
  return [
    `installment-payments mock ${version}`,
    '',
    `Listening on ${url} (stop with Ctrl-C)`,
    `Inspector: ${url}/_mock`,
    '',
    'For your client:',
    '',
    ...lines,
    '',
    'A first signed request:',
    '',
    curl(clientOptions, now),
    '',
  ].join('\n');
}

/** A request that works as pasted. Pasted again, it is a repeat of the same request. */
function curl(clientOptions: ReadyLine['clientOptions'], now: Date): string {
  const { baseUrl, clientId, secretKey, merchantId, storeId, platformId } = clientOptions;
  const sample = samplePaymentRequest({ referenceId: 'FIRST-CURL', merchantId, storeId, platformId });
  // In ASCII, so that the encoding of the terminal cannot change the signed bytes.
  const body = JSON.stringify(paymentRequestSchema.parse(sample)).replaceAll(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const headers = {
    [headerNames.contentType]: endpoints.initiatePayment.contentType,
    [headerNames.clientId]: clientId,
    [headerNames.requestTime]: requestTime(now, vietnamOffsetMinutes),
    [headerNames.signature]: signPayment(body, secretKey),
    [headerNames.idempotencyKey]: 'first-curl',
  };
  return [
    `curl -sS ${shellQuoted(baseUrl + endpoints.initiatePayment.path)}`,
    ...Object.entries(headers).map(([name, value]) => `  -H ${shellQuoted(`${name}: ${value}`)}`),
    `  --data-raw ${shellQuoted(body)}`,
  ].join(' \\\n');
}

/** A request in one line: time, operation, reference, result, duration and notes. */
function lineOf(entry: JournalEntry): string {
  const { at, operation, method, path, resultStatus, replay, fault, diagnosis, durationMs = 0 } = entry;
  const reference = entry.referenceId ?? entry.lenderTransactionCode ?? entry.requestId;
  const notes = [
    replay && 'replay',
    fault && `fault ${isDelay(fault) ? `delay ${fault.delayMs} ms` : fault}`,
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
