import type { CallSubject, RequestTarget } from '../errors/call-metadata.js';
import type { InstallmentError } from '../errors/installment-error.js';
import type { RetryPolicy } from '../protocol/endpoints.js';
import type { AttemptResult } from './failures.js';
import type { WireRequest, WireResponse } from './transport.js';

/** The headers and frozen bytes of a call: every attempt sends the same. */
export type FrozenRequest = Omit<WireRequest, 'method' | 'url'>;

/** Work that is done within the limits of a call, while nothing is being sent. */
export interface WithinLimits {
  /**
   * Runs work until the call times out or is aborted. `toError` converts an error of the work. `still` names the unfinished work
   * in the message of a time-out.
   */
  within<T>(
    work: (signal: AbortSignal) => Promise<T>,
    toError: (error: unknown) => InstallmentError,
    still: string,
  ): Promise<T>;
  /** Asks a function of the caller. */
  ask<T>(hook: string, ask: () => T | Promise<T>): Promise<T>;
}

/** A signature of frozen bytes. With a function as the secret key, each attempt makes its own. */
export type Signature = string | (() => Promise<string>);

/** One call: what is sent, within which limits, and how its response is judged. */
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
    /** No attempt begins after it, by the clock of the machine. */
    readonly sendBefore?: Date | undefined;
  };
  /** The request, or how it is made of something that has still to be read or asked. */
  readonly request: FrozenRequest | ((limits: WithinLimits) => Promise<FrozenRequest>);
  /** Offset of Request-Time in minutes east of UTC; without it the header is not sent. */
  readonly requestTimeOffset?: number | undefined;
  /** Of every attempt, or made for each one; absent for a lender's call. */
  readonly signature?: Signature | undefined;
  readonly judge: (response: WireResponse) => AttemptResult<T>;
}
