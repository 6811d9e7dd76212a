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

function numberAt(value: unknown, name: string): number | undefined {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return typeof found === 'number' ? found : undefined;
}

/**
 * The wait before a job is tried again, in milliseconds: doubling from `backoff.delay` of the job to 15 minutes, with
 * jitter, and not shorter than the service asked for, up to a day.
 */
function backoffStrategy(attemptsMade: number, _type?: string, error?: Error, job?: BackedOffJob): number {
  const first = numberAt(job?.opts.backoff, 'delay') ?? firstBackoffMs;
  const wait = Math.min(longestBackoffMs, first * 2 ** (attemptsMade - 1)) * (0.5 + 0.5 * Math.random());
  return Math.round(Math.max(wait, Math.min(longestJobDelayMs, numberAt(error, 'retryAfterMs') ?? 0)));
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
    backoffStrategy,
  },
};
