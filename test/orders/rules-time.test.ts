import { describe, expect, test } from 'vitest';
import { accepted, day, failing, minute, newPayment, OrderUnderTest, sentOrder } from './order-under-test.js';

describe('time', () => {
  const lifetimeMs = 20 * minute;

  test('makes an open payment overdue ten minutes after its time to pay, which begins when it opens', () => {
    const order = sentOrder(accepted, {}, { lifetimeMs });
    expect(order.dueAt).toBe(30 * minute);
    order.now = 30 * minute;
    order.sweep();
    expect([order.state, order.view, order.reviews]).toEqual(['overdue', 'over', [['overdue', 30 * minute]]]);
  });

  test('makes a payment to look up overdue after its time to pay, which begins at safeFrom at the latest', () => {
    const order = sentOrder(failing('look_up'), {}, { lifetimeMs });
    expect(order.dueAt).toBe(33 * minute);
    order.now = 33 * minute;
    order.sweep();
    expect(order.state).toBe('overdue');
  });

  test('makes a payment that was never sent overdue after its time to pay, which begins when it is stopped', () => {
    const order = new OrderUnderTest();
    order.add(newPayment(1, { lifetimeMs }));
    order.now = minute;
    order.lookUp();
    expect(order.dueAt).toBe(31 * minute);
  });

  test('makes a payment overdue at the same time after a late conclusion that it exists', () => {
    const order = sentOrder(failing('look_up'), {}, { lifetimeMs });
    order.now = 15 * minute;
    order.conclude('exists');
    order.now = 16 * minute;
    order.conclude('exists');
    expect([order.state, order.dueAt]).toEqual(['open', 33 * minute]);
  });

  test('makes the payment expired, not overdue, with reviewOverdue: false', () => {
    const order = sentOrder(accepted, { reviewOverdue: false }, { lifetimeMs });
    order.now = 30 * minute;
    order.sweep();
    expect([order.state, order.reviews, order.dueAt]).toEqual(['expired', [], undefined]);
  });

  test('lists an open payment without transExpiredTime for review after a day, and keeps it open', () => {
    const order = sentOrder(accepted);
    order.now = day - 1;
    order.sweep();
    expect([order.dueAt, order.reviews]).toEqual([day, []]);
    order.now = day;
    order.sweep();
    expect([order.state, order.view, order.reviews]).toEqual(['open', 'started', [['no_webhook', day]]]);
    order.now = 2 * day;
    order.sweep();
    expect([order.dueAt, order.reviews]).toEqual([undefined, [['no_webhook', day]]]);
  });

  test('lists a payment with three days to pay for review after three days, not after one day', () => {
    const order = sentOrder(accepted, {}, { lifetimeMs: 3 * day });
    order.now = 2 * day;
    order.sweep();
    expect([order.dueAt, order.reviews]).toEqual([3 * day + 10 * minute, []]);
  });

  test('does not list a payment to look up for review twice', () => {
    const order = sentOrder(failing('look_up'));
    order.now = 2 * day;
    order.sweep();
    expect([order.dueAt, order.reviews]).toEqual([undefined, [['look_up', 0]]]);
  });
});

describe('a restore of the database', () => {
  test('makes an unsent payment due again as a payment that might have been sent', () => {
    const order = sentOrder(failing('fix'));
    order.now = day;
    order.restore(minute);
    order.touch();
    expect(order.payment).toMatchObject({
      state: 'unknown',
      stateAt: day,
      mayExist: true,
      safeAt: day + 3 * minute,
    });
    expect([order.payment.givenUpAt, order.dueAt, order.order.restoredAt]).toEqual([undefined, day, day]);
  });

  test('is applied before the next command of the order, such as a checkout', () => {
    const order = new OrderUnderTest();
    order.add(newPayment(1));
    order.now = day;
    order.restore(minute);
    expect(order.click().effect).toMatchObject({ payment: { mayExist: true, sends: 1 } });
    order.report(failing('refused'));
    expect(order.state).toBe('look_up');
  });

  test('is applied before the result of a call', () => {
    const order = new OrderUnderTest();
    order.click(newPayment(1));
    order.now = 5;
    order.restore(minute);
    order.report(failing('refused'));
    expect(order.payment).toMatchObject({ state: 'look_up', safeAt: 5 + 3 * minute });
  });

  test('does not change a payment that was added later', () => {
    const order = new OrderUnderTest();
    order.now = minute;
    order.add(newPayment(1));
    const before = order.order;
    order.restore(minute - 1);
    order.touch();
    expect(order.order).toEqual(before);
  });

  test.each(['refused', 'look_up', 'accepted'] as const)(
    'does not change a payment whose call ended with %s',
    (step) => {
      const order = sentOrder(step === 'accepted' ? accepted : failing(step));
      const before = order.order;
      order.restore(minute);
      order.touch();
      expect(order.order).toEqual(before);
    },
  );

  test('postpones the conclusion of a payment whose later claims are missing', () => {
    const order = new OrderUnderTest();
    order.click(newPayment(1));
    order.now = day;
    order.restore(day);
    order.touch();
    expect(order.payment).toMatchObject({ state: 'unknown', mayExist: true, safeAt: day + 3 * minute });
    order.lookUp();
    expect(order.conclude('absent')).toMatchObject({ concluded: false, safeAt: day + 3 * minute });
  });

  test('does not change a current claim, or the time of a repeat', () => {
    const sending = new OrderUnderTest();
    sending.click(newPayment(1));
    sending.restore(0);
    sending.touch();
    expect(sending.payment).toMatchObject({ state: 'sending', mayExist: true });
    const unknown = sentOrder(failing('repeat'));
    unknown.restore(0);
    unknown.touch();
    expect(unknown.dueAt).toBe(minute);
  });

  test('is applied before the changes by time since the backup', () => {
    const order = new OrderUnderTest({ mostSends: 1 });
    order.click(newPayment(1));
    order.now = day;
    order.restore(day);
    order.touch();
    expect(order.payment).toMatchObject({ state: 'look_up', safeAt: day + 3 * minute });
  });

  test('is applied once to an order', () => {
    const order = new OrderUnderTest();
    order.add(newPayment(1));
    order.now = day;
    order.restore(day);
    order.sweep();
    order.report(failing('repeat'));
    const { safeAt } = order.payment;
    order.now += 5;
    order.touch();
    expect(order.payment.safeAt).toBe(safeAt);
  });

  test('is applied after an earlier restore; of two new restores the later time counts', () => {
    const order = new OrderUnderTest();
    order.now = minute;
    order.add(newPayment(1));
    order.now = day;
    order.restore(minute);
    order.restore(0);
    order.touch();
    expect([order.state, order.order.restoredAt]).toEqual(['unknown', day]);
    order.now = day + minute;
    order.restore(minute);
    order.touch();
    expect(order.payment.safeAt).toBe(day + 4 * minute);
    expect(order.order.restoredAt).toBe(day + minute);
  });

  test('marks each payment that begins within two days as a payment that might exist', () => {
    const order = new OrderUnderTest({ restores: [{ at: 0, sinceAt: 0 }] });
    order.now = 2 * day - 1;
    expect(order.click(newPayment(1)).effect).toMatchObject({ payment: { mayExist: true } });
    order.report(accepted);
    order.event('declined');
    order.now = 2 * day;
    expect(order.click(newPayment(2)).effect).toMatchObject({ payment: { mayExist: false } });
  });
});
