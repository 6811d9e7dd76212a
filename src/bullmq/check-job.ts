import { backoffType } from '../queue/create-job.js';
import { JobFailure } from '../queue/job-failure.js';
import { hasMethods, readProperty } from '../values/untrusted-values.js';
import { isForgottenOnFailure, replicatedClientOf } from './job-store.js';
import type { ProcessedJob } from './job-types.js';
import { optionsOf } from './worker-options.js';

/** Refuses a worker or a job that could not be ended honestly, before anything is sent. */
export async function checkJob(job: ProcessedJob, replicas: number | undefined): Promise<void> {
  const problem = problemOf(job);
  if (problem !== undefined) throw new JobFailure('CONFIGURATION', problem, { isFinal: true });
  if (replicas === undefined) return;
  const found = await replicatedClientOf(job).catch((cause: unknown) => {
    throw new JobFailure('LOCK_LOST', 'the queue did not respond. Nothing was sent.', { cause });
  });
  if (found !== undefined) return;
  const client =
    'replicas needs a worker whose connection is an ioredis client of one Redis: another client, or a Cluster, does not ' +
    'say what its own connection has replicated';
  throw new JobFailure('CONFIGURATION', client, { isFinal: true });
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
  if (isForgottenOnFailure(job)) {
    return (
      `the job would be removed when it fails (removeOnFail), and with it that ${job.name} may have been sent: keep ` +
      'failed jobs'
    );
  }
  const options = optionsOf(job);
  if (options === undefined || readProperty(backoff, 'type') !== backoffType) return undefined;
  // Without the strategy BullMQ could not fail a job that is tried again, and the job would be stuck.
  return hasMethods(readProperty(options, 'settings'), ['backoffStrategy'])
    ? undefined
    : 'the worker has no settings.backoffStrategy: spread workerOptions into its options';
}
