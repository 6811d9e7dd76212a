/** A worker sends the payment, and stores its end before the job ends. */
import type { Payment } from 'installment-payments';
import type { JobData, JobProcessor } from 'installment-payments/bullmq';
import type { Pool } from 'pg';
import { forgetEnd, storeEnd } from './orders.js';

/** @param send - What `createProcessor` made. */
export function orderProcessor(database: Pool, send: JobProcessor): JobProcessor {
  return async (job, token, signal) => {
    const reference = String((job.data as JobData).request['referenceId']);
    // The end of a failed job that a person retries: 'not_sent' is wrong once it is sent. The sweeper stores the new one.
    await forgetEnd(database, reference);
    // A run that was killed after this line is followed by one that gets the same answer and sends nothing.
    const done = await send(job, token, signal);
    await storeEnd(database, reference, 'accepted', (done.result as Payment).paymentUrl);
    return done;
  };
}
