import { isRecord } from '../protocol/records.js';
import type { ProcessedJob } from './job-types.js';
import { notSent } from './run-failure.js';
import { backoffType } from './worker-options.js';

/** The options of the worker that runs a job. BullMQ's types hide them, and a job of another make has none. */
function workerOptionsOf(job: ProcessedJob): Record<string, unknown> | undefined {
  const queue: unknown = Reflect.get(job, 'queue');
  return isRecord(queue) && isRecord(queue['opts']) ? queue['opts'] : undefined;
}

/** Without the strategy BullMQ could not fail a job that is tried again, and the job would be stuck. */
export function checkWorker(job: ProcessedJob): void {
  const options = workerOptionsOf(job);
  const { backoff } = job.opts;
  if (options === undefined || !isRecord(backoff) || backoff['type'] !== backoffType) return;
  const { settings } = options;
  if (isRecord(settings) && typeof settings['backoffStrategy'] === 'function') return;
  const message = 'the worker has no settings.backoffStrategy: spread workerOptions into its options';
  throw notSent('CONFIGURATION', message, { isRetried: false });
}

/** BullMQ's own default. */
const defaultLockDurationMs = 30_000;

const unconfirmed = (cause: unknown) =>
  notSent('LOCK_LOST', 'the queue did not answer. Nothing was sent.', { cause });

/** Writes down that the run is about to send. */
export async function writeMarker(job: ProcessedJob, marker: string): Promise<void> {
  try {
    await job.updateProgress({ marker });
  } catch (cause) {
    throw unconfirmed(cause);
  }
}

/** Makes sure that no other worker has the job, for as long as the worker's own renewals do. */
export async function confirmLock(job: ProcessedJob, token: string | undefined): Promise<void> {
  const duration = workerOptionsOf(job)?.['lockDuration'];
  const durationMs = typeof duration === 'number' ? duration : defaultLockDurationMs;
  let isLocked: boolean;
  try {
    isLocked = token !== undefined && (await job.extendLock(token, durationMs)) === 1;
  } catch (cause) {
    throw unconfirmed(cause);
  }
  if (!isLocked) throw notSent('LOCK_LOST', 'another worker may have the job. Nothing was sent.');
}
