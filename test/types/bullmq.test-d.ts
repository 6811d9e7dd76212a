import { Queue, Worker, type Job, type Processor } from 'bullmq';
import * as lowest from 'bullmq-lowest';
import { describe, expectTypeOf, test } from 'vitest';
import {
  createJob,
  createProcessor,
  enqueue,
  jobOutcome,
  workerOptions,
  type JobProcessor,
  type NewJob,
} from '../../src/bullmq/index.js';
import { samplePaymentRequest } from '../../src/mock/index.js';

const request = samplePaymentRequest();

describe('bullmq', () => {
  test('takes the processor, the options and the jobs, without a cast', () => {
    expectTypeOf<JobProcessor>().toExtend<Processor>();
    const connection = { port: 6379 };
    const { name, data, opts } = createJob({ operation: 'initiatePayment', request });
    void new Queue('payments', { connection }).add(name, data, opts);
    const worker: Worker = new Worker('payments', createProcessor({}), { connection, ...workerOptions });
    expectTypeOf(worker).toEqualTypeOf<Worker>();
    expectTypeOf<Job>().toExtend<Parameters<typeof jobOutcome>[0]>();
    void enqueue(new Queue('payments', { connection }), { operation: 'initiatePayment', request });
  });

  test('takes the queue and worker of the lowest version that is promised too', () => {
    const connection = { port: 6379 };
    const queue = new lowest.Queue('payments', { connection });
    const { name, data, opts } = createJob({ operation: 'initiatePayment', request });
    void queue.add(name, data, opts);
    void enqueue(queue, { operation: 'initiatePayment', request, account: 'shop-1' });
    new lowest.Worker('payments', createProcessor({}), { connection, ...workerOptions });
    expectTypeOf<lowest.Job>().toExtend<Parameters<typeof jobOutcome>[0]>();
  });

  test('functions of the processor get a job whose data was checked', () => {
    createProcessor({
      client: ({ data }) => {
        expectTypeOf(data.account).toEqualTypeOf<unknown>();
        expectTypeOf(data.request).toEqualTypeOf<Record<string, unknown>>();
        return undefined;
      },
    });
  });

  test('a file belongs to an upload, and only what has no key of its own is repeated on request', () => {
    // @ts-expect-error a payment has no file
    createJob({ operation: 'initiatePayment', request, file: 'invoice.pdf' });
    // @ts-expect-error a payment is sent again under the same key anyway
    createJob({ operation: 'initiatePayment', request, repeatUnknown: true });
    // @ts-expect-error the file is beside the request
    createJob({ operation: 'uploadInvoice', request: { referenceId: 'R', file: { path: 'invoice.pdf' } } });
    // @ts-expect-error the request of another operation
    const job: NewJob = { operation: 'paymentReceipt', request };
    expectTypeOf(job).toExtend<NewJob>();
  });
});
