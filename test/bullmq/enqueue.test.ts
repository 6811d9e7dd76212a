import { describe, expect, test } from 'vitest';
import { enqueue, type JobQueue } from '../../src/bullmq/enqueue.js';
import { newJob } from '../queue/jobs.js';

/** A queue with one job in it, or none. `raced`: another process adds the job between the look and the add. */
function queueWith({ state, raced }: { readonly state?: string; readonly raced?: string } = {}) {
  const added: unknown[] = [];
  let stored = state === undefined ? undefined : { state, timestamp: 1 };
  const queue: JobQueue = {
    add(_name, data, opts) {
      added.push({ data, id: opts.jobId });
      if (raced !== undefined) stored = { state: raced, timestamp: 1 };
      stored ??= { state: 'waiting', timestamp: 2 };
      return Promise.resolve({ timestamp: 2 });
    },
    getJob: () => Promise.resolve(stored),
    getJobState: () => Promise.resolve(stored?.state ?? 'unknown'),
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
    const { queue, added } = queueWith({ state });

    expect(await enqueue(queue, job)).toMatchObject({ state: expected });
    expect(added).toEqual([]);
  });

  test('says in which state a job is that another process has added in the meantime', async () => {
    const { queue } = queueWith({ raced: 'active' });

    expect(await enqueue(queue, job)).toMatchObject({ state: 'active' });
  });

  test('says that a job was added which another process has added, and which was run and removed', async () => {
    const { queue } = queueWith({ raced: 'unknown' });

    expect(await enqueue(queue, job)).toMatchObject({ state: 'added' });
  });

  test('refuses a request that breaks a rule before it asks the queue', async () => {
    const { queue, added } = queueWith();

    await expect(enqueue(queue, newJob('initiatePayment', 'đơn hàng'))).rejects.toMatchObject({
      code: 'VALIDATION',
    });
    expect(added).toEqual([]);
  });
});
