import { describe, expect, test } from 'vitest';
import { OrderError, retryConflicts } from '../../src/entries/orders.js';
import { conflicts } from './driver-errors.js';

/** Work that rejects with an error so many times before it resolves. */
function failing(error: Error, times: number) {
  const count = { runs: 0 };
  const work = () => {
    count.runs += 1;
    return count.runs <= times ? Promise.reject(error) : Promise.resolve('committed');
  };
  return { count, work };
}

describe('retryConflicts', () => {
  test.each(Object.entries(conflicts))(
    'runs a transaction again after a conflict in a statement or at the commit: %s',
    async (_name, [error]) => {
      const { count, work } = failing(error, 2);
      expect(await retryConflicts(work)).toBe('committed');
      expect(count.runs).toBe(3);
    },
  );

  test('runs a transaction again after a CONFLICT of an OrderError, also inside the error of an ORM or of the shop', async () => {
    const conflict = new OrderError('CONFLICT', 'run it again');
    const wrapped = new Error('checkout failed', {
      cause: new Error('in a transaction', { cause: conflict }),
    });
    for (const error of [conflict, wrapped]) {
      const { count, work } = failing(error, 1);
      expect(await retryConflicts(work)).toBe('committed');
      expect(count.runs).toBe(2);
    }
  });

  test('gives up after five further runs, with the last error', async () => {
    const conflict = new OrderError('CONFLICT', 'run it again');
    const { count, work } = failing(conflict, Infinity);
    await expect(retryConflicts(work)).rejects.toBe(conflict);
    expect(count.runs).toBe(6);
  });

  test.each([
    new Error('no stock'),
    new OrderError('STORAGE', 'down'),
    Object.assign(new Error('duplicate'), { code: '23505' }),
    Object.assign(new Error('taken'), { code: 'CONFLICT' }),
    undefined as never,
  ])('rejects at once with an error that is not a conflict: %s', async (error) => {
    const { count, work } = failing(error, Infinity);
    await expect(retryConflicts(work)).rejects.toBe(error);
    expect(count.runs).toBe(1);
  });

  test('rejects with an error that contains itself', async () => {
    const error = new Error('loop');
    error.cause = error;
    await expect(retryConflicts(failing(error, 1).work)).rejects.toBe(error);
  });

  test('refuses a promise in place of a function, because it cannot run again', async () => {
    await expect(retryConflicts(Promise.resolve() as never)).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message: expect.stringContaining('work must be a function that runs the transaction') as string,
    });
  });
});
