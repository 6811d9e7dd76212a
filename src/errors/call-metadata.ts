import type { Endpoint, Operation } from '../protocol/endpoints.js';
import type { AnyResultStatus, Outcome } from '../protocol/result-statuses.js';

/**
 * How far an attempt got:
 *
 * - `'connecting'`: nothing of the request had been written. Usually, the connection or its TLS handshake was not
 *   complete yet. With a custom `fetch`, the headers can have been sent, but no byte of the body.
 * - `'sending'`: the request was being sent.
 * - `'waiting'`: the request was sent, and no response had begun.
 * - `'receiving'`: a response had begun.
 * - `'complete'`: the response had ended.
 */
export type Phase = 'connecting' | 'sending' | 'waiting' | 'receiving' | 'complete';

/** One attempt to send the request of a call. */
export interface Attempt {
  /** The start of the attempt, by the clock in the option `now`. */
  readonly startedAt: Date;
  /** The duration in milliseconds, by a monotonic clock. */
  readonly durationMs: number;
  /** The Request-Time header of this attempt; '' for a lender's call, which does not send this header. */
  readonly requestTime: string;
  /** The outcome of this attempt alone. */
  readonly outcome: Outcome;
  /**
   * How far the attempt got; absent if the transport does not report it. A custom `fetch` reports `'connecting'`,
   * `'receiving'` and `'complete'`, but nothing in between.
   */
  readonly phase?: Phase;
  /** The HTTP status of the response, if there was one. */
  readonly httpStatus?: number;
  /** The result status as the service sent it, documented or not, if it consists of letters, `_` and `-`. */
  readonly resultStatus?: AnyResultStatus;
  /** A short description of the failure, such as `ECONNRESET (read)`. */
  readonly error?: string;
}

/** An attempt in JSON: its time is ISO 8601 text. */
export type AttemptJSON = Omit<Attempt, 'startedAt'> & { readonly startedAt: string };

/**
 * The next step after a failed call:
 *
 * - `'fix'`: nothing was sent, and the same call would fail again. Correct the mistake that the error names.
 * - `'call_again'`: the service has not acted on this call, because nothing was sent or the service refused the request
 *   for now. Call again later; if `retryAfterMs` is present, wait at least that long. Pass `mayHaveBeenSent: true` only
 *   if you sent the same request in an earlier call whose outcome is unknown.
 * - `'refused'`: the service refused the request. `action` contains the advice for its status.
 * - `'repeat'`: the outcome of this call or of an earlier call is unknown, and a retry can settle it. Send exactly the
 *   same request again, with `mayHaveBeenSent: true`.
 * - `'look_up'`: the outcome of this call or of an earlier call is unknown, and a retry could not settle it, or could
 *   make the service act twice. Look the payment up at the provider.
 */
export type NextStep = 'fix' | 'call_again' | 'refused' | 'repeat' | 'look_up';

/** The name of a call: an operation, or `post`. */
export type CallName = Operation | 'post';

/** The identifiers of a call, which the merchant or the lender knows. */
export interface CallSubject {
  /** The operation that was called. */
  readonly operation: CallName;
  /** The merchant's `referenceId` of the payment. */
  readonly referenceId?: string;
  /** The idempotency key of every attempt. */
  readonly idempotencyKey?: string;
  /** The lender's code of the receipt. */
  readonly lenderTransactionCode?: string;
  /** The ID of the lender's notification. */
  readonly requestId?: string;
}

/** The target of a request, without its query. */
export interface RequestTarget {
  /** The HTTP method. */
  readonly method: Endpoint['method'];
  /** The host, with the port if it is not the default: `pay.example`, `localhost:4010`. */
  readonly host: string;
  /** The path, which begins with the path of the base URL, without a query. */
  readonly path: string;
}

/** The identifiers of a call, the target of its request, and every attempt. */
export interface CallMetadata extends CallSubject {
  /** The target of the request; absent if the input was refused. */
  readonly request?: RequestTarget;
  /** The HTTP status of the last response, if there was one. */
  readonly httpStatus?: number;
  /**
   * The headers of the last response, if there was one: at most 50, with lower-case names. The values of a repeated
   * header are joined by `, `, and each value is cut after 1024 characters. This property is not enumerable. If the
   * service returns a request ID, include it in your support ticket.
   */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** Every attempt, in order; an empty list if the call ended before its first attempt. */
  readonly attempts: readonly Attempt[];
}

/** The metadata of a result. JSON and loops over the fields do not show it. */
export interface WithMetadata {
  /** The HTTP status, the idempotency key and every attempt. This property is not enumerable. */
  readonly $metadata: CallMetadata & {
    /** The HTTP status of the response with the result. */
    readonly httpStatus: number;
  };
}

/** The metadata of a successful call. */
export type ResultMetadata = WithMetadata['$metadata'];
