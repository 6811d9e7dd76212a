import type { CallSubject, RequestTarget } from '../errors/call-metadata.js';
import type { InstallmentError } from '../errors/installment-error.js';
import type { RetryPolicy } from '../protocol/endpoints.js';
import type { AttemptResult } from './failures.js';
import type { WireRequest, WireResponse } from './transport.js';

/**
 * The body and headers that all attempts of a call have in common. Each attempt adds its Request-Time and, if the
 * secret key is a function, its Signature. If the secret key is a string, `headers` contains the Signature already.
 */
export type FrozenRequest = Omit<WireRequest, 'method' | 'url'>;

/**
 * Runs work that a call does before or between its attempts, such as reading a file. The total time limit and the
 * signal of the call can end this work.
 */
export interface WorkRunner {
  /**
   * Runs work, at most until the call times out or is aborted. `toError` converts an error of the work. The message of
   * a time-out names the `unfinishedWork`.
   */
  within<T>(
    work: (signal: AbortSignal) => Promise<T>,
    toError: (error: unknown) => InstallmentError,
    unfinishedWork: string,
  ): Promise<T>;
  /** Calls a function of the caller, such as `beforeSend`. `name` is the name of the option. */
  callFunction<T>(name: string, given: () => T | Promise<T>): Promise<T>;
}

/** A signature, or, if the secret key is a function, a function that makes a signature for each attempt. */
export type Signature = string | (() => Promise<string>);

/** A call: the request, its limits, and a function that judges the response. */
export interface Call<T> {
  readonly subject: CallSubject;
  readonly url: URL;
  readonly target: RequestTarget;
  readonly policy: RetryPolicy;
  /** True if the caller said that the same request may have been sent before this call. */
  readonly mayHaveBeenSent: boolean;
  readonly limits: {
    readonly attemptTimeoutMs: number;
    readonly totalTimeoutMs: number;
    readonly maxRetries: number;
    readonly signal?: AbortSignal | undefined;
    /** No attempt begins once this time has passed on the clock of the machine or on the monotonic clock. */
    readonly sendBefore?: Date | undefined;
  };
  /** The request, or a function that makes the request after it has read a file or called a function of the caller. */
  readonly request: FrozenRequest | ((runner: WorkRunner) => Promise<FrozenRequest>);
  /** The offset of Request-Time in minutes east of UTC. Without an offset, the header is not sent. */
  readonly requestTimeOffset?: number | undefined;
  /**
   * The signature of every attempt, or a function that makes a signature for each attempt; absent in a lender's call.
   */
  readonly signature?: Signature | undefined;
  readonly judge: (response: WireResponse) => AttemptResult<T>;
}
