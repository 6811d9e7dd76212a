import { callerSignal, type CallerSignal } from './caller-signal.js';
import type { Runtime } from './runtime.js';

export interface Limits {
  readonly attemptTimeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly maxRetries: number;
  /** Whether a request may be repeated after an attempt with an unknown outcome. */
  readonly repeatUnknown: boolean;
}

export interface CallLimits extends Limits {
  readonly signal: CallerSignal | undefined;
  /** Milliseconds left of the whole call, 0 or more. */
  readonly leftMs: () => number;
}

export type LimitOptions = { readonly [Name in keyof Limits]?: Limits[Name] | undefined } & {
  readonly signal?: AbortSignal | undefined;
};

export function startLimits(options: LimitOptions, defaults: Limits, runtime: Runtime): CallLimits {
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
