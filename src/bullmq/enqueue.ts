import { createJob } from '../queue/create-job.js';
import type { JobArguments, JobData, NewJob } from '../queue/job-types.js';

/** The part of BullMQ's `Queue` that {@link enqueue} uses. */
export interface JobQueue {
  /** Adds a job, or finds the one that has its ID. */
  add(name: string, data: JobData, opts: JobArguments['opts']): Promise<unknown>;
  /** The state of a job; `'unknown'` if it does not exist. */
  getJobState(jobId: string): Promise<string>;
}

const states = ['active', 'delayed', 'failed', 'completed'] as const;

/** A job that was enqueued, and the state that it was found in. */
export interface EnqueuedJob {
  /** The ID of the job, for `queue.getJob`. */
  readonly id: string;
  /**
   * `'added'` for a new job, else the state of the one that was there. `'waiting'` covers paused and prioritised jobs. A
   * `'failed'` job stays failed: look at its outcome, then retry it by `job.retry()` or remove it.
   */
  readonly state: 'added' | 'waiting' | (typeof states)[number];
}

/**
 * Makes a job of a request and adds it, and tells what became of it: BullMQ's `queue.add` alone resolves in the same way
 * for a new job and for one that has failed long ago, which it does not run. The same request is the same job.
 *
 * @example
 * ```ts
 * import type { PaymentRequest } from 'installment-payments';
 * import { enqueue } from 'installment-payments/bullmq';
 * import type { Queue } from 'bullmq';
 *
 * export async function pay(queue: Queue, request: PaymentRequest): Promise<void> {
 *   const { id, state } = await enqueue(queue, { operation: 'initiatePayment', request });
 *   if (state === 'failed') console.warn(`${id}: a person has to look at it`);
 * }
 * ```
 * @param queue - A BullMQ `Queue`.
 * @param job - The argument of {@link createJob}.
 * @returns The job's ID and state. Of two processes that add the same job at the same moment, both may be told
 * `'added'`; it is one job.
 * @throws ValidationError for a request that breaks a rule, ConfigurationError for an unknown operation or option, and
 * whatever the queue rejects with.
 */
export async function enqueue(queue: JobQueue, job: NewJob): Promise<EnqueuedJob> {
  const { id, name, data, opts } = createJob(job);
  const before = await queue.getJobState(id);
  if (before !== 'unknown') return { id, state: states.find((each) => each === before) ?? 'waiting' };
  await queue.add(name, data, opts);
  return { id, state: 'added' };
}
