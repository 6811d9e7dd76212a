import { hasMethods, numberAt, readProperty } from '../values/untrusted-values.js';
import { failedRun } from './run-failure.js';
import type { ProcessedJob } from './job-types.js';

/** The name of the strategy in the options of each job. */
export const backoffType = 'installment-payments';

/** The first wait of a job, in milliseconds. */
export const firstBackoffMs = 5_000;

const longestBackoffMs = 15 * 60_000;
/** A service that asks for a longer wait is asked again after this one. */
const longestJobDelayMs = 24 * 60 * 60_000;

interface BackedOffJob {
  readonly opts: { readonly backoff?: unknown };
}

/**
 * The strategy for the wait before a job is tried again, in milliseconds. It doubles from the job's `backoff.delay` up to
 * 15 minutes, with jitter from `random`. If the service asked for a longer wait, that is kept, up to a day.
 */
export function backoffWith(random: () => number) {
  return (attemptsMade: number, _type?: string, error?: Error, job?: BackedOffJob): number => {
    const first = numberAt(job?.opts.backoff, 'delay') ?? firstBackoffMs;
    const wait = Math.min(longestBackoffMs, first * 2 ** (attemptsMade - 1)) * (0.5 + 0.5 * random());
    return Math.round(Math.max(wait, Math.min(longestJobDelayMs, numberAt(error, 'retryAfterMs') ?? 0)));
  };
}

/**
 * Options that a worker needs for the processor: spread them into BullMQ's own.
 *
 * - `maxStalledCount` is large: a job whose worker was killed is processed again. BullMQ's default of 1 would fail a job
 *   that two deployments interrupted.
 * - `settings.backoffStrategy` waits as long as the service asked for. If your worker has a strategy of its own, call
 *   this one for jobs whose type is `'installment-payments'`.
 *
 * @example
 * ```ts
 * import { InstallmentClient } from 'installment-payments';
 * import { createProcessor, workerOptions } from 'installment-payments/bullmq';
 * import { Worker } from 'bullmq';
 *
 * const client = new InstallmentClient();
 * const connection = { host: '127.0.0.1', port: 6379 };
 * const worker = new Worker('payments', createProcessor({ client }), { connection, ...workerOptions, concurrency: 20 });
 * ```
 */
export const workerOptions = {
  /** How often a job may lose its worker before BullMQ fails it. */
  maxStalledCount: 100,
  /** Has the strategy by which jobs are tried again. */
  settings: {
    /** The wait before a job is tried again, in milliseconds. */
    backoffStrategy: backoffWith(() => Math.random()),
  },
};

/** The options of the worker that runs a job. BullMQ's types hide them, and a job of another make has none. */
export function optionsOf(job: ProcessedJob): unknown {
  return readProperty(readProperty(job, 'queue'), 'opts');
}

/** Refuses a worker or a job that could not be ended honestly, before anything is sent. */
export function checkWorker(job: ProcessedJob): void {
  const problem = problemOf(job);
  if (problem !== undefined) throw failedRun('CONFIGURATION', problem, { isRetried: false });
}

function problemOf(job: ProcessedJob): string | undefined {
  // BullMQ hands a sandboxed process a plain copy of the job.
  if (typeof Reflect.get(job, 'extendLock') !== 'function') {
    return (
      'the processor runs in a sandboxed process, where it cannot confirm its lock. Pass it to the Worker as a ' +
      'function, new Worker(name, createProcessor(…)), and run more worker processes instead'
    );
  }
  const { backoff, repeat } = job.opts;
  if (repeat !== undefined && repeat !== null) {
    return 'the job was made by a scheduler, which would send the same request again and again: add it with enqueue';
  }
  const options = optionsOf(job);
  if (options === undefined || readProperty(backoff, 'type') !== backoffType) return undefined;
  // Without the strategy BullMQ could not fail a job that is tried again, and the job would be stuck.
  return hasMethods(readProperty(options, 'settings'), ['backoffStrategy'])
    ? undefined
    : 'the worker has no settings.backoffStrategy: spread workerOptions into its options';
}
