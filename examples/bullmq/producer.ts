/** Enqueues payments and invoices. A shop does this after its order is committed: see `examples/outbox`. */
import type { Queue } from 'bullmq';
import { enqueue, type EnqueuedJob } from 'installment-payments/bullmq';
import type { PaymentRequest } from 'installment-payments';

/** The same order of the same account again has the same ID, and is one job. */
export function pay(queue: Queue, account: string, order: PaymentRequest): Promise<EnqueuedJob> {
  return enqueue(queue, { operation: 'initiatePayment', request: order, account });
}

export function sendInvoice(
  queue: Queue,
  account: string,
  referenceId: string,
  file: string,
): Promise<EnqueuedJob> {
  return enqueue(queue, { operation: 'uploadInvoice', request: { referenceId }, file, account });
}
