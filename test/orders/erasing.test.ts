import { describe, expect, test } from 'vitest';
import { eventOf, orderRequest, shop } from './support.js';

describe('erasing', () => {
  test('removes the requests eraseAfterDays after the end of an order, and later webhooks are compared as before', async () => {
    const { payments, turn, storage } = shop({ eraseAfterDays: 30 });
    const read = async () => (await storage.read('A-1')).row?.data ?? '';
    await payments.start('A-1', orderRequest());
    await payments.handleEvent(eventOf('A-1-1'));
    turn(29 * 24 * 60);
    await payments.sweep();
    expect(await read()).toContain('0912345678');
    turn(2 * 24 * 60);
    await payments.sweep();
    expect(await read()).not.toContain('0912345678');
    expect(await payments.handleEvent(eventOf('A-1-1', 'paid', 5))).toMatchObject({ mismatch: ['amount'] });
  });

  test('is also done by a process without the option, for an order that was stored with it', async () => {
    const first = shop({ eraseAfterDays: 1 });
    await first.payments.start('A-1', orderRequest());
    await first.payments.handleEvent(eventOf('A-1-1'));
    const { payments, turn } = shop({ storage: first.storage });
    turn(3 * 24 * 60);
    expect(await payments.sweep()).toEqual({ processed: 1, failed: 0 });
    expect((await first.storage.read('A-1')).row?.data).not.toContain('0912345678');
    expect(await payments.sweep()).toEqual({ processed: 0, failed: 0 });
  });

  test('gives an order without a task a new dueAt, so that the next sweeps do not find it again', async () => {
    const { payments, storage, clock } = shop();
    await payments.start('A-1', orderRequest());
    const { row } = await storage.read('A-1');
    if (!row) throw new Error('nothing is stored');
    const { dueAt, version, ...stored } = row;
    const early = { ...stored, key: 'A-1', orderId: 'A-1', dueAt: 1, reviewAt: null, changedAt: clock.now };
    await storage.replace(early, version);
    await payments.sweep();
    expect(await storage.due(clock.now, { at: 0, key: '' }, 10)).toEqual([]);
    expect((await storage.read('A-1')).row?.dueAt).toBe(dueAt);
  });
});
