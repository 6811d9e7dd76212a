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

/** True if the response to an initiate request does not show whether a payment exists. */
export function hasUnknownOutcome(entry: JournalEntry): boolean {
  const { resultStatus, httpStatus } = entry;
  if (isAnswerLost(entry)) return true;
  if (resultStatus === undefined) return httpStatus !== undefined && !isRefusalStatus(httpStatus);
  if (resultStatus === 'APPROVED') return false;
  // An undocumented status does not say whether the service acted.
  return (
    !isErrorStatus(resultStatus) || errorStatusInfo('initiatePayment', resultStatus).outcome === 'unknown'
  );
}

/** True for a redirect. A payment might exist, and the same request would be redirected again. */
export function isRedirect({ resultStatus, httpStatus = 0 }: JournalEntry): boolean {
  return resultStatus === undefined && httpStatus >= 300 && httpStatus < 400;
}

/** True if the service did not act because of a rate limit, so that the same request can be sent again. */
export function isRateLimited({ acted, httpStatus }: JournalEntry): boolean {
  return !acted && httpStatus === 429;
}

/** Returns the name from this list of orders that occurs in the reference or the body of a request. */
export function orderNamedIn(
  { referenceId = '', body = '' }: PaymentRelated,
  names: readonly string[],
): string | undefined {
  const text = `${referenceId} ${body}`;
  // The longest name counts, because the name of one order can begin with the name of another order.
  return names.filter((name) => text.includes(name)).sort((one, other) => other.length - one.length)[0];
}

/**
 * Returns the order of a request, if the rehearsal calls the checkout. The order is found by the link that the shop
 * returned, or else by the name of an order in the request.
 */
export function orderOfRequest(request: PaymentRelated, run: RunRecord): string | undefined {
  const [linked] = recordsFor(request, run.shownLinks);
  if (linked) return linked.order;
  return orderNamedIn(request, [...(run.orderNames ?? []), ...run.shownLinks.map(({ order }) => order)]);
}

/** Returns the order of a payment: the order of the first initiate request for the payment. */
export function orderOfPayment(payment: PaymentRelated, run: RunRecord): string | undefined {
  const [first = payment] = recordsFor(payment, requestsOf('initiatePayment', run));
  return orderOfRequest(first, run);
}

/** The time at which a payment was paid, in milliseconds; Infinity if it was not paid. */
export function paidAt(payment: PaymentRelated, { payments }: RunRecord): number {
  const paid = recordsFor(payment, payments).filter(({ status }) => status === 'paid');
  return Math.min(...paid.map(({ settledAt }) => settledAt?.getTime() ?? Infinity));
}

/**
 * The time at which the merchant could first know that a payment is paid, in milliseconds: from a genuine webhook or a
 * query. Infinity if there was neither.
 */
export function confirmedAt(payment: PaymentRelated, run: RunRecord): number {
  const paid = paidAt(payment, run);
  const notified = recordsFor(payment, run.webhooks)
    .filter((delivery) => isGenuine(delivery) && delivery.createdAt.getTime() >= paid)
    .flatMap(({ tries }) => tries.map(({ startedAt }) => startedAt.getTime()));
  const queries = recordsFor(payment, run.requests).filter(
    (entry) => isCustomOperation(entry) && entry.at.getTime() >= paid,
  );
  return Math.min(...notified, ...queries.map(({ at }) => at.getTime()));
}

export function paidPaymentCount({ payments }: RunRecord): number {
  return payments.filter(({ status }) => status === 'paid').length;
}

export function requestsOf(operation: MerchantOperation, { requests }: RunRecord): JournalEntry[] {
  return requests.filter((entry) => entry.operation === operation);
}

/**
 * A payment, or a record that can belong to a payment, such as a request or a webhook. A record without `merchantId`
 * matches the payments of every merchant.
 */
export interface PaymentRelated extends Pick<Partial<JournalEntry>, 'own' | 'body' | 'response'> {
  readonly referenceId?: string | undefined;
  readonly merchantId?: string | undefined;
}

/**
 * Returns the records that belong to a payment. The body or the response of a custom operation, such as a status query,
 * can contain the reference in any field.
 */
export function recordsFor<T extends PaymentRelated>(payment: PaymentRelated, records: readonly T[]): T[] {
  const { referenceId = '', merchantId } = payment;
  const quoted = JSON.stringify(referenceId);
  return records.filter(
    (each) =>
      isSameMerchant(each.merchantId, merchantId) &&
      (each.referenceId === referenceId ||
        (isCustomOperation(each) && `${each.body}${each.response?.body}`.includes(quoted))),
  );
}

/** True for a request to a path that a test has added with `mock.handle`, such as the path of a status query. */
export function isCustomOperation({ own }: Pick<PaymentRelated, 'own'>): boolean {
  return own === true;
}

/** True if the two merchants are the same, or if one of the two is unknown. */
function isSameMerchant(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}

/** Returns a key that identifies a payment. The key contains the merchant: two merchants can use the same reference. */
export function paymentKeyOf({ referenceId, merchantId = '' }: PaymentRelated): string | undefined {
  return referenceId && paymentKey({ referenceId, merchantId });
}

/** Groups records by their payment. Records without a reference are left out. */
export function groupByPayment<T extends PaymentRelated>(records: readonly T[]) {
  return [...groupBy(records, paymentKeyOf).values()];
}

export function isGenuine({ forgery, decoy }: WebhookDelivery): boolean {
  return forgery === undefined && decoy === undefined;
}

/** The genuine webhooks that were sent. */
export function sentGenuineWebhooks({ webhooks }: Pick<RunRecord, 'webhooks'>): WebhookDelivery[] {
  return webhooks.filter((delivery) => isGenuine(delivery) && delivery.tries.length > 0);
}

export function isAccepted({ httpStatus = 0 }: WebhookTry): boolean {
  return httpStatus >= 200 && httpStatus < 300;
}
