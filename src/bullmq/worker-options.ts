import { jobOptions } from '../queue/job-types.js';
import { numberAt } from '../values/untrusted-values.js';
import type { ProcessedJob } from './job-store.js';

const longestBackoffMs = 15 * 60_000;
/** A service that asks for a longer wait is asked again after this one. */
const longestJobDelayMs = 24 * 60 * 60_000;

/** It doubles from the job's `backoff.delay` up to 15 minutes, with jitter. If the service asked for more, that counts. */
export function backoffWith(random: () => number) {
  return (attemptsMade: number, _type?: string, error?: Error, job?: Pick<ProcessedJob, 'opts'>): number => {
    const first = numberAt(job?.opts.backoff, 'delay') ?? jobOptions.backoff.delay;
    const wait = Math.min(longestBackoffMs, first * 2 ** (attemptsMade - 1)) * (0.5 + 0.5 * random());
    return Math.round(Math.max(wait, Math.min(longestJobDelayMs, numberAt(error, 'retryAfterMs') ?? 0)));
  };
}

/**
 * Options that a worker needs for the processor: spread them into BullMQ's own. If your worker has a back-off strategy of
 * its own, call this one for jobs whose type is `'installment-payments'`.
 *
 * @example
 * ```ts
 * import { InstallmentClient } from 'installment-payments';
 * import { createProcessor, workerOptions } from 'installment-payments/bullmq';
 * import { Worker } from 'bullmq';
 *
 * const process = createProcessor({ client: new InstallmentClient() });
 * const worker = new Worker('payments', process, { connection: { port: 6379 }, ...workerOptions, concurrency: 20 });
 * ```
 */
export const workerOptions = {
  /** How often a job may lose its worker. BullMQ's default of 1 fails a job that two deployments interrupted. */
  maxStalledCount: 100,
  settings: {
    /** The wait before a job is tried again, in milliseconds: at least as long as the service asked for, up to a day. */
    backoffStrategy: backoffWith(() => Math.random()),
  },
};
