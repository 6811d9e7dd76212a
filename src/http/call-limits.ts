import { setMaxListeners } from 'node:events';
import type { Runtime } from './runtime.js';

/** The limits of a call, as a client or a call sets them. */
export interface Limits {
  /** Milliseconds that one attempt may take, the body of the answer included. */
  readonly attemptTimeoutMs: number;
  /** Milliseconds that a whole call may take: attempts, waits, file reading. */
  readonly totalTimeoutMs: number;
  /** How often a request is repeated at most. */
  readonly maxRetries: number;
}

/** The limits of a call whose time is running. */
export interface CallLimits extends Limits {
  readonly signal: AbortSignal | undefined;
  /** Milliseconds left of the whole call, never negative. */
  readonly leftMs: () => number;
}

/** What one call may change of its client's limits. */
export type LimitOptions = { readonly [Name in keyof Limits]?: Limits[Name] | undefined } & {
  readonly signal?: AbortSignal | undefined;
};

/** Starts the time of a call. */
export function startLimits(options: LimitOptions, defaults: Limits, runtime: Runtime): CallLimits {
  const { signal, totalTimeoutMs = defaults.totalTimeoutMs } = options;
  // One signal may end any number of calls, which Node takes for a leak from the eleventh listener on.
  if (signal instanceof EventTarget) setMaxListeners(0, signal);
  const startedMs = runtime.monotonicMs();
  return {
    attemptTimeoutMs: options.attemptTimeoutMs ?? defaults.attemptTimeoutMs,
    totalTimeoutMs,
    maxRetries: options.maxRetries ?? defaults.maxRetries,
    signal,
    leftMs: () => Math.max(0, totalTimeoutMs - (runtime.monotonicMs() - startedMs)),
  };
}
