import type { MerchantOperation } from '../../protocol/endpoints.js';
import { resultStatuses } from '../../protocol/result-statuses.js';
import { groupBy } from '../../values/collections.js';
import {
  isAnswerLost,
  paymentKey,
  type JournalEntry,
  type WebhookDelivery,
  type WebhookTry,
} from '../../mock/observation.js';
import type { RunRecord } from './record.js';

/** A rule that merchants should keep in every scenario. A finding has its texts. */
export interface Rule {
  /** Absent for an error. */
  readonly level?: 'warning';
  readonly why: string;
  readonly fix: string;
  /** The cases in one run; a rule that compares reads the run in the baseline too. */
  readonly find: (run: RunRecord, baseline?: RunRecord) => readonly Violation[];
}

/** One case of a rule: the part of a finding that differs from case to case. */
export interface Violation {
  /** In place of what the rule says. */
  readonly level?: 'error';
  readonly fix?: string;
  readonly message: string;
  readonly referenceId?: string | undefined;
  readonly requests: readonly number[];
}

/** A case of the order of these requests, if all are of one. */
export function violation(message: string, entries: readonly JournalEntry[], order?: Referring): Violation {
  const [first, ...others] = new Set(entries.map(({ referenceId }) => referenceId));
  const { referenceId } = order ?? { referenceId: others.length === 0 ? first : undefined };
  return { message, referenceId, requests: entries.map(({ id }) => id) };
}

/** Statuses that leave open whether the service acted (specification: Errors). */
const openStatuses: ReadonlySet<string> = new Set(
  Object.values(resultStatuses)
    .flatMap((statuses) => Object.entries(statuses))
    .flatMap(([status, { outcome }]) => (outcome === 'unknown' ? [status] : [])),
);

/** True if a merchant cannot tell from the answer whether there is a payment. */
export function leavesOpen(entry: JournalEntry): boolean {
  const { resultStatus, httpStatus } = entry;
  if (isAnswerLost(entry)) return true;
  if (resultStatus !== undefined) return openStatuses.has(resultStatus);
  // Without a result, a 4xx that is not a conflict is a refusal.
  return httpStatus !== undefined && (httpStatus === 409 || httpStatus < 400 || httpStatus >= 500);
}

/** True for a redirect: there may be a payment, and the same request would only be redirected again. */
export function isRedirect({ resultStatus, httpStatus = 0 }: JournalEntry): boolean {
  return resultStatus === undefined && httpStatus >= 300 && httpStatus < 400;
}

/** True if the service did not act, because it had too many requests: the same order may be sent again. */
export function isRefusedForNow({ acted, httpStatus }: JournalEntry): boolean {
  return !acted && httpStatus === 429;
}

/** `The response to request 3 (A) was lost`. */
export function responseTo(entry: JournalEntry): string {
  const end = isAnswerLost(entry) ? 'lost' : (entry.resultStatus ?? `HTTP ${entry.httpStatus}`);
  return `The response to ${requestNames([entry])} was ${end}`;
}

/** Of the orders of a rehearsal, the one whose name a request has, as most shops send it. */
export function orderNamedIn(
  { referenceId = '', body = '' }: Referring,
  names: readonly string[],
): string | undefined {
  const text = `${referenceId} ${body}`;
  // The name of one order may begin with that of another.
  return names.filter((name) => text.includes(name)).sort((one, other) => other.length - one.length)[0];
}

/**
 * The order of the rehearsal that a request is for, where the rehearsal clicks in the shop: by the link that the shop gave, else
 * by the name of the order in the request.
 */
export function clickedOrder(request: Referring, run: RunRecord): string | undefined {
  const [linked] = recordsFor(request, run.clicks);
  if (linked) return linked.order;
  return orderNamedIn(request, [...(run.orderNames ?? []), ...run.clicks.map(({ order }) => order)]);
}

/** The clicked order of a payment: by its link, else by the first request for it. */
export function orderOf(payment: Referring, run: RunRecord): string | undefined {
  const [first = payment] = recordsFor(payment, requestsOf('initiatePayment', run));
  return clickedOrder(first, run);
}

export function paidAt(payment: Referring, { payments }: RunRecord): number {
  const paid = recordsFor(payment, payments).filter(({ status }) => status === 'paid');
  return Math.min(...paid.map(({ settledAt }) => settledAt?.getTime() ?? Infinity));
}

/** When a true notification, or the response to a query, first said to the merchant that a payment is paid. */
export function confirmedAt(payment: Referring, run: RunRecord): number {
  const paid = paidAt(payment, run);
  const notified = recordsFor(payment, run.webhooks)
    .filter((delivery) => isGenuine(delivery) && delivery.createdAt.getTime() >= paid)
    .flatMap(({ tries }) => tries.map(({ startedAt }) => startedAt.getTime()));
  const asked = recordsFor(payment, run.requests).filter(
    ({ own, at }) => own === true && at.getTime() >= paid,
  );
  return Math.min(...notified, ...asked.map(({ at }) => at.getTime()));
}

export function paidIn({ payments }: RunRecord): number {
  return payments.filter(({ status }) => status === 'paid').length;
}

export function requestsOf(operation: MerchantOperation, { requests }: RunRecord): JournalEntry[] {
  return requests.filter((entry) => entry.operation === operation);
}

/** A record of a payment. Without `merchantId` it matches any merchant. */
export interface Referring extends Pick<Partial<JournalEntry>, 'own' | 'body' | 'response'> {
  readonly referenceId?: string | undefined;
  readonly merchantId?: string | undefined;
}

/** The records of one payment. A query may call its reference otherwise, or have it in its answer. */
export function recordsFor<T extends Referring>(payment: Referring, records: readonly T[]): T[] {
  const { referenceId = '', merchantId } = payment;
  const quoted = JSON.stringify(referenceId);
  return records.filter(
    (each) =>
      (each.merchantId ?? merchantId) === (merchantId ?? each.merchantId) &&
      (each.referenceId === referenceId ||
        (each.own === true && `${each.body}${each.response?.body}`.includes(quoted))),
  );
}

/** The key of the payment that a record is about, if it names one. */
export function paymentKeyOf({ referenceId, merchantId = '' }: Referring): string | undefined {
  return referenceId && paymentKey({ referenceId, merchantId });
}

export function byReference<T extends Referring>(records: readonly T[]) {
  return [...groupBy(records, paymentKeyOf).values()];
}

/** `request 3 (A)`, or `requests 3 (A), 5 (B) and 8 (C)`; of many, the first and the last ones. */
export function requestNames(entries: readonly JournalEntry[]): string {
  const names = entries.map(({ id, referenceId }) => `${id}${referenceId ? ` (${referenceId})` : ''}`);
  if (names.length <= 1) return `request ${names.join('')}`;
  const shown = names.length <= 6 ? names : [...names.slice(0, 3), '…', ...names.slice(-2)];
  return `requests ${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

export function isGenuine({ forgery, decoy }: WebhookDelivery): boolean {
  return forgery === undefined && decoy === undefined;
}

/** The genuine webhooks that were sent. */
export function genuineSent({ webhooks }: Pick<RunRecord, 'webhooks'>): WebhookDelivery[] {
  return webhooks.filter((delivery) => isGenuine(delivery) && delivery.tries.length > 0);
}

export function isAccepted({ httpStatus = 0 }: WebhookTry): boolean {
  return httpStatus >= 200 && httpStatus < 300;
}
