import type { CallSubject, RequestTarget, ResultMetadata } from '../errors/call-metadata.js';
import type { RetryPolicy } from '../protocol/endpoints.js';
import type { AttemptResult } from './attempt-result.js';
import { callerSignal, type CallerSignal } from './caller-signal.js';
import type { Runtime } from './runtime.js';
import { targetOf, type WireRequest, type WireResponse } from './transport.js';

/** The facts of a call for its errors and records. */
export interface CallDescription {
  readonly subject: CallSubject;
  readonly target: RequestTarget;
  readonly policy: RetryPolicy;
  /** Whether the same request was sent before this call, by the caller's word. */
  readonly mayHaveBeenSent?: boolean | undefined;
}

export interface Terms {
  readonly attemptTimeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly maxRetries: number;
  /** Whether a request may be repeated after an attempt with an unknown outcome. */
  readonly repeatUnknown: boolean;
}

export interface CallTerms extends Terms {
  readonly signal: CallerSignal | undefined;
  /** Milliseconds left of the whole call, 0 or more. */
  readonly leftMs: () => number;
}

export type TermOptions = { readonly [Name in keyof Terms]?: Terms[Name] | undefined } & {
  readonly signal?: AbortSignal | undefined;
};

export function startTerms(options: TermOptions, defaults: Terms, runtime: Runtime): CallTerms {
  const { signal, totalTimeoutMs = defaults.totalTimeoutMs } = options;
  const startedMs = runtime.monotonicMs();
  return {
    attemptTimeoutMs: options.attemptTimeoutMs ?? defaults.attemptTimeoutMs,
    totalTimeoutMs,
    maxRetries: options.maxRetries ?? defaults.maxRetries,
    repeatUnknown: options.repeatUnknown ?? defaults.repeatUnknown,
    signal: signal && callerSignal(signal),
    leftMs: () => Math.max(0, totalTimeoutMs - (runtime.monotonicMs() - startedMs)),
  };
}

/** A call whose request may still have to be made. */
export interface TimedCall extends CallDescription {
  readonly terms: CallTerms;
}

/** Starts the terms of a call. Without `repeatUnknown` nothing is sent again that may have been acted on. */
export function timedCall(
  { subject, url, policy }: Pick<CallDescription, 'subject' | 'policy'> & { readonly url: URL },
  options: TermOptions & Pick<CallDescription, 'mayHaveBeenSent'>,
  defaults: Terms,
  runtime: Runtime,
): TimedCall {
  const terms = startTerms(options, defaults, runtime);
  return {
    subject: Object.freeze(subject),
    target: targetOf(url),
    policy: terms.repeatUnknown ? policy : 'once',
    mayHaveBeenSent: options.mayHaveBeenSent,
    terms,
  };
}

/** A call that is ready to be sent: its bytes are frozen. */
export interface Call<T> extends TimedCall {
  readonly request: WireRequest;
  /** Offset of Request-Time in minutes east of UTC; without it the header is not sent. */
  readonly requestTimeOffset?: number;
  /** Makes the Signature of one attempt; absent if the headers have it, or need none. */
  readonly sign?: (() => Promise<string>) | undefined;
  readonly processResponse: (response: WireResponse) => AttemptResult<T>;
  /** Texts that errors must not quote. */
  readonly sensitive: () => readonly string[];
}

/** A result, and how it came about. */
export interface Completed<T> {
  readonly value: T;
  readonly metadata: ResultMetadata;
}
