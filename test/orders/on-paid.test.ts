import { describe, expect, test } from 'vitest';
import { connect } from '../databases/connect.js';
import { memoryStorage } from './memory-storage.js';
import { eventOf, orderRequest, paymentsOver, shop } from './support.js';

describe('onPaid', () => {
  test('that rejects is called again by sweep until it resolves, and handleEvent does not reject', async () => {
    const reported: string[] = [];
    const { payments, turn, logged } = shop({
      onPaid: ({ orderId }) => {
        reported.push(orderId);
        if (reported.length < 3) throw Object.assign(new Error('Lan is not known'), { code: 'E_DOWN' });
      },
    });
    await payments.start('A-1', orderRequest());
    expect(await payments.handleEvent(eventOf('A-1-1'))).toMatchObject({ state: 'paid', firstPaid: true });
    for (let count = 0; count < 4; count += 1) {
      turn(10);
      await payments.sweep();
    }
    expect(reported).toEqual(['A-1', 'A-1', 'A-1']);
    expect(logged[0]).toEqual([
      'installment-payments: onPaid failed or did not finish in time, and will be called again',
      { orderId: 'A-1', error: 'Error', code: 'E_DOWN' },
    ]);
  });

  test('that rejects is called again after repeatAfterMs, before the end of its claim', async () => {
    let calls = 0;
    const { payments, turn } = shop({
      onPaid: () => {
        calls += 1;
        if (calls === 1) throw new Error('the shop is down');
      },
    });
    await payments.start('A-1', orderRequest());
    await payments.handleEvent(eventOf('A-1-1'));
    turn(1);
    await payments.sweep();
    expect(calls).toBe(2);
  });

  test('is called at most twenty times while a sweep processes an order, however fast the database clock runs', async () => {
    const memory = memoryStorage();
    let calls = 0;
    const read: typeof memory.read = (key) => {
      if (key === 'A-1') clock.now += 2 * 60 * 60_000;
      return memory.read(key);
    };
    const { payments, clock } = shop({
      storage: { ...memory, read },
      onPaid: () => {
        calls += 1;
        throw new Error('the shop is down');
      },
    });
    await payments.start('A-1', orderRequest());
    await payments.handleEvent(eventOf('A-1-1'));
    calls = 0;
    await payments.sweep();
    expect(calls).toBe(20);
  });

  test('is called and an invoice is uploaded in one step of a sweep, which counts the order once', async () => {
    const told: string[] = [];
    const worker = shop({ onPaid: ({ orderId }) => void told.push(orderId) });
    const webhook = shop({ storage: worker.storage, onPaid: 'elsewhere' });
    await webhook.payments.start('A-1', orderRequest());
    await webhook.payments.handleEvent(eventOf('A-1-1'));
    const invoice = { invoiceNumber: 'I-1', fileUrl: 'https://shop.example/1.pdf' };
    await webhook.payments.addInvoice('A-1', invoice);
    worker.turn(1);
    expect(await worker.payments.sweep()).toEqual({ processed: 1, failed: 0 });
    expect(told).toEqual(['A-1']);
    expect(worker.uploads).toHaveLength(1);
  });

  test('is called by another process a minute after the claim of a process that was killed', async () => {
    const storage = memoryStorage();
    const killed = shop({ storage, onPaid: () => new Promise(() => undefined) });
    await killed.payments.start('A-1', orderRequest());
    void killed.payments.handleEvent(eventOf('A-1-1'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const reported: string[] = [];
    const other = shop({ storage, onPaid: ({ orderId }) => void reported.push(orderId) });
    other.turn(1.9);
    await other.payments.sweep();
    expect(reported).toEqual([]);
    other.turn(0.2);
    await other.payments.sweep();
    await other.payments.sweep();
    expect(reported).toEqual(['A-1']);
  });

  test.each(['elsewhere', 'firstPaid'] as const)(
    'is called by the process with the function, even if a process with %j sweeps first',
    async (onPaid) => {
      const told: string[] = [];
      const worker = shop({ onPaid: ({ orderId }) => void told.push(orderId) });
      const { storage } = worker;
      const webhook = shop({ storage, onPaid: 'elsewhere' });
      await webhook.payments.start('A-1', orderRequest());
      expect(await webhook.payments.handleEvent(eventOf('A-1-1'))).toMatchObject({ firstPaid: true });
      const other = shop({ storage, onPaid });
      other.turn(1);
      for (let sweeps = 0; sweeps < 3; sweeps += 1)
        expect(await other.payments.sweep()).toEqual({ processed: 0, failed: 0 });
      expect(told).toEqual([]);
      worker.turn(1);
      await worker.payments.sweep();
      await worker.payments.sweep();
      expect(told).toEqual(['A-1']);
    },
  );

  test('is for review if the process with the function does not run for an hour, and is called later', async () => {
    const told: string[] = [];
    const worker = shop({ onPaid: ({ orderId }) => void told.push(orderId) });
    const webhook = shop({ storage: worker.storage, onPaid: 'elsewhere' });
    await webhook.payments.start('A-1', orderRequest());
    await webhook.payments.handleEvent(eventOf('A-1-1'));
    webhook.turn(61);
    await webhook.payments.sweep();
    expect(await webhook.payments.forReview()).toMatchObject([
      { orderId: 'A-1', referenceId: 'A-1-1', reason: 'on_paid_due', conclusions: [] },
    ]);
    worker.turn(62);
    await worker.payments.sweep();
    expect(told).toEqual(['A-1']);
    expect(await webhook.payments.forReview()).toEqual([]);
  });

  test('is not called in a transaction of the caller, which can be rolled back: sweep calls it after the commit', async () => {
    await using database = connect('sqlite', ':memory:');
    const told: string[] = [];
    const { client } = shop();
    const payments = await paymentsOver(database, {
      client,
      onPaid: ({ orderId }) => void told.push(orderId),
    });
    const calls: Readonly<Record<string, () => Promise<{ firstPaid?: boolean }>>> = {
      'A-1': () => database.transaction((query) => payments.handleEvent(eventOf('A-1-1'), { query })),
      'B-1': () => database.transaction((query) => payments.conclude('B-1-1', 'paid', { query })),
      'C-1': async () => {
        await payments.start('C-1', orderRequest({ amount: { value: 1 } }));
        await payments.handleEvent(eventOf('C-1-1'));
        return database.transaction((query) => payments.conclude('C-1-1', 'accept', { query }));
      },
    };
    for (const [orderId, call] of Object.entries(calls)) {
      await payments.start(orderId, orderRequest());
      expect(await call()).toMatchObject({ firstPaid: true });
    }
    expect(told).toEqual([]);
    await payments.sweep();
    expect(told.sort()).toEqual(Object.keys(calls));
  });

  test('is called before handleEvent, and conclude with paid or accept, resolve', async () => {
    const told: string[] = [];
    const { payments } = shop({
      onPaid: async ({ orderId }) => {
        await Promise.resolve();
        told.push(orderId);
      },
    });
    for (const orderId of ['A-1', 'B-1', 'C-1']) await payments.start(orderId, orderRequest());
    await payments.handleEvent(eventOf('A-1-1'));
    expect(told).toEqual(['A-1']);
    await payments.conclude('B-1-1', 'paid');
    expect(told).toEqual(['A-1', 'B-1']);
    await payments.start('C-1', orderRequest({ amount: { value: 1 } }));
    await payments.handleEvent(eventOf('C-1-1'));
    await payments.conclude('C-1-1', 'accept');
    expect(told).toEqual(['A-1', 'B-1', 'C-1']);
  });
});
