import {
  isAnswered,
  isLink,
  isProcessing,
  isRefused,
  mayCreate,
  responseText,
  type Answered,
  type Attempt,
  type Transcript,
} from './transcript.js';

/** The requests for one payment, in the order in which they were sent. */
type PaymentAttempts = Transcript;

/** The time after which most services have processed a request. */
export const busyMs = 1500;
/** If the response is still REQUEST_PROCESSING after this time, it is assumed that the response will not change. */
export const foreverMs = 4000;

/** Groups the requests for payments by reference. */
export function paymentsOf(transcript: Transcript): PaymentAttempts[] {
  const orders = transcript.filter(mayCreate);
  const references = new Set(orders.map(({ request }) => request.referenceId));
  return [...references].map((reference) =>
    orders.filter(({ request }) => request.referenceId === reference),
  );
}

/**
 * The first response for a payment. Undefined if an earlier request, whose response was lost, might have created the
 * payment.
 */
export function firstResponse(payment: PaymentAttempts): Answered | undefined {
  const first = payment.find((attempt) => !isRefused(attempt) && attempt.response?.httpStatus !== 429);
  return first && !first.request.inPair && isAnswered(first) ? first : undefined;
}

/** True for a response that shows that a payment of this reference exists, or is being created. */
export function showsPayment(attempt: Attempt): boolean {
  const { resultStatus } = attempt.response ?? {};
  return isLink(attempt) || isProcessing(attempt) || resultStatus === 'DUPLICATE_REFERENCE_ID';
}

/** True if a response other than the first response shows that a payment exists. */
export function existsLater(payment: PaymentAttempts): boolean {
  return payment.slice(1).some((each) => showsPayment(each) && !isProcessing(each));
}

/**
 * The response to a repeat, in the values of the mock's scenarios. `reveals`: the first link of this payment. `other
 * query`: a link that differs only in its query, so that it can belong to the same payment or to another payment.
 */
export type RepeatKind =
  | 'replay'
  | 'another'
  | 'other query'
  | 'reveals'
  | 'duplicate'
  | 'invalid'
  | 'processing'
  | 'conflict'
  | 'other';

const kinds: Readonly<Record<string, RepeatKind>> = {
  DUPLICATE_REFERENCE_ID: 'duplicate',
  INVALID_REQUEST: 'invalid',
  REQUEST_PROCESSING: 'processing',
};

function kindOfRepeat(repeat: Answered, before: Transcript): RepeatKind {
  const { link, page, resultStatus, httpStatus } = repeat.response;
  const known = before.find(isLink)?.response;
  if (link !== undefined) {
    if (known === undefined) return 'reveals';
    if (known.link === link) return 'replay';
    return page !== undefined && known.page === page ? 'other query' : 'another';
  }
  if (resultStatus === undefined) return httpStatus === 409 ? 'conflict' : 'other';
  return kinds[resultStatus] ?? 'other';
}

/** A repeat of a request on which the service has certainly acted, because it had responded to the same key before. */
export interface Repeat {
  readonly attempt: Answered;
  readonly kind: RepeatKind;
  /** True if the response came within {@link busyMs}, when a service that is busy at first would still be busy. */
  readonly isPrompt: boolean;
  /** The time from the service's first response to this repeat. */
  readonly afterMs: number;
}

export function repeatsOf(payment: PaymentAttempts): Repeat[] {
  const alone = payment.filter(({ request }) => !request.inPair);
  const from = alone.findIndex(showsPayment);
  const acted = alone[from];
  if (!acted) return [];
  const sameKey = alone.filter(({ request }) => request.idempotencyKey === acted.request.idempotencyKey);
  // The service might have acted on an earlier request whose response was lost.
  const [first = acted] = sameKey;
  return alone
    .slice(from + 1)
    .filter(isAnswered)
    .map((attempt) => ({
      attempt,
      kind: kindOfRepeat(attempt, alone.slice(0, alone.indexOf(attempt))),
      isPrompt: attempt.endedAtMs - first.sentAtMs < busyMs,
      afterMs: attempt.sentAtMs - acted.endedAtMs,
    }));
}

/** The last two requests for a payment that were sent at the same moment, if the service responded to both. */
export function answeredPair(payment: PaymentAttempts): readonly [Answered, Answered] | undefined {
  const [first, second] = payment.filter(({ request }) => request.inPair).slice(-2);
  return first && second && isAnswered(first) && isAnswered(second) ? [first, second] : undefined;
}

export const sameLink = 'APPROVED, the same link';

/** The response to the second request of a pair. The other response is the first response of the payment. */
export function inFlightResponse(
  [left, right]: readonly [Answered, Answered],
  first: 'approved' | 'processing' | undefined,
): string | undefined {
  if (isLink(left) && isLink(right)) {
    if (left.response.link === right.response.link) return sameLink;
    const isSamePage = left.response.page !== undefined && left.response.page === right.response.page;
    return isSamePage ? undefined : 'APPROVED, another link';
  }
  const isFirst = first === 'processing' ? isProcessing : isLink;
  const others = [left, right].filter((each) => !isFirst(each));
  const [second = right] = others;
  // If neither or both responses equal the first response, it is unclear which request was the second, and whether a
  // link is the same.
  const isClear = others.length === 1 || (first === 'processing' && others.length === 0);
  if (first === undefined || !isClear || isLink(second)) return undefined;
  return second.response.resultStatus ?? responseText(second.response);
}
