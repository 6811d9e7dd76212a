import * as z from 'zod/mini';
import { checkOptions } from '../../errors/check-options.js';
import { ConfigurationError } from '../../errors/errors.js';
import { longestWaitMs } from '../../protocol/limits.js';
import { numberFrom, objectError } from '../../validation/rules.js';
import { longestTimerMs } from '../../values/time-limit.js';
import { httpUrlRule, isHttpUrl, toUrl } from '../../protocol/urls.js';
import type { JournalEntry, ScriptOptions } from '../../mock/observation.js';
import { checkedObject, MockUsageError } from '../../errors/usage-error.js';
import { ControlCalls } from './control-calls.js';
import type { ConnectOptions, RemoteMock } from './remote-types.js';

const connectOptions = z.strictObject(
  { waitMs: z._default(numberFrom(0, longestTimerMs), 10_000) },
  objectError('{ waitMs: 30_000 }'),
);

/**
 * Controls a mock in another process, such as a mock that `npx installment-payments mock` started, or a mock in a
 * container. The first call waits until the mock is up.
 *
 * @example
 * ```ts
 * import { connectMock } from 'installment-payments/mock/remote';
 *
 * const remote = connectMock('http://127.0.0.1:4010', { waitMs: 30_000 });
 *
 * export async function payOrder(referenceId: string) {
 *   await remote.journal.waitFor({ operation: 'initiatePayment', referenceId });
 *   return remote.settle(referenceId, 'paid');
 * }
 * ```
 * @param url - The address of the mock, without `/_mock`.
 * @returns The controls. Each rejects with the `MockUsageError` of the mock for an invalid argument, and with an
 * `Error` if the mock does not come up, if it ends, or if a wait times out.
 * @throws ConfigurationError for an invalid address or option.
 */
export function connectMock(url: string | URL, options: ConnectOptions = {}): RemoteMock {
  const address = addressOf(url);
  const calls = new ControlCalls(address, checkOptions(connectOptions, options).waitMs);

  const store = <T>(path: string) => ({
    all: () => calls.read<T[]>(path),
    get: async (key: string, merchantId?: string) =>
      calls.read<T | undefined>(`${path}/${segment(key)}`, { searchParams: { merchantId } }),
  });
  const entries = store<JournalEntry>('journal');

  return {
    payments: store('payments'),
    invoices: {
      ...store('invoices'),
      remove: async (invoiceId) => calls.post(`invoices/${segment(invoiceId)}/remove`, {}),
    },
    receipts: store('receipts'),
    allocations: store('allocations'),
    journal: {
      all: entries.all,
      get: (id) => entries.get(String(id)),
      find: (match) => calls.post('journal/find', { match }),
      filter: (match) => calls.post('journal/filter', { match }),
      waitFor(match, { timeoutMs = 2000, ...others } = {}) {
        const longestMs = timeoutMs > 0 ? Math.min(timeoutMs, longestWaitMs) : 0;
        return calls.post('journal/wait', { ...others, match, timeoutMs }, longestMs);
      },
    },
    webhooks: {
      ...store('webhooks'),
      resend: async (id) => calls.post(`webhooks/${segment(id)}/resend`, {}),
    },
    ledger: async (contractNumber) => calls.read(`ledger/${segment(contractNumber)}`),
    settle: (referenceId, status, merchantId) => calls.post('settle', { referenceId, status, merchantId }),
    async respondWith(operation, answer, when) {
      await calls.post('respond', { ...sendableOptions('respondWith', when), operation, answer });
    },
    async injectFault(operation, fault, when) {
      await calls.post('faults', { ...sendableOptions('injectFault', when), operation, fault });
    },
    async clearScript() {
      await calls.post('script/clear', {});
    },
    findings: () => calls.read('findings'),
    scenario: () => calls.read('scenario'),
    async reset(next = {}) {
      await calls.post('reset', next);
    },
  };
}

/** The options with a number of times that JSON can represent, because Infinity would become null. */
function sendableOptions(subject: string, options: ScriptOptions = {}): ScriptOptions {
  const given = checkedObject(subject, options);
  return given.times === Infinity ? { ...given, times: Number.MAX_SAFE_INTEGER } : given;
}

/**
 * Encodes a key as a part of a path. A URL cannot contain the parts '', '.' and '..', because URL parsers drop these
 * parts or the part before them.
 */
function segment(key: string): string {
  if (!['', '.', '..'].includes(key)) return encodeURIComponent(key);
  throw new MockUsageError(`'${key}' cannot be looked up over HTTP.`);
}

function addressOf(given: string | URL): URL {
  const url = toUrl(String(given));
  if (!isHttpUrl(url)) throw new ConfigurationError('url', httpUrlRule);
  url.search = '';
  url.hash = '';
  return url;
}
