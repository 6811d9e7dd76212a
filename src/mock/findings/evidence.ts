import { resultStatuses } from '../../protocol/result-statuses.js';
import type { ResolvedWireSwitches } from '../../protocol/wire-switches.js';
import { groupBy } from '../../values/group-by.js';
import type { JournalEntry, MockJournal } from '../state/journal-types.js';
import type { MockInvoice } from '../state/invoices.js';
import type { MockPayment } from '../state/payment-record.js';
import type { MockStore } from '../state/store-types.js';
import type { MockWebhooks, WebhookDelivery } from '../webhooks/webhook-types.js';
import { isLost } from '../state/journal.js';

/** An answer of the merchant's own order page to the question whether an order is paid. */
export interface ProbeAnswer {
  readonly referenceId: string;
  readonly paid: boolean;
  /** Set for a page that was asked after a forged notification was accepted, and before the merchant was told the truth. */
  readonly isEarly?: boolean | undefined;
  /** The URL, the HTTP status, and the text that counts as paid. */
  readonly seen?: string | undefined;
  /** Set for a page that was refused or not found: it shows no order. */
  readonly isRefused?: boolean | undefined;
}

/** One run of a merchant's code, as the service saw it. Everything is oldest first. */
export interface Evidence {
  readonly requests: readonly JournalEntry[];
  readonly payments: readonly MockPayment[];
  readonly invoices: readonly MockInvoice[];
  readonly webhooks: readonly WebhookDelivery[];
  /** Whether the mock sends webhooks. */
  readonly hasWebhook: boolean;
  /** Empty where nobody asked the merchant. */
  readonly probes: readonly ProbeAnswer[];
  /** Minutes east of UTC of a right Request-Time. */
  readonly requestTimeOffset: number;
}

/** The part of the evidence that the mock itself has. */
export type Recorded = Omit<Evidence, 'probes'>;

/** One case of a rule: the part of a finding that differs from case to case. */
export interface Sighting {
  readonly message: string;
  readonly referenceId?: string | undefined;
  readonly requests: readonly number[];
}

export function sighting(message: string, entries: readonly JournalEntry[], referenceId?: string): Sighting {
  return { message, referenceId, requests: entries.map(({ id }) => id) };
}

/** The records of a mock that the judge reads. */
export interface Records {
  readonly journal: MockJournal;
  readonly payments: MockStore<MockPayment>;
  readonly invoices: MockStore<MockInvoice>;
  readonly webhooks: MockWebhooks;
}

/** How a mock was set up, as far as the judge has to know. */
type Setup = Pick<Evidence, 'hasWebhook' | 'requestTimeOffset'>;

export function setupOf(options: {
  readonly webhook?: object | undefined;
  readonly wire: ResolvedWireSwitches;
}): Setup {
  return { hasWebhook: options.webhook !== undefined, requestTimeOffset: options.wire.requestTimeOffset };
}

/** Everything that a mock has recorded until now. */
export function evidenceOf(records: Records, setup: Setup): Recorded {
  const [payments, invoices] = [records.payments.all(), records.invoices.all()];
  return { requests: records.journal.all(), payments, invoices, webhooks: records.webhooks.all(), ...setup };
}

/** Statuses that leave open whether the service acted (specification: Errors). */
const openStatuses: ReadonlySet<string> = new Set(
  Object.values(resultStatuses)
    .flatMap((statuses) => Object.entries(statuses))
    .flatMap(([status, { outcome }]) => (outcome === 'unknown' ? [status] : [])),
);

/** True if a merchant cannot tell from the answer whether there is a payment. */
export function leavesOpen(entry: JournalEntry): boolean {
  return (
    isLost(entry) ||
    openStatuses.has(entry.resultStatus ?? '') ||
    (entry.httpStatus === 409 && entry.resultStatus === undefined)
  );
}

/** True if the service did not act, because it had too many requests: the same order may be sent again. */
export function isRefusedForNow({ acted, httpStatus }: JournalEntry): boolean {
  return !acted && httpStatus === 429;
}

/** True if the merchant got the answer that its request was approved. */
export function isApproved(entry: JournalEntry): boolean {
  return entry.resultStatus === 'APPROVED' && !isLost(entry);
}

/** When a payment was paid; Infinity if it was not. */
export function paidAt(order: Referring, { payments }: Recorded): number {
  const [payment] = requestsFor(order, payments);
  return payment?.status === 'paid' ? (payment.settledAt?.getTime() ?? Infinity) : Infinity;
}

export function paidIn({ payments }: Recorded): number {
  return payments.filter(({ status }) => status === 'paid').length;
}

/** When the merchant was first told that a payment is paid, by a true notification or the answer to a query. */
export function toldAt(order: Referring, run: Recorded): number {
  const paid = paidAt(order, run);
  const queries = requestsFor(order, run.requests).filter(({ own }) => own === true);
  const notifications = requestsFor(order, run.webhooks)
    .filter(({ forged, createdAt }) => !forged && createdAt.getTime() >= paid)
    .flatMap(({ tries }) => tries.map(({ startedAt }) => startedAt.getTime()));
  const asked = queries.map(({ at }) => at.getTime()).filter((at) => at >= paid);
  return Math.min(...notifications, ...asked);
}

export function of(operation: 'initiatePayment' | 'uploadInvoice', { requests }: Evidence): JournalEntry[] {
  return requests.filter((entry) => entry.operation === operation);
}

/** A record of an order: of a merchant that is not named, it may be of any. */
export interface Referring extends Pick<Partial<JournalEntry>, 'own' | 'body' | 'response'> {
  readonly referenceId?: string | undefined;
  readonly merchantId?: string | undefined;
}

/** The requests, or other records, of one order. A query may call the reference otherwise, or have it in its answer. */
export function requestsFor<T extends Referring>(order: Referring, records: readonly T[]): T[] {
  const { referenceId = '', merchantId } = order;
  const quoted = JSON.stringify(referenceId);
  return records.filter(
    (each) =>
      (each.merchantId ?? merchantId) === (merchantId ?? each.merchantId) &&
      (each.referenceId === referenceId ||
        (each.own === true && `${each.body}${each.response?.body}`.includes(quoted))),
  );
}

/** The name of an order: two merchants may have the same reference. */
export function nameOf({ referenceId, merchantId = '' }: Referring): string | undefined {
  return referenceId && `${referenceId} ${merchantId}`;
}

export function byReference<T extends Referring>(records: readonly T[]): ReadonlyMap<string, readonly T[]> {
  return groupBy(records, nameOf);
}

/** The sightings in the requests of each order. */
export function perReference(
  entries: readonly JournalEntry[],
  look: (entries: readonly JournalEntry[], referenceId: string) => Sighting | Sighting[] | undefined,
): Sighting[] {
  const queries = entries.filter(({ own }) => own === true);
  return [...byReference(entries.filter(({ own }) => own !== true)).values()].flatMap((some) => {
    const order: Referring = some[0] ?? {};
    const all = [...some, ...requestsFor(order, queries)].sort((one, other) => one.id - other.id);
    return look(all, order.referenceId ?? '') ?? [];
  });
}

/** `request 3`, or `requests 3, 5 and 8`; of many, the first and the last ones. */
export function named(entries: readonly JournalEntry[]): string {
  const ids = entries.map(({ id }) => id);
  if (ids.length <= 1) return `request ${ids.join('')}`;
  const shown = ids.length <= 6 ? ids : [...ids.slice(0, 3), '…', ...ids.slice(-2)];
  return `requests ${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
