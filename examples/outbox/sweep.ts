/**
 * Finds orders whose payment has no end and enqueues them again: jobs that were never added, and jobs that Redis has lost.
 * A job that is there is left alone; one that has failed gets an end, for a person to look at. Run it every minute, on as
 * many machines as you like.
 */
import type { Job, Queue } from 'bullmq';
import type { Payment } from 'installment-payments';
import { enqueue, jobOutcome, type JobResult } from 'installment-payments/bullmq';
import type { Pool } from 'pg';
import { openOrders, storeEnd } from './orders.js';

export async function sweep(database: Pool, queue: Queue, olderThanMs = 60_000): Promise<void> {
  for (const { reference, request } of await openOrders(database, olderThanMs)) {
    const { id, state } = await enqueue(queue, {
      operation: 'initiatePayment',
      request,
      mayHaveBeenSent: true, // the job that Redis lost may have sent it
    });
    if (state !== 'failed' && state !== 'completed') continue;
    const job: Job<unknown, JobResult<Payment> | null> | undefined = await queue.getJob(id);
    const outcome = job ? jobOutcome(job) : 'pending';
    if (outcome !== 'pending')
      await storeEnd(database, reference, outcome, job?.returnvalue?.result.paymentUrl);
  }
}
