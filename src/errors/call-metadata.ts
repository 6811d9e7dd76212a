import type { Operation } from '../protocol/endpoints.js';
import type { AnyResultStatus, Outcome } from '../protocol/result-statuses.js';

/**
 * How far an attempt came:
 *
 * - `'connecting'`: there was no connection yet, or it was not secured yet. Nothing of the request was sent.
 * - `'sending'`: the request was being sent.
 * - `'waiting'`: the request was sent, and no answer had begun.
 * - `'receiving'`: an answer had begun.
 * - `'complete'`: the answer had ended.
 */
export type Phase = 'connecting' | 'sending' | 'waiting' | 'receiving' | 'complete';

/** One request that was sent, or that could not be sent, for a call. */
export interface Attempt {
  /** When it began, by the clock that `now` gives. */
  readonly startedAt: Date;
  /** Milliseconds on a clock that does not jump. */
  readonly durationMs: number;
  /** The Request-Time header of this attempt; empty for a lender's notification, which has none. */
  readonly requestTime: string;
  /** What this attempt alone says about the service's side. */
  readonly outcome: Outcome;
  /** How far it came; absent where the transport cannot tell, as with an injected `fetch`. */
  readonly phase?: Phase;
  /** HTTP status of the answer, if there was one. */
  readonly httpStatus?: number;
  /** As the service sent it, documented or not, as long as it is a word. */
  readonly resultStatus?: AnyResultStatus;
  /** What went wrong, in short and redacted: `ECONNRESET (read)`. */
  readonly error?: string;
}

/** The name of a call: an operation, or `post` for a call of one's own. */
export type CallName = Operation | 'post';

/** What a call was about: the words by which the merchant, or the lender, finds it again. */
export interface CallSubject {
  /** The operation that was called. */
  readonly operation: CallName;
  /** The merchant's own reference of the order. */
  readonly referenceId?: string;
  /** The key that every attempt carried. */
  readonly idempotencyKey?: string;
  /** The lender's code of the receipt. */
  readonly lenderTransactionCode?: string;
  /** The ID of the lender's notification. */
  readonly requestId?: string;
}

/** Where a request went, without its query. */
export interface RequestTarget {
  /** Always `POST`. */
  readonly method: 'POST';
  /** Host, and port where it is not the scheme's own: `pay.example`, `localhost:4010`. */
  readonly host: string;
  /** Path with the base URL's prefix, without a query. */
  readonly path: string;
}

/** How a call went: what it was about, where it went, and every attempt. */
export interface CallMetadata extends CallSubject {
  /** Where the request went, or would have gone; absent for input that was refused. */
  readonly request?: RequestTarget;
  /** HTTP status of the last answer, if there was one. */
  readonly httpStatus?: number;
  /** Every attempt, in order; empty when none was made. */
  readonly attempts: readonly Attempt[];
}

/** The metadata of a call that ended in a result. */
export interface ResultMetadata extends CallMetadata {
  /** HTTP status of the answer that had the result. */
  readonly httpStatus: number;
}

/** What a result has beside its fields: hidden from JSON and from loops over it. */
export interface WithMetadata {
  /** How the call went: HTTP status, idempotency key, every attempt. Not enumerable. */
  readonly $metadata: ResultMetadata;
}
