/** A checkout commits the order, then adds its job. The process may die between the two. */
import type { Queue } from 'bullmq';
import type { PaymentRequest } from 'installment-payments';
import { enqueue, type EnqueuedJob } from 'installment-payments/bullmq';
import type { Pool } from 'pg';
import { storeOrder, type End } from './orders.js';

export async function placeOrder(
  database: Pool,
  queue: Queue,
  request: PaymentRequest,
): Promise<{ readonly state: EnqueuedJob['state'] | End }> {
  const { request: stored, isNew, end } = await storeOrder(database, request);
  // Redis has forgotten the job of a payment that ended long ago.
  if (end) return { state: end };
  // Of an order that is placed again, the job may have been run, and lost.
  return enqueue(queue, { operation: 'initiatePayment', request: stored, mayHaveBeenSent: !isNew });
}
