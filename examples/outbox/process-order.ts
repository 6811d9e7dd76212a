/** A worker sends the payment, and stores its end before the job ends. */
import type { InstallmentApi } from 'installment-payments';
import { createProcessor, type JobProcessor } from 'installment-payments/bullmq';
import type { Pool } from 'pg';
import { storeEnd } from './orders.js';

export function orderProcessor(database: Pool, client: InstallmentApi): JobProcessor {
  const send = createProcessor({ client });
  return async (job, token, signal) => {
    // A run that was killed after this line is followed by one that gets the same answer and sends nothing.
    const done = await send(job, token, signal);
    const { referenceId, paymentUrl } = done.result as { referenceId: string; paymentUrl: string };
    await storeEnd(database, referenceId, 'accepted', paymentUrl);
    return done;
  };
}
