import type { MerchantOperation } from '../../protocol/endpoints.js';
import { isRefusalStatus } from '../../protocol/http-statuses.js';
import { errorStatusInfo, isErrorStatus } from '../../protocol/result-statuses.js';
import { groupBy } from '../../values/collections.js';
import {
  isAnswerLost,
  paymentKey,
  type JournalEntry,
  type WebhookDelivery,
  type WebhookTry,
} from '../../mock/observation.js';
import type { RunRecord } from './record.js';

/** True if the response to an initiate request leaves open whether there is a payment, as the client judges it. */
export function leavesOpen(entry: JournalEntry): boolean {
  const { resultStatus, httpStatus } = entry;
  if (isAnswerLost(entry)) return true;
  if (resultStatus === undefined) return httpStatus !== undefined && !isRefusalStatus(httpStatus);
  if (resultStatus === 'APPROVED') return false;
  // An undocumented status does not say whether the service acted.
  return (
    !isErrorStatus(resultStatus) || errorStatusInfo('initiatePayment', resultStatus).outcome === 'unknown'
  );
}

/** True for a redirect: there might be a payment, and the same request would only be redirected again. */
export function isRedirect({ resultStatus, httpStatus = 0 }: JournalEntry): boolean {
  return resultStatus === undefined && httpStatus >= 300 && httpStatus < 400;
}

/** True if the service did not act because of a rate limit: the same request can be sent again. */
export function isRefusedForNow({ acted, httpStatus }: JournalEntry): boolean {
  return !acted && httpStatus === 429;
}

/** The order of the rehearsal whose name occurs in a request, in its reference or its body. */
export function orderNamedIn(
  { referenceId = '', body = '' }: Referring,
  names: readonly string[],
): string | undefined {
  const text = `${referenceId} ${body}`;
  // The name of one order can begin with the name of another order.
  return names.filter((name) => text.includes(name)).sort((one, other) => other.length - one.length)[0];
}

/**
 * The order of a request, if the rehearsal calls the checkout. It is found by the link that the shop returned, or
 * else by the name of the order in the request.
 */
export function clickedOrder(request: Referring, run: RunRecord): string | undefined {
  const [linked] = recordsFor(request, run.clicks);
  if (linked) return linked.order;
  return orderNamedIn(request, [...(run.orderNames ?? []), ...run.clicks.map(({ order }) => order)]);
}

/** The order of a payment, found by its link, or else by the first request for it. */
export function orderOf(payment: Referring, run: RunRecord): string | undefined {
  const [first = payment] = recordsFor(payment, requestsOf('initiatePayment', run));
  return clickedOrder(first, run);
}

export function paidAt(payment: Referring, { payments }: RunRecord): number {
  const paid = recordsFor(payment, payments).filter(({ status }) => status === 'paid');
  return Math.min(...paid.map(({ settledAt }) => settledAt?.getTime() ?? Infinity));
}

/** The time at which a genuine webhook or the response to a query first reported that a payment is paid. */
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

/** The records of one payment. A query can have the reference in a different field, or in its response. */
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

/** A key that identifies a payment. Two merchants can use the same reference. */
export function paymentKeyOf({ referenceId, merchantId = '' }: Referring): string | undefined {
  return referenceId && paymentKey({ referenceId, merchantId });
}

export function byReference<T extends Referring>(records: readonly T[]) {
  return [...groupBy(records, paymentKeyOf).values()];
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
