import type { CallSubject, ResultMetadata } from '../errors/call-metadata.js';
import type { InstallmentError } from '../errors/errors.js';
import { bounded, type Bounded } from './bounded.js';
import { timedOut } from './judge.js';
import type { Observer } from './observer.js';
import {
  abortedBy,
  abortedError,
  errorOf,
  metadataOf,
  outOfTimeError,
  recordOf,
  type Progress,
} from './progress.js';
import { parseRetryAfter } from './retry-after.js';
import type { RetryBudget } from './retry-budget.js';
import type { Deadline, Runtime } from './runtime.js';
import type { Exchange } from './transport.js';
import { worse, type Accepted, type Failed, type Verdict } from './verdict.js';

/**
 * Whether a repeat can do harm. `'idempotent'`: the service knows the request again, so all that may pass is repeated.
 * `'once'`: it does not, so only what certainly was not acted on is.
 */
export type RetryPolicy = 'idempotent' | 'once';

/** The limits of one call. */
export interface CallLimits {
  readonly attemptTimeoutMs: number;
  readonly maxRetries: number;
  readonly deadline: Deadline;
  readonly signal: AbortSignal | undefined;
}

/** A call that is ready to go: its bytes are frozen, and only time and the network are still to come. */
export interface Call<T> {
  readonly subject: CallSubject;
  readonly policy: RetryPolicy;
  /** The Request-Time that an attempt of this moment carries. */
  readonly requestTime: (startedAt: Date) => string;
  /** Sends the frozen bytes once, with a Request-Time of its own. */
  readonly send: (requestTime: string, signal: AbortSignal) => Promise<Exchange>;
  readonly judge: (exchange: Exchange) => Verdict<T>;
  readonly limits: CallLimits;
}

/** What the calls of one client share. */
export interface Shared {
  readonly runtime: Runtime;
  readonly budget: RetryBudget;
  readonly observer: Observer;
}

const firstBackoffMs = 500;
const longestBackoffMs = 8_000;
const longestRetryAfterMs = 30_000;

/** The wait before retry `index`, from 0: doubling, capped, with jitter so that clients do not march in step. */
export function backoffMs(index: number, random: number): number {
  return Math.min(longestBackoffMs, firstBackoffMs * 2 ** index) * (0.5 + 0.5 * random);
}

function isRetried(failed: Failed, policy: RetryPolicy): boolean {
  return failed.transient && (policy === 'idempotent' || failed.outcome !== 'unknown');
}

/** What the race of an attempt came to. */
function endedAs<T>(result: Bounded<Exchange>, { judge, limits }: Call<T>, ms: number): Verdict<T> {
  switch (result.ended) {
    case 'done':
      return judge(result.value);
    case 'timeout':
      return timedOut(ms);
    case 'aborted':
      return abortedBy(limits.signal);
    case 'failed':
      // Neither the network nor the caller: a fault of this package, which must not pass for a failed connection.
      throw result.error;
  }
}

/** One attempt within its limits: sent, judged, recorded, reported. */
async function attempt<T>(
  call: Call<T>,
  { runtime, observer }: Shared,
  progress: Progress,
): Promise<Verdict<T>> {
  const { limits, subject } = call;
  // A copy: the clock is the caller's, and so may be the Date that it gives.
  const startedAt = new Date(runtime.now());
  const startedMs = runtime.monotonicMs();
  const requestTime = call.requestTime(startedAt);
  const ms = Math.min(limits.attemptTimeoutMs, limits.deadline.left());
  const result = await bounded((signal) => call.send(requestTime, signal), {
    ms,
    signal: limits.signal,
    runtime,
  });
  const verdict = endedAs(result, call, ms);
  const record = recordOf(verdict, startedAt, runtime.monotonicMs() - startedMs, requestTime);
  progress.attempts.push(record);
  if (verdict.outcome !== 'accepted') progress.outcome = worse(progress.outcome, verdict.outcome);
  observer.attempted(record, subject, progress.attempts.length);
  return verdict;
}

const never = () => new Promise<never>(() => undefined);

/** A result, and how it came about. */
export interface Completed<T> {
  readonly value: T;
  readonly metadata: ResultMetadata;
}

/**
 * Sends a call until it succeeds, fails for good, or has used up its retries, its time or the client's budget.
 * One frozen body and one idempotency key serve all attempts.
 */
export async function execute<T>(call: Call<T>, shared: Shared): Promise<Completed<T>> {
  const { limits, subject } = call;
  const { runtime, budget, observer } = shared;
  const progress: Progress = { attempts: [], outcome: 'not_sent' };
  let lastError: () => InstallmentError = () => outOfTimeError(subject, limits.deadline.totalMs);
  let paid = 0;

  for (let retry = 0; ; retry++) {
    if (limits.signal?.aborted) throw abortedError(subject, limits.signal, progress);
    // A timer may wake late: an attempt without time would be recorded as sent, which it never was.
    if (limits.deadline.left() <= 0) throw lastError();
    const verdict = await attempt(call, shared, progress);
    if (verdict.outcome === 'accepted') {
      budget.refund(progress.attempts.length > 1 ? paid : undefined);
      return completed(verdict, subject, progress);
    }
    const retryAfterMs = parseRetryAfter(verdict.retryAfter ?? null, runtime.now());
    lastError = () => errorOf(verdict, subject, progress, retryAfterMs);
    const isOver = limits.signal?.aborted === true || retry >= limits.maxRetries;
    if (isOver || !isRetried(verdict, call.policy)) throw lastError();
    const waitMs = retryAfterMs ?? backoffMs(retry, runtime.random());
    if (waitMs >= limits.deadline.left() || (retryAfterMs ?? 0) > longestRetryAfterMs) throw lastError();
    const cost = budget.take(verdict.httpStatus === 429);
    if (cost === undefined) throw lastError();
    paid += cost;

    observer.waiting(subject, { waitMs, attempt: progress.attempts.length, error: verdict.description });
    await bounded(never, { ms: waitMs, signal: limits.signal, runtime });
  }
}

function completed<T>(verdict: Accepted<T>, subject: CallSubject, progress: Progress): Completed<T> {
  const { httpStatus, value } = verdict;
  return { value, metadata: { ...metadataOf(subject, progress), httpStatus } };
}
