import type { Endpoint, Operation } from '../protocol/endpoints.js';
import type { AnyResultStatus, Outcome } from '../protocol/result-statuses.js';

/**
 * How far an attempt came:
 *
 * - `'connecting'`: there was no secured connection yet. Nothing of the request was sent.
 * - `'sending'`: the request was being sent.
 * - `'waiting'`: the request was sent, and no response had begun.
 * - `'receiving'`: a response had begun.
 * - `'complete'`: the response had ended.
 */
export type Phase = 'connecting' | 'sending' | 'waiting' | 'receiving' | 'complete';

/** One attempt to send the request of a call. */
export interface Attempt {
  /** Start of the attempt, by the clock `now`. */
  readonly startedAt: Date;
  /** Milliseconds, by a monotonic clock. */
  readonly durationMs: number;
  /** The Request-Time header of this attempt; '' for a lender's notification, which has none. */
  readonly requestTime: string;
  /** The outcome of this attempt alone. */
  readonly outcome: Outcome;
  /** How far it came; absent if the transport cannot tell, as with an injected `fetch`. */
  readonly phase?: Phase;
  /** HTTP status of the response, if there was one. */
  readonly httpStatus?: number;
  /** As the service sent it, documented or not, if it is a word. */
  readonly resultStatus?: AnyResultStatus;
  /** Short description of the failure, such as `ECONNRESET (read)`. */
  readonly error?: string;
}

/** An attempt in JSON: its time is ISO 8601 text. */
export type AttemptJSON = Omit<Attempt, 'startedAt'> & { readonly startedAt: string };

/**
 * The next step after a failed call:
 *
 * - `'fix'`: nothing was sent, and the same call fails again. Correct what the error names.
 * - `'call_again'`: nothing was sent, or the service refused for now. Call again later, after `retryAfterMs` if it is given.
 * - `'refused'`: the service refused. `action` has the advice for its status.
 * - `'repeat'`: unknown. Send the same request again with `mayHaveBeenSent: true`.
 * - `'look_up'`: unknown, and a retry would not tell or could act twice. Look it up at the service.
 */
export type NextStep = 'fix' | 'call_again' | 'refused' | 'repeat' | 'look_up';

/** The name of a call: an operation, or `post`. */
export type CallName = Operation | 'post';

/** The identifiers of a call, by which the merchant or the lender finds it. */
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
  /** HTTP method. */
  readonly method: Endpoint['method'];
  /** Host, with the port if it is not the default: `pay.example`, `localhost:4010`. */
  readonly host: string;
  /** Path with the base URL's prefix, without a query. */
  readonly path: string;
}

/** The identifiers of a call, the target of its request, and every attempt. */
export interface CallMetadata extends CallSubject {
  /** Where the request was sent, or would have been; absent if the input was refused. */
  readonly request?: RequestTarget;
  /** HTTP status of the last response, if there was one. */
  readonly httpStatus?: number;
  /**
   * Headers of the last response, if there was one: at most 50, names in lower case, repeated values joined by `, `, each cut
   * at 1 KiB. Not enumerable. A request ID of the service belongs into a ticket.
   */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** Every attempt, in order; may be empty. */
  readonly attempts: readonly Attempt[];
}

/** The metadata of a result, which JSON and loops over the fields do not show. */
export interface WithMetadata {
  /** HTTP status, idempotency key, every attempt. Not enumerable. */
  readonly $metadata: CallMetadata & {
    /** HTTP status of the response with the result. */
    readonly httpStatus: number;
  };
}

/** The metadata of a call that ended in a result. */
export type ResultMetadata = WithMetadata['$metadata'];
