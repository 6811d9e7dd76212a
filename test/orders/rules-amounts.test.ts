import { describe, expect, test } from 'vitest';
import type { NewPayment, Order } from '../../src/orders/order.js';
import {
  accepted,
  day,
  dearPayment,
  failing,
  minute,
  newPayment,
  OrderUnderTest,
  sentOrder,
} from './order-under-test.js';

const asks = ({ order }: OrderUnderTest) => order.askedNow?.value;

/** The first payment asked 1200 and has a link; since then the order asks 2400. */
function changedOrder(settings = {}, more: Partial<NewPayment> = {}): OrderUnderTest {
  const order = sentOrder(accepted, settings, more);
  order.now = 5;
  order.click(dearPayment(2));
  return order;
}

/** The first payment asked 1200 and is paid; the order asks 2400. */
function otherAmount(settings = {}): OrderUnderTest {
  const order = changedOrder(settings);
  order.event('paid');
  return order;
}

describe('the amount that an order asks for now', () => {
  test('is that of the last request, also while a payment is live', () => {
    const order = sentOrder(accepted);
    expect(order.order.askedNow).toEqual({ value: 1200, currency: 'VND', merchantId: 'm', sinceAt: 0 });
    order.now = 5;
    order.click(dearPayment(2));
    expect(order.order.askedNow).toEqual({ value: 2400, currency: 'VND', merchantId: 'm', sinceAt: 5 });
    order.add(newPayment(2));
    expect(asks(order)).toBe(1200);
  });

  test('is stored with the time of its last change', () => {
    const order = changedOrder();
    order.now = 6;
    order.click(dearPayment(2));
    expect(order.order.askedNow?.sinceAt).toBe(5);
  });

  test('does not change without a request', () => {
    const order = changedOrder();
    order.click();
    order.sweep();
    expect(asks(order)).toBe(2400);
  });

  test.each(['paid', 'cancelled'])('does not change after the order is %s', (end) => {
    const order = sentOrder(accepted);
    if (end === 'paid') order.event('paid');
    else order.cancel();
    const before = order.order;
    order.click(dearPayment(2));
    order.add(dearPayment(2));
    expect(order.order).toEqual(before);
  });
});

describe('an unsent payment', () => {
  const unsent = (): OrderUnderTest => {
    const order = new OrderUnderTest();
    order.add(newPayment(1));
    return order;
  };

  test('is replaced by a checkout with another amount', () => {
    const order = unsent();
    expect(order.click(dearPayment(2)).effect).toMatchObject({ payment: { referenceId: 'o-2' } });
    expect(order.states).toEqual(['absent', 'sending']);
  });

  test('is replaced by an added payment of another amount', () => {
    const order = unsent();
    order.add(dearPayment(2));
    expect([order.states, order.view]).toEqual([['absent', 'new'], 'new']);
    order.now = minute;
    expect(order.sweep().effect).toMatchObject({ payment: { referenceId: 'o-2' } });
  });

  test.each([
    ['currency', { currency: 'USD' }],
    ['merchant', { merchantId: 'n' }],
  ])('is replaced if the order asks for a different %s', (_name, more) => {
    const order = unsent();
    order.add(newPayment(2, { expected: { ...newPayment(2).expected, ...more } }));
    expect(order.states).toEqual(['absent', 'new']);
  });

  test('is kept if another request has the same amount', () => {
    const order = unsent();
    order.add(newPayment(2, { contentHash: 'other' }));
    expect(order.states).toEqual(['new']);
  });

  test('is replaced after a call that sent nothing, if the order asks for a different amount meanwhile', () => {
    const order = new OrderUnderTest();
    order.click(newPayment(1));
    order.click(dearPayment(2));
    expect([order.states, order.view]).toEqual([['sending'], 'checking']);
    order.report(failing('call_again'));
    expect(order.states).toEqual(['absent']);
    expect(order.click(dearPayment(2)).effect).toMatchObject({ payment: { referenceId: 'o-2' } });
  });

  test('is for review if its send can be missing from a restored database', () => {
    const order = new OrderUnderTest({ restores: [{ at: 0, sinceAt: -1 }] });
    order.add(newPayment(1));
    expect(order.click(dearPayment(2)).effect).toBeUndefined();
    expect([order.states, order.view, order.reasons]).toEqual([['look_up'], 'checking', ['look_up']]);
  });
});

describe('an open payment of another amount', () => {
  test('is shown as changed, and blocks another payment', () => {
    const order = changedOrder();
    expect([order.states, order.view]).toEqual([['open'], 'changed']);
    expect(order.click(dearPayment(2)).effect).toBeUndefined();
  });

  test('is shown as started again after a checkout with the old basket', () => {
    const order = changedOrder();
    order.click(newPayment(2));
    expect([order.view, asks(order), order.states]).toEqual(['started', 1200, ['open']]);
    expect(order.event('paid')).toMatchObject({ firstPaid: true });
  });

  test.each(['declined', 'overdue', 'concluded as over'])(
    'is followed by a payment of the new amount once it is %s',
    (end) => {
      const order = changedOrder({}, { lifetimeMs: 20 * minute });
      if (end === 'declined') order.event('declined');
      else if (end === 'overdue') order.now = 30 * minute;
      else order.conclude('over');
      expect(order.click(dearPayment(2)).effect).toMatchObject({
        payment: { referenceId: 'o-2', expected: { value: 2400 } },
      });
    },
  );

  test('is for review as changed if it has no transExpiredTime', () => {
    const order = changedOrder();
    expect(order.reviews).toEqual([['changed', 5]]);
    expect(changedOrder({}, { lifetimeMs: minute }).reviews).toEqual([]);
    expect(sentOrder(accepted).reviews).toEqual([]);
  });

  test('is for review since it opened, if the amount of the order changed earlier', () => {
    const order = new OrderUnderTest();
    order.click(newPayment(1));
    order.click(dearPayment(2));
    order.now = 7;
    order.report(accepted);
    expect(order.reviews).toEqual([['changed', 7]]);
  });
});

describe('a payment whose outcome is unknown, of another amount', () => {
  test('is shown as checking, and is sent again', () => {
    const order = sentOrder(failing('repeat'));
    order.click(dearPayment(2));
    expect([order.view, order.dueAt]).toEqual(['checking', minute]);
    order.now = minute;
    expect(order.sweep().effect).toMatchObject({ payment: { referenceId: 'o-1', sends: 2 } });
  });
});

describe('a paid payment of another amount', () => {
  test('is not firstPaid, does not call onPaid and is for review', () => {
    const order = changedOrder({ onPaid: 'here' });
    order.now = 6;
    const decision = order.event('paid', {}, 'a');
    expect(decision).toMatchObject({ changed: true, firstPaid: false, otherAmount: true });
    expect(decision.effect).toBeUndefined();
    expect(order.order).not.toHaveProperty('paidBy');
    expect(order.order).not.toHaveProperty('pendingOnPaid');
    expect([order.states, order.view, order.reviews]).toEqual([['paid'], 'checking', [['other_amount', 6]]]);
  });

  test.each([
    ['currency', { currency: 'USD' }],
    ['merchant', { merchantId: 'n' }],
  ])('includes a payment of another %s', (_name, more) => {
    const order = sentOrder(accepted);
    order.click(newPayment(2, { expected: { ...newPayment(2).expected, ...more } }));
    expect(order.event('paid')).toMatchObject({ firstPaid: false, otherAmount: true });
  });

  test('is decided once: a later checkout with the old amount does not change it', () => {
    const order = otherAmount();
    expect(order.click(newPayment(2)).effect).toBeUndefined();
    expect(order.event('paid')).toMatchObject({ changed: false, firstPaid: false, otherAmount: true });
    expect(order.conclude('paid')).toMatchObject({ concluded: true, firstPaid: false, otherAmount: true });
    expect([order.view, order.reasons]).toEqual(['checking', ['other_amount']]);
  });

  test('is treated in the same way if your staff conclude that it is paid', () => {
    const order = changedOrder();
    expect(order.conclude('paid')).toMatchObject({ concluded: true, firstPaid: false, otherAmount: true });
    expect(order.reasons).toEqual(['other_amount']);
  });

  test('includes a payment that ended before the amount of the order changed', () => {
    const order = sentOrder(accepted, {}, { lifetimeMs: minute });
    order.now = 11 * minute;
    order.click(dearPayment(2));
    order.report(accepted);
    expect(order.event('paid', { referenceId: 'o-1' })).toMatchObject({
      firstPaid: false,
      otherAmount: true,
    });
    // The second one can be paid, and has a link: it is shown to no customer.
    expect([order.states, order.view]).toEqual([['paid', 'open'], 'checking']);
  });

  test('stops a checkout and a sweep from sending a new payment', () => {
    const order = sentOrder(accepted);
    order.event('declined');
    order.add(dearPayment(2));
    order.event('paid', { referenceId: 'o-1' });
    order.now = day;
    expect([order.click().effect, order.sweep().effect, order.dueAt]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([order.states, order.view]).toEqual([['paid', 'new'], 'checking']);
    order.refunded('o-1');
    expect([order.dueAt, order.view]).toEqual([minute, 'new']);
    expect(order.sweep().effect).toMatchObject({ payment: { referenceId: 'o-2' } });
  });

  test('does not stop the repeats of a payment that might exist', () => {
    const order = sentOrder(accepted);
    order.event('declined');
    order.now = minute;
    order.click(dearPayment(2));
    order.report(failing('repeat'));
    order.event('paid', { referenceId: 'o-1' });
    order.now = 2 * minute;
    expect(order.sweep().effect).toMatchObject({ payment: { referenceId: 'o-2', sends: 2 } });
  });

  test('becomes a refund if a payment of the right amount is paid meanwhile', () => {
    const order = sentOrder(accepted);
    order.event('declined');
    order.click(dearPayment(2));
    order.report(accepted);
    order.event('paid', { referenceId: 'o-1' });
    expect(order.event('paid')).toMatchObject({ firstPaid: true });
    expect([order.view, order.order.paidBy, order.reasons]).toEqual(['paid', 'o-2', ['refund']]);
    expect(order.conclude('accept', { referenceId: 'o-1' }).concluded).toBe(false);
  });

  test('becomes a refund if the order is cancelled', () => {
    const order = otherAmount();
    order.cancel();
    expect([order.view, order.reasons]).toEqual(['cancelled', ['refund']]);
    expect(order.conclude('accept').concluded).toBe(false);
    expect(order.refunded().concluded).toBe(true);
    expect(order.reasons).toEqual([]);
  });
});

describe('the conclusion accept', () => {
  test('pays the order and calls onPaid once', () => {
    const order = otherAmount({ onPaid: 'here' });
    order.now = 9;
    const decision = order.conclude('accept', {}, 'a');
    expect(decision).toMatchObject({ concluded: true, firstPaid: true, effect: { type: 'callOnPaid' } });
    expect(order.order).toMatchObject({ paidBy: 'o-1', paidAt: 9 });
    expect([order.view, order.reasons]).toEqual(['paid', []]);
    const again = order.conclude('accept', {}, 'a');
    expect(again).toMatchObject({ concluded: true, firstPaid: true, effect: decision.effect });
    expect(order.conclude('accept', {}, 'b')).toEqual({ order: order.order, concluded: false });
    expect(order.event('paid')).toMatchObject({ changed: false, firstPaid: false, otherAmount: false });
  });

  test('returns firstPaid once, even if the webhook of the payment is decided again', () => {
    const order = changedOrder();
    order.event('paid', {}, 'w');
    expect(order.conclude('accept', {}, 'a')).toMatchObject({ firstPaid: true });
    expect(order.event('paid', {}, 'w')).toMatchObject({ changed: true, firstPaid: false });
  });

  test('closes a mismatch', () => {
    const order = otherAmount();
    order.event('paid', { value: 12 });
    expect(order.reasons).toEqual(['other_amount', 'mismatch']);
    order.conclude('accept');
    expect(order.reasons).toEqual([]);
  });

  test.each(['open', 'declined', 'paid'] as const)(
    'is refused for a payment of the right amount that is %s',
    (state) => {
      const order = sentOrder(accepted);
      if (state !== 'open') order.event(state);
      const before = order.order;
      expect(order.conclude('accept')).toEqual({ order: before, concluded: false });
    },
  );

  test('is refused for a payment that was refunded', () => {
    const order = otherAmount();
    order.refunded();
    expect(order.conclude('accept').concluded).toBe(false);
  });
});

describe('markRefunded', () => {
  test('settles a payment of another amount, so that the next payment can begin', () => {
    const order = otherAmount();
    order.now = 9;
    expect(order.refunded().concluded).toBe(true);
    expect([order.payment.refundedAt, order.view, order.reasons]).toEqual([9, 'over', []]);
    expect(order.event('paid')).toMatchObject({ changed: false, firstPaid: false, otherAmount: false });
    expect(order.click(dearPayment(2)).effect).toMatchObject({ payment: { referenceId: 'o-2' } });
    order.report(accepted);
    expect(order.event('paid')).toMatchObject({ firstPaid: true });
  });
});

describe('an order of an older version', () => {
  /** As an order that has never stored what it asks. */
  function older(order: OrderUnderTest): OrderUnderTest {
    const stored: Order & { askedNow?: unknown } = order.order;
    const { askedNow: _askedNow, ...rest } = stored;
    return new OrderUnderTest({}, rest);
  }

  test('asks for the amount of its last payment', () => {
    const order = older(sentOrder(accepted));
    expect(order.view).toBe('started');
    expect(order.event('paid')).toMatchObject({ firstPaid: true });
  });

  test('is not paid by an earlier payment of another amount', () => {
    const two = sentOrder(accepted);
    two.event('declined');
    two.click(dearPayment(2));
    const order = older(two);
    expect(order.event('paid', { referenceId: 'o-1' })).toMatchObject({
      firstPaid: false,
      otherAmount: true,
    });
    order.report(accepted);
    expect(order.event('paid')).toMatchObject({ firstPaid: true });
  });

  test('asks for the amount of its next request', () => {
    const order = older(sentOrder(accepted));
    order.click(dearPayment(2));
    expect([asks(order), order.view]).toEqual([2400, 'changed']);
  });
});
