import type { CallSubject, RequestTarget, ResultMetadata } from '../errors/call-metadata.js';
import type { InstallmentError } from '../errors/installment-error.js';
import type { RetryPolicy } from '../protocol/endpoints.js';
import type { AttemptResult } from './attempt-result.js';
import type { WireRequest, WireResponse } from './transport.js';

/** The limits of a call. */
export interface Terms {
  readonly attemptTimeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly maxRetries: number;
  readonly signal?: AbortSignal | undefined;
  /** No attempt begins after it, by the clock of the machine. */
  readonly sendBefore?: Date | undefined;
}

/** The headers and frozen bytes of a call: every attempt sends the same. */
export type FrozenRequest = Omit<WireRequest, 'method' | 'url'>;

/** Work that is done within the terms of a call, while nothing is being sent. */
export interface WithinTerms {
  /** Ends at once with the call's time or signal; `failed` makes the error of work that failed. */
  within<T>(
    work: (signal: AbortSignal) => Promise<T>,
    failed: (error: unknown) => InstallmentError,
  ): Promise<T>;
  /** Asks a function of the caller. */
  ask<T>(hook: string, ask: () => T | Promise<T>): Promise<T>;
}

/** One call: what is sent, under which terms, and how its answer is judged. */
export interface Call<T> {
  readonly subject: CallSubject;
  readonly url: URL;
  readonly target: RequestTarget;
  readonly policy: RetryPolicy;
  /** Whether the same request was sent before this call, by the caller's word. */
  readonly mayHaveBeenSent: boolean;
  readonly terms: Terms;
  /** The request, or how it is made of something that has still to be read or asked. */
  readonly request: FrozenRequest | ((terms: WithinTerms) => Promise<FrozenRequest>);
  /** Offset of Request-Time in minutes east of UTC; without it the header is not sent. */
  readonly requestTimeOffset?: number | undefined;
  /** Makes the Signature of one attempt; absent if the headers have it, or need none. */
  readonly sign?: (() => Promise<string>) | undefined;
  readonly judge: (response: WireResponse) => AttemptResult<T>;
}

/** A result, and how it came about. */
export interface Completed<T> {
  readonly value: T;
  readonly metadata: ResultMetadata;
}
