import {
  isAnswered,
  isLink,
  isProcessing,
  isRefused,
  mayCreate,
  wordsOf,
  type Answered,
  type Attempt,
  type Transcript,
} from './transcript.js';

/** The requests for one payment, in the order in which they were sent. */
type Payment = Transcript;

/** Long enough for a service that is busy with a request for 1.5 s, as `busy` of the mock, and short enough to see it. */
export const busyMs = 1500;
/** After so long a repeat that is still being processed will be for ever, as far as a probe can tell. */
export const foreverMs = 4000;

/** The payments that were asked for, by reference. */
export function paymentsOf(transcript: Transcript): Payment[] {
  const orders = transcript.filter(mayCreate);
  const references = new Set(orders.map(({ request }) => request.referenceId));
  return [...references].map((reference) =>
    orders.filter(({ request }) => request.referenceId === reference),
  );
}

/** The first answer of a payment, unless an earlier request may have created it: one whose response was lost on the way. */
export function firstResponse(payment: Payment): Answered | undefined {
  const first = payment.find((attempt) => !isRefused(attempt) && attempt.response?.httpStatus !== 429);
  return first && !first.request.inPair && isAnswered(first) ? first : undefined;
}

/** True for an answer that shows that a payment of this reference exists, or is being made. */
export function showsPayment(attempt: Attempt): boolean {
  const { resultStatus } = attempt.response ?? {};
  return isLink(attempt) || isProcessing(attempt) || resultStatus === 'DUPLICATE_REFERENCE_ID';
}

/** True where something but its first answer shows that a payment exists. */
export function existsLater(payment: Payment): boolean {
  return payment.slice(1).some((each) => showsPayment(each) && !isProcessing(each));
}

/**
 * How a repeat was answered, as the scenario of the mock has it. `reveals`: the first link that was seen of this payment.
 * `other query`: a link that differs in its query alone, so that it may be of the same payment or of another.
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

export function kindOfRepeat(repeat: Answered, before: Transcript): RepeatKind {
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

/** A repeat of a request that the service has certainly acted on, because it had answered one under the same key before. */
export interface Repeat {
  readonly attempt: Answered;
  readonly kind: RepeatKind;
  /** Whether a service that is busy with a request for {@link busyMs} would have said so. */
  readonly isPrompt: boolean;
  /** How long after the service had acted it was sent. */
  readonly afterMs: number;
}

export function repeatsOf(payment: Payment): Repeat[] {
  const alone = payment.filter(({ request }) => !request.inPair);
  const from = alone.findIndex(showsPayment);
  const acted = alone[from];
  if (!acted) return [];
  const sameKey = alone.filter(({ request }) => request.idempotencyKey === acted.request.idempotencyKey);
  // Before it, a request may have acted whose response was lost.
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

/** Two requests for a payment that were sent at the same moment, both answered by the service; the last such two. */
export function answeredPair(payment: Payment): readonly [Answered, Answered] | undefined {
  const [first, second] = payment.filter(({ request }) => request.inPair).slice(-2);
  return first && second && isAnswered(first) && isAnswered(second) ? [first, second] : undefined;
}

export const sameLink = 'APPROVED, the same link';

/** The response to the second of a pair, in words: the other one is the first answer of the payment. */
export function inFlightWords(
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
  // Where neither or both are the first answer, nothing tells which of them is the second; nor whether a link is the same.
  const isClear = others.length === 1 || (first === 'processing' && others.length === 0);
  if (first === undefined || !isClear || isLink(second)) return undefined;
  return second.response.resultStatus ?? wordsOf(second.response);
}
