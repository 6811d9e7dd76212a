/** A checkout commits the order, then adds its job. The process may die between the two. */
import type { Queue } from 'bullmq';
import type { PaymentRequest } from 'installment-payments';
import { enqueue, type EnqueuedJob } from 'installment-payments/bullmq';
import type { Pool } from 'pg';
import { storeOrder } from './orders.js';

export async function placeOrder(
  database: Pool,
  queue: Queue,
  request: PaymentRequest,
): Promise<EnqueuedJob> {
  await storeOrder(database, request);
  return enqueue(queue, { operation: 'initiatePayment', request });
}
