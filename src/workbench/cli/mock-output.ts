import {
  demoMerchant,
  isDelay,
  type JournalEntry,
  type MockClientOptions,
  type MockMerchant,
  type ObservedMock,
  type WebhookDelivery,
} from '../../mock/observation.js';
import { isInsecure } from '../../protocol/urls.js';
import { powerShellWord, shellWord } from '../../values/shell-word.js';
import { version } from '../../version.js';
import { type CliIo } from './io.js';
import { printable } from '../../values/texts.js';

/**
 * The line that `mock --json` prints. `clientOptions` are the options of an `InstallmentClient` for the first
 * merchant.
 */
export interface ReadyLine {
  readonly ready: true;
  /** The address on this machine. */
  readonly url: string;
  /** The public address, from `--public-url` or the file of `--config`. */
  readonly publicUrl?: string;
  readonly port: number;
  /** The name of the scenario, or the values that differ from the baseline, such as `repeat=duplicate`. */
  readonly scenario: string;
  /** `baseUrl` is the public address, or if there is none, the address on this machine. */
  readonly clientOptions: Omit<MockClientOptions, 'fetch'> & { readonly allowInsecureHttp?: boolean };
  /** All merchants, with their secret keys. */
  readonly merchants: readonly MockMerchant[];
}

/**
 * The options of a client that calls the mock at this address. Without `allowInsecureHttp`, a client refuses http
 * to a host other than this machine.
 */
export function clientOptionsAt(
  baseUrl: string,
  { fetch: _fetch, ...options }: MockClientOptions,
): ReadyLine['clientOptions'] {
  return { ...options, baseUrl, ...(isInsecure(baseUrl) && { allowInsecureHttp: true }) };
}

/** The environment variables for an `InstallmentClient`. */
export function environmentOf(options: ReadyLine['clientOptions']): Record<string, string> {
  const { allowInsecureHttp, storeId } = options;
  return {
    INSTALLMENT_BASE_URL: options.baseUrl,
    ...(allowInsecureHttp && { INSTALLMENT_ALLOW_INSECURE_HTTP: '1' }),
    INSTALLMENT_CLIENT_ID: options.clientId,
    INSTALLMENT_SECRET_KEY: options.secretKey,
    INSTALLMENT_MERCHANT_ID: options.merchantId,
    ...(storeId !== undefined && { INSTALLMENT_STORE_ID: storeId }),
    INSTALLMENT_PLATFORM_ID: options.platformId,
  };
}

/** Writes the text of a mock that is ready: its addresses, and the variables of a client for sh and PowerShell. */
export function banner(ready: ReadyLine, host: string, webhook?: string): string {
  const { url, publicUrl, clientOptions, scenario } = ready;
  const { secretKey, wire } = clientOptions;
  const isDemo = secretKey === demoMerchant(wire.secretKeyEncoding).secretKey;
  const variables = Object.entries(environmentOf(clientOptions)).filter(
    ([name]) => isDemo || name !== 'INSTALLMENT_SECRET_KEY',
  );
  const lines = [
    ...variables.map(([name, value]) => `export ${name}=${shellWord(value)}`),
    '',
    'In PowerShell:',
    '',
    ...variables.map(([name, value]) => `$env:${name} = ${powerShellWord(value)}`),
  ];
  if (!isDemo) lines.push('# and INSTALLMENT_SECRET_KEY: the secret in the file of --config');
  // A switch that was not given is undefined, so JSON leaves it out.
  const switches = JSON.stringify(wire);
  if (switches !== '{}') lines.push(`# and the option wire: ${printable(switches)}`);
  const isEverywhere = ['0.0.0.0', '::'].includes(host);
  return [
    `installment-payments mock ${version}`,
    '',
    `Listening on ${url}${isEverywhere ? ' and every other address of this machine' : ''} (stop with Ctrl-C)`,
    ...(publicUrl === undefined ? [] : [`Public address: ${publicUrl}`]),
    ...(scenario === 'baseline' ? [] : [`Scenario: ${scenario}`]),
    ...(webhook === undefined ? [] : [`Webhook: ${printable(webhook)}, when a payment is settled`]),
    `Inspector: ${url}/_mock`,
    '',
    'For your client:',
    '',
    ...lines,
    '',
  ].join('\n');
}

/** Describes a request in one line: time, operation, reference, result, duration and notes. */
export function lineOf(entry: JournalEntry, mockUrl: string): string {
  const { at, operation, method, path, resultStatus = '', fault, durationMs = 0 } = entry;
  const reference = entry.referenceId ?? entry.lenderTransactionCode ?? entry.requestId ?? '';
  const notes = [
    entry.replay && 'replay',
    fault && `fault ${isDelay(fault) ? `delay ${fault.delayMs} ms` : fault}`,
    // The line contains a link to the diagnosis, because making the diagnosis here would delay other requests.
    entry.hasDiagnosis && `why: ${mockUrl}/_mock/ui/requests/${entry.id}`,
    entry.warnings && `warning: ${entry.warnings.join(' ')}`,
    entry.answer === 'abandoned' && 'the sender had closed the connection',
    entry.error,
  ].filter((note) => typeof note === 'string');
  return [
    at.toISOString().slice(11, 19),
    operation ?? `${method} ${printable(path.slice(0, 100))}`,
    printable(reference),
    printable(resultStatus),
    `${durationMs.toFixed(1)} ms`,
    notes.length > 0 ? `(${notes.join(', ')})` : '',
  ]
    .filter((part) => part !== '')
    .join('  ');
}

/** Describes a webhook after a try in one line: time, reference, result, and the time of the next try. */
export function deliveryLine({ tries, referenceId, status, nextTryAt }: WebhookDelivery): string {
  const { startedAt, httpStatus, error = '' } = tries.at(-1) ?? { startedAt: new Date() };
  const note = nextTryAt ? `(again at ${nextTryAt.toISOString().slice(11, 19)})` : `(${status})`;
  const result = httpStatus === undefined ? printable(error) : `HTTP ${httpStatus}`;
  return [startedAt.toISOString().slice(11, 19), 'webhook', printable(referenceId), result, note].join('  ');
}

/** Prints a line for each request of a mock once it has a response, and for each try of a webhook. */
export function printTraffic(
  mock: Pick<ObservedMock, 'subscribe' | 'webhooks'>,
  mockUrl: string,
  io: Pick<CliIo, 'out'>,
): void {
  mock.subscribe((change) => {
    if (change.kind === 'request' && change.entry.completed) io.out(lineOf(change.entry, mockUrl));
    const delivery = change.kind === 'webhook' && mock.webhooks.get(change.id);
    const isBeingSent = delivery && delivery.status === 'pending' && !delivery.nextTryAt;
    if (delivery && !isBeingSent) io.out(deliveryLine(delivery));
  });
}
