import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { OrderStorage } from '../../src/orders/storage.js';
import { sweep, type ProcessResult } from '../../src/orders/sweep.js';
import { sweepEvery } from '../../src/orders/sweep-every.js';
import { memoryStorage } from './memory-storage.js';
import { row } from './storage.contract.js';
import { eventOf, orderRequest, shop } from './support.js';

const settings = { limit: 100, concurrency: 10, budgetMs: 50_000 };
const now = 1_000_000_000;

async function storageWith(keys: readonly string[], dueAt: (index: number) => number): Promise<OrderStorage> {
  const storage = memoryStorage();
  for (const [index, key] of keys.entries()) await storage.insert(row(key, { dueAt: dueAt(index) }));
  return storage;
}

const named = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}-${String(index)}`);

/** A machine that sweeps: it processes an order unless another machine has processed it. */
function machine(storage: OrderStorage, workMs = 0) {
  const asked: string[] = [];
  const processDue = async (key: string): Promise<ProcessResult> => {
    asked.push(key);
    const { row: found } = await storage.read(key);
    if (found?.dueAt === null || found === undefined) return 'nothing';
    if (workMs > 0) await pause(workMs);
    await storage.replace(row(key), found.version);
    return 'processed';
  };
  const run = (changes: Partial<typeof settings> = {}) =>
    sweep({ storage, now, processDue, report: () => undefined }, { ...settings, ...changes });
  return { asked, run };
}

describe('sweep', () => {
  test('takes portions until no order is due, not only one portion of 100 orders', async () => {
    const keys = named('A', 730);
    const { asked, run } = machine(await storageWith(keys, (index) => index));
    expect(await run({ limit: 50 })).toEqual({ processed: 730, failed: 0 });
    expect(asked.toSorted()).toEqual(keys.toSorted());
  });

  test('begins no order after its budget', async () => {
    const { run } = machine(await storageWith(named('A', 500), () => 1), 20);
    const startedAt = performance.now();
    const { processed } = await run({ budgetMs: 100 });
    expect(processed).toBeGreaterThanOrEqual(10);
    expect(processed).toBeLessThanOrEqual(100);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  test('begins no order after its budget, also if each order waits for the slow lookup of a client', async () => {
    const storage = await storageWith(named('A', 200), () => 1);
    let begun = 0;
    const processDue = async (_key: string, onSlow: () => void): Promise<ProcessResult> => {
      begun += 1;
      await pause(20);
      onSlow();
      return 'nothing';
    };
    const context = { storage, now, processDue, report: () => undefined };
    await sweep(context, { ...settings, concurrency: 1, budgetMs: 100 });
    expect(begun).toBeGreaterThanOrEqual(1);
    expect(begun).toBeLessThanOrEqual(6);
  });

  test('processes another order in place of an order that waits for a client, and resolves after both', async () => {
    const storage = await storageWith(named('A', 4), () => 1);
    const begun: string[] = [];
    let [underWay, most, ended] = [0, 0, 0];
    const processDue = async (key: string, onSlow: () => void): Promise<ProcessResult> => {
      begun.push(key);
      underWay += 1;
      most = Math.max(most, underWay);
      const isSlow = begun.length === 1;
      // It can wait more than once.
      if (isSlow) for (let waits = 0; waits < 3; waits += 1) onSlow();
      await pause(isSlow ? 10 : 40);
      underWay -= 1;
      ended += 1;
      return 'nothing';
    };
    await sweep({ storage, now, processDue, report: () => undefined }, { ...settings, concurrency: 1 });
    expect(most).toBe(2);
    expect(ended).toBe(begun.length);
    expect(new Set(begun).size).toBe(4);
  });

  test('does less than half of the work on each of four machines', async () => {
    const storage = await storageWith(named('A', 2_000), () => 1);
    const machines = Array.from({ length: 4 }, () => machine(storage, 1));
    const results = await Promise.all(machines.map(({ run }) => run({ concurrency: 5 })));
    for (const { processed } of results) expect(processed).toBeLessThan(1_000);
    expect(results.reduce((sum, { processed }) => sum + processed, 0)).toBeGreaterThanOrEqual(2_000);
  });

  test('reaches the orders after thousands of orders that this process cannot process, also in a short budget', async () => {
    const day = 24 * 60 * 60_000;
    const stuck = named('stuck', 5_000);
    const fresh = named('fresh', 20);
    const storage = await storageWith([...stuck, ...fresh], (index) =>
      index < stuck.length ? now - day + index * 1_000 : now - 60_000 + index,
    );
    const asked: string[] = [];
    const processDue = async (key: string): Promise<ProcessResult> => {
      asked.push(key);
      if (key.startsWith('stuck')) return 'nothing';
      await storage.replace(row(key), 1);
      return 'processed';
    };
    const context = { storage, now, processDue, report: () => undefined };
    expect(await sweep(context, settings)).toEqual({ processed: 20, failed: 0 });
    expect(new Set(asked).size).toBe(5_020);
    const firstFresh = asked.findIndex((key) => key.startsWith('fresh'));
    expect(firstFresh).toBeLessThan(4_000);
  });

  test('takes an order again that is due at once, such as a paid order with an invoice', async () => {
    const storage = await storageWith(['A-1'], () => 1);
    let turns = 0;
    const processDue = async (key: string): Promise<ProcessResult> => {
      turns += 1;
      const { row: found } = await storage.read(key);
      await storage.replace(row(key, { dueAt: turns < 3 ? 1 : null }), found?.version ?? 0);
      return 'processed';
    };
    expect(await sweep({ storage, now, processDue, report: () => undefined }, settings)).toMatchObject({
      processed: 3,
    });
  });

  test('resolves even if an order is due again each time', async () => {
    const storage = await storageWith(['A-1', 'A-2'], () => 1);
    const processDue = (): Promise<ProcessResult> => Promise.resolve('processed');
    const { processed } = await sweep({ storage, now, processDue, report: () => undefined }, settings);
    expect(processed).toBeLessThanOrEqual(10);
  });

  test('tries a deferred order again after the other orders, and then leaves it to the next sweep', async () => {
    const storage = await storageWith(['A-1', 'A-2', 'B-1'], () => 1);
    const asked: string[] = [];
    let isReady = false;
    const processDue = async (key: string): Promise<ProcessResult> => {
      asked.push(key);
      if (key === 'B-1') return 'deferred';
      if (key === 'A-2' && !isReady) return 'deferred';
      if (key === 'A-1') {
        await pause(20);
        isReady = true;
      }
      await storage.replace(row(key), 1);
      return 'processed';
    };
    expect(await sweep({ storage, now, processDue, report: () => undefined }, settings)).toEqual({
      processed: 2,
      failed: 0,
    });
    expect(asked.filter((key) => key === 'A-2')).toHaveLength(2);
    expect(asked.filter((key) => key === 'B-1').length).toBeLessThanOrEqual(5);
  });

  test('processes ten orders at the same time by default, and begins no order after 50 s', async () => {
    let [seconds, underWay, most] = [0, 0, 0];
    const { payments, turn } = shop({}, async ({ referenceId }) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await pause(5);
      underWay -= 1;
      seconds += 5;
      return { paymentUrl: `https://pay.example/${referenceId}` };
    });
    for (const orderId of named('A', 40)) await payments.add(orderId, orderRequest());
    turn(2);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => seconds * 1_000);
    const { processed } = await payments.sweep();
    clock.mockRestore();
    expect(most).toBe(10);
    // Ten, and one more for each of the nine that ended before the tenth.
    expect(processed).toBeGreaterThanOrEqual(10);
    expect(processed).toBeLessThanOrEqual(20);
  });

  test('counts an order whose row is missing neither as processed nor as failed', async () => {
    const due: OrderStorage['due'] = (_now, { key }) =>
      Promise.resolve(key === '' ? [{ at: 1, key: 'A-1' }] : []);
    const { payments, logged } = shop({ storage: { ...memoryStorage(), due } });
    expect(await payments.sweep()).toEqual({ processed: 0, failed: 0 });
    expect(logged).toEqual([]);
  });

  test('processes the other orders if one order hangs', async () => {
    const keys = named('A', 300);
    const storage = await storageWith(keys, () => 1);
    const processed = new Set<string>();
    let release: () => void = () => undefined;
    const hanging = new Promise<void>((resolve) => {
      release = resolve;
    });
    const processDue = async (key: string): Promise<ProcessResult> => {
      if (processed.has(key)) return 'nothing';
      if (key === 'A-0') await hanging;
      await storage.replace(row(key), 1);
      processed.add(key);
      return 'processed';
    };
    const swept = sweep({ storage, now, processDue, report: () => undefined }, { ...settings, limit: 20 });
    await vi.waitFor(() => expect(processed.size).toBe(299));
    release();
    expect(await swept).toEqual({ processed: 300, failed: 0 });
  });
});

describe('an order that cannot be read', () => {
  const broken = row('B-1', { orderId: 'Đơn B', dueAt: 1, data: '{"customer":"Lan"' });

  test('does not stop other orders, is logged with its key, and is refused by every command', async () => {
    const { payments, storage, turn, logged } = shop();
    await storage.insert(broken);
    await payments.add('A-1', orderRequest());
    turn(2);
    expect(await payments.sweep()).toEqual({ processed: 1, failed: 1 });
    expect(await payments.get('A-1')).toMatchObject({ state: 'started' });
    expect(logged.at(-1)).toMatchObject([
      'installment-payments: an order could not be processed',
      { key: 'B-1', error: 'OrderError', code: 'UNREADABLE_ROW' },
    ]);
    expect(JSON.stringify(logged)).not.toContain('Lan');
    const unreadable = { code: 'UNREADABLE_ROW' };
    await expect(payments.start('B-1', orderRequest())).rejects.toMatchObject(unreadable);
    await expect(payments.cancel('B-1')).rejects.toMatchObject(unreadable);
  });

  test('is due again after waits that double up to an hour, and its data is not written', async () => {
    const { payments, storage, clock } = shop();
    await storage.insert(broken);
    const first = clock.now;
    const minutes: number[] = [];
    for (let count = 0; count < 9; count += 1) {
      await payments.sweep();
      const { row: found } = await storage.read('B-1');
      expect(found).toMatchObject({ data: broken.data, token: broken.token, version: 1, reviewAt: first });
      minutes.push(((found?.dueAt ?? 0) - clock.now) / 60_000);
      clock.now = found?.dueAt ?? 0;
    }
    expect(minutes).toEqual([1, 1, 2, 4, 8, 16, 32, 60, 60]);
  });

  test('is for review with the orderId of its column since its first failure, beside other orders', async () => {
    const { payments, storage, clock, turn, logged } = shop();
    await storage.insert(broken);
    const since = new Date(clock.now);
    await payments.sweep();
    turn(90);
    await payments.sweep();
    await payments.start('A-1', orderRequest());
    await payments.handleEvent(eventOf('A-1-1', 'paid', 1));
    expect(await payments.forReview()).toMatchObject([
      {
        orderId: 'Đơn B',
        reason: 'unreadable',
        since,
        action: expect.stringContaining('cannot be read') as string,
      },
      { orderId: 'A-1', reason: 'mismatch' },
    ]);
    logged.length = 0;
    expect(await payments.list({ changedSince: new Date(0) })).toMatchObject([{ orderId: 'A-1' }]);
    expect(logged).toEqual([
      [
        'installment-payments: an order cannot be read',
        { key: 'B-1', error: 'OrderError', code: 'UNREADABLE_ROW' },
      ],
    ]);
  });

  test('is no longer for review once it can be read and processed', async () => {
    const { payments, storage, turn } = shop();
    await payments.add('A-1', orderRequest());
    const { row: good } = await storage.read('A-1');
    if (!good) throw new Error('the row is there');
    const times = { key: 'A-1', orderId: 'A-1', changedAt: 1 };
    await storage.replace({ ...good, ...times, data: '{' }, 1);
    turn(2);
    await payments.sweep();
    expect(await payments.forReview()).toMatchObject([{ reason: 'unreadable' }]);
    const { row: postponed } = await storage.read('A-1');
    await storage.replace({ ...good, ...times, dueAt: postponed?.dueAt ?? null, reviewAt: 1 }, 2);
    turn(2);
    expect(await payments.sweep()).toEqual({ processed: 1, failed: 0 });
    expect(await payments.forReview()).toEqual([]);
  });

  test('is not postponed because of an error of the database', async () => {
    const memory = memoryStorage();
    await memory.insert(row('A-1', { dueAt: 1, data: '{"orderId":"A-1","payments":[],"invoices":[]}' }));
    const postponed: string[] = [];
    const { payments } = shop({
      storage: {
        ...memory,
        read: (key) => (key === 'A-1' ? Promise.reject(new Error('down')) : memory.read(key)),
        postpone: (key) => Promise.resolve(void postponed.push(key)),
      },
    });
    expect(await payments.sweep()).toEqual({ processed: 0, failed: 1 });
    expect(postponed).toEqual([]);
  });
});

describe('health', () => {
  test('reports the oldest due order, so that a dead cron is noticed, and the orders that wait for staff', async () => {
    const { payments, clock, turn } = shop();
    expect(await payments.health()).toEqual({ inReview: 0 });
    await payments.add('A-1', orderRequest());
    expect(await payments.health()).toEqual({ inReview: 0 });
    const dueAt = new Date(clock.now + 60_000);
    const reviewed = new Date(clock.now);
    await payments.start('B-1', orderRequest());
    await payments.handleEvent(eventOf('B-1-1', 'paid', 1));
    turn(1);
    expect(await payments.health()).toMatchObject({ oldestDue: dueAt });
    turn(29);
    expect(await payments.health()).toEqual({ oldestDue: dueAt, oldestReview: reviewed, inReview: 1 });
    await payments.sweep();
    expect(await payments.health()).toEqual({ oldestReview: reviewed, inReview: 1 });
  });
});

describe('sweepEvery', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('sweeps repeatedly, also after a failed sweep, until it is stopped', async () => {
    vi.useFakeTimers();
    const reported: string[] = [];
    let sweeps = 0;
    const failing = () => {
      sweeps += 1;
      return sweeps === 1 ? Promise.reject(new Error('down')) : Promise.resolve();
    };
    const stop = sweepEvery(1_000, 'again', failing, (_level, message) => reported.push(message));
    await vi.advanceTimersByTimeAsync(3_500);
    expect(reported).toEqual(['a sweep failed']);
    expect(sweeps).toBe(3);
    stop();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(sweeps).toBe(3);
  });

  test('replaces only the timer of the same table', async () => {
    vi.useFakeTimers();
    const counted = (table: string) => {
      const memory = memoryStorage();
      const count = { sweeps: 0 };
      const storage: OrderStorage = {
        ...memory,
        due: (...values) => {
          count.sweeps += 1;
          return memory.due(...values);
        },
      };
      return { count, stop: shop({ storage, table }).payments.sweepEvery(1_000) };
    };
    const [first, other, second] = [counted('one'), counted('two'), counted('one')];
    first.stop();
    await vi.advanceTimersByTimeAsync(3_500);
    expect(first.count.sweeps).toBe(0);
    expect(other.count.sweeps).toBeGreaterThan(1);
    expect(second.count.sweeps).toBeGreaterThan(1);
    other.stop();
    second.stop();
  });

  test.each([0, -1, 1.5, NaN, 2 ** 31, '60000'])('refuses %j', (ms) => {
    expect(() => shop().payments.sweepEvery(ms as number)).toThrow(
      'ms must be a whole number of milliseconds from 1 to 2147483647',
    );
  });
});
