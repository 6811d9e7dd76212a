import { describe, expect, test } from 'vitest';
import { withHistory } from '../../src/orders/history.js';
import type { Order } from '../../src/orders/order.js';
import {
  accepted,
  dearPayment,
  failing,
  minute,
  newPayment,
  OrderUnderTest,
  sentOrder,
} from './order-under-test.js';

const historyOf = ({ order }: OrderUnderTest) => order.history ?? [];
/** What a command adds. */
function added(order: OrderUnderTest, give: () => unknown) {
  const before = historyOf(order).length;
  give();
  return historyOf(order).slice(before);
}
const first = { referenceId: 'o-1' };

describe('the history of an order', () => {
  test('lists each change of a payment with its time and cause', () => {
    const order = sentOrder(failing('repeat'));
    order.now = minute;
    order.sweep();
    order.report(accepted);
    order.now = 2 * minute;
    order.event('paid');
    expect(historyOf(order)).toStrictEqual([
      { at: 0, ...first, from: 'none', to: 'sending', cause: 'start' },
      { at: 0, ...first, from: 'sending', to: 'unknown', cause: 'response: repeat' },
      { at: minute, ...first, from: 'unknown', to: 'sending', cause: 'sweep' },
      { at: minute, ...first, from: 'sending', to: 'open', cause: 'response: accepted' },
      { at: 2 * minute, ...first, from: 'open', to: 'paid', cause: 'webhook: paid' },
      { at: 2 * minute, from: 'open', to: 'paid', cause: 'webhook: paid' },
    ]);
  });

  test('lists only the net change of a command', () => {
    const order = sentOrder(failing('look_up'));
    expect(historyOf(order).at(-1)).toMatchObject({ from: 'sending', to: 'look_up' });
    const limited = sentOrder(failing('repeat'), { mostSends: 1 });
    expect(historyOf(limited).at(-1)).toMatchObject({
      from: 'sending',
      to: 'look_up',
      cause: 'response: repeat',
    });
  });

  test('lists a payment that replaces an unsent payment, and the amount that the order asks for', () => {
    const order = new OrderUnderTest();
    order.add(newPayment(1));
    expect(added(order, () => order.add(dearPayment(2)))).toStrictEqual([
      { at: 0, ...first, from: 'new', to: 'absent', cause: 'add' },
      { at: 0, referenceId: 'o-2', from: 'none', to: 'new', cause: 'add' },
      { at: 0, from: 'asks 1200 VND', to: 'asks 2400 VND', cause: 'add' },
    ]);
  });

  test('lists the changes by time separately from those of the command', () => {
    const order = sentOrder(accepted, {}, { lifetimeMs: minute });
    order.now = 11 * minute;
    expect(added(order, () => order.click(newPayment(2)))).toStrictEqual([
      { at: order.now, ...first, from: 'open', to: 'overdue', cause: 'time' },
      { at: order.now, referenceId: 'o-2', from: 'none', to: 'sending', cause: 'start' },
    ]);
  });

  test('lists a late response before the change by time', () => {
    const order = new OrderUnderTest();
    order.click(newPayment(1));
    order.now = 5 * minute;
    expect(added(order, () => order.report(failing('refused')))).toStrictEqual([
      { at: order.now, ...first, from: 'sending', to: 'refused', cause: 'response: refused' },
    ]);
  });

  test('lists the changes by a restore of the database separately', () => {
    const order = new OrderUnderTest();
    order.add(newPayment(1));
    order.now = 5;
    order.restore(0);
    expect(added(order, () => order.sweep())).toStrictEqual([
      { at: 5, ...first, from: 'new', to: 'unknown', cause: 'restored' },
      { at: 5, ...first, from: 'unknown', to: 'sending', cause: 'sweep' },
    ]);
  });

  test('lists a change by time that a sweep finds with the cause time', () => {
    const order = sentOrder(accepted, {}, { lifetimeMs: minute });
    order.now = 11 * minute;
    expect(added(order, () => order.sweep()).map(({ cause }) => cause)).toEqual(['time']);
  });

  test('lists invoices by their numbers', () => {
    const order = sentOrder(accepted);
    order.event('paid');
    const changes = added(order, () => {
      order.addInvoice('a');
      order.sweep('u');
      order.uploadEnded(failing('refused'), 'u');
      order.give({ type: 'concludeInvoice', number: 1, conclusion: 'absent', by: 'Lan' });
      order.addInvoice('b');
    });
    expect(changes).toStrictEqual([
      { at: 0, invoice: 1, from: 'none', to: 'new', cause: 'addInvoice' },
      { at: 0, invoice: 1, from: 'new', to: 'sending', cause: 'sweep' },
      { at: 0, invoice: 1, from: 'sending', to: 'refused', cause: 'response: refused' },
      { at: 0, invoice: 1, from: 'refused', to: 'dropped', cause: 'conclude: absent', by: 'Lan' },
      { at: 0, invoice: 2, from: 'none', to: 'new', cause: 'addInvoice' },
    ]);
  });

  test('lists who looked up, concluded, refunded and cancelled', () => {
    const order = sentOrder(failing('repeat'));
    const looked = added(order, () => order.lookUp('Lan'));
    expect(looked).toStrictEqual([
      { at: 0, ...first, from: 'unknown', to: 'look_up', cause: 'lookUp', by: 'Lan' },
    ]);
    const cancelled = added(order, () => order.give({ type: 'cancel', by: 'Minh' }));
    expect(cancelled).toStrictEqual([{ at: 0, from: 'open', to: 'cancelled', cause: 'cancel', by: 'Minh' }]);
    const concluded = added(order, () => order.conclude('paid', { by: 'Lan' }));
    expect(concluded).toStrictEqual([
      { at: 0, ...first, from: 'look_up', to: 'paid', cause: 'conclude: paid', by: 'Lan' },
    ]);
    const refunded = added(order, () => order.give({ type: 'refunded', referenceId: 'o-1', by: 'Lan' }));
    expect(refunded).toStrictEqual([
      { at: 0, ...first, from: 'paid', to: 'refunded', cause: 'markRefunded', by: 'Lan' },
    ]);
  });

  test('contains no by for a change by time before a command of your staff', () => {
    const order = sentOrder(accepted, {}, { lifetimeMs: minute });
    order.now = 11 * minute;
    const changes = added(order, () => order.conclude('over', { by: 'Lan' }));
    expect(changes.map(({ cause, by }) => [cause, by])).toEqual([
      ['time', undefined],
      ['conclude: over', 'Lan'],
    ]);
  });

  test('lists the conclusion accept', () => {
    const order = sentOrder(accepted);
    order.click(dearPayment(2));
    order.event('paid');
    expect(added(order, () => order.conclude('accept', { by: 'Lan' }))).toStrictEqual([
      { at: 0, from: 'open', to: 'paid', cause: 'conclude: accept', by: 'Lan' },
    ]);
  });

  test('lists nothing for a command that is decided again', () => {
    const order = sentOrder(accepted);
    order.event('paid', {}, 'a');
    expect(added(order, () => order.event('paid', {}, 'a'))).toEqual([]);
    expect(added(order, () => order.conclude('paid', {}, 'b'))).toEqual([]);
    const added1 = new OrderUnderTest();
    added1.click(newPayment(1), 'a');
    expect(added(added1, () => added1.click(newPayment(2), 'a'))).toEqual([]);
  });

  test('lists nothing for a webhook that changes no state', () => {
    const order = sentOrder(accepted);
    const changes = added(order, () => {
      order.event('pending');
      order.event('paid', { value: 12 });
      order.event('unknown', { unknownStatus: 'SETTLED' });
    });
    expect(changes).toEqual([]);
    expect(order.payment).toMatchObject({ unknownStatus: 'SETTLED', mismatchPaid: true });
  });

  test('keeps the last fifty changes', () => {
    const order = sentOrder(failing('repeat'), { mostSends: 100, repeatAfterMs: 1 });
    const next = () => {
      order.now = order.dueAt ?? NaN;
      order.sweep();
      order.report(failing('repeat', minute));
    };
    for (let sends = 2; sends <= 25; sends += 1) next();
    expect(historyOf(order)).toHaveLength(50);
    expect(historyOf(order)[0]).toMatchObject({ from: 'none', cause: 'start' });
    order.lookUp();
    expect(historyOf(order)).toHaveLength(50);
    expect(historyOf(order)[0]).toMatchObject({ from: 'sending', to: 'unknown' });
    expect(historyOf(order).at(-1)).toMatchObject({ cause: 'lookUp' });
  });

  test('is not stored for an order without a change of state', () => {
    const order: Order = { orderId: 'o', payments: [], invoices: [] };
    const { settings } = new OrderUnderTest();
    const command = { type: 'lookUp', referenceId: 'o-1' } as const;
    expect(withHistory(order, order, command, 0, settings)).toBe(order);
    const unchanged = { ...order };
    expect(withHistory(order, unchanged, command, 0, settings)).toBe(unchanged);
  });

  test('begins with the cancellation of an unknown order', () => {
    const order = new OrderUnderTest();
    order.cancel();
    expect(historyOf(order)).toStrictEqual([{ at: 0, from: 'open', to: 'cancelled', cause: 'cancel' }]);
  });
});
