import { describe, expect, test } from 'vitest';
import { enqueue, type JobQueue } from '../../src/bullmq/enqueue.js';
import { newJob } from '../queue/jobs.js';

/** A queue with one job in it, or none. */
function queueWith(state = 'unknown') {
  const added: unknown[] = [];
  const queue: JobQueue = {
    add: (_name, data, opts) => Promise.resolve(added.push({ data, id: opts.jobId })),
    getJobState: () => Promise.resolve(state),
  };
  return { queue, added };
}

const job = newJob('initiatePayment', 'ORDER:1');

describe('enqueue', () => {
  test('adds a new job, whose state is added', async () => {
    const { queue, added } = queueWith();

    expect(await enqueue(queue, job)).toEqual({
      id: expect.stringMatching(/^initiatePayment\.ORDER%3A1\./) as unknown,
      state: 'added',
    });
    expect(added).toHaveLength(1);
  });

  test.each([
    ['waiting', 'waiting'],
    ['waiting', 'paused'],
    ['waiting', 'prioritized'],
    ['active', 'active'],
    ['delayed', 'delayed'],
    ['failed', 'failed'],
    ['completed', 'completed'],
  ] as const)('says that a job is %s which BullMQ calls %s, and leaves it so', async (expected, state) => {
    const { queue, added } = queueWith(state);

    expect(await enqueue(queue, job)).toMatchObject({ state: expected });
    expect(added).toEqual([]);
  });

  test('refuses a request that breaks a rule before it asks the queue', async () => {
    const { queue, added } = queueWith();

    await expect(enqueue(queue, newJob('initiatePayment', 'đơn hàng'))).rejects.toMatchObject({
      code: 'VALIDATION',
    });
    expect(added).toEqual([]);
  });
});
