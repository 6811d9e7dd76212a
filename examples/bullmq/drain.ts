/** Ends a worker for a deployment: calls under way get time to finish, and what still waits goes back to the queue. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Worker } from 'bullmq';

export async function drain(worker: Worker, graceMs = 8_000): Promise<void> {
  const closed = worker.close(); // takes no more jobs
  await Promise.race([closed, wait(graceMs, undefined, { ref: false })]);
  // Ends waits and calls at once. A job that was not sent, or was refused for now, is tried again by another worker.
  worker.cancelAllJobs();
  await closed;
}
