/** Adds jobs. A shop does this in its checkout, in the transaction that stores the order or right after it. */
import type { Queue } from 'bullmq';
import { createJob } from 'installment-payments/bullmq';
import type { PaymentRequest } from 'installment-payments';

export async function pay(queue: Queue, order: PaymentRequest): Promise<string | undefined> {
  const { name, data, opts } = createJob({ operation: 'initiatePayment', request: order });
  return (await queue.add(name, data, opts)).id; // the same order again has the same ID, and is one job
}

export async function sendInvoice(
  queue: Queue,
  referenceId: string,
  file: string,
): Promise<string | undefined> {
  const { name, data, opts } = createJob({ operation: 'uploadInvoice', request: { referenceId }, file });
  return (await queue.add(name, data, opts)).id;
}
