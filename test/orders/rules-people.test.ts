import { describe, expect, test } from 'vitest';
import type { PaymentState } from '../../src/orders/order.js';
import { accepted, day, failing, minute, newPayment, OrderUnderTest, sentOrder } from './order-under-test.js';

/** An order whose last payment is in this state, three minutes after it was sent. */
function orderIn(state: PaymentState): OrderUnderTest {
  const results = {
    refused: failing('refused'),
    unknown: failing('repeat'),
    new: failing('call_again'),
  } as const;
  const ofCall = { ...results, look_up: failing('look_up'), absent: failing('look_up') } as const;
  const result = state in ofCall ? ofCall[state as keyof typeof ofCall] : accepted;
  const order = new OrderUnderTest();
  order.click(newPayment(1, state === 'overdue' ? { lifetimeMs: 1 } : {}));
  if (state !== 'sending') order.report(result);
  order.now = state === 'sending' ? 1 : 3 * minute;
  if (state === 'absent' || state === 'over') order.conclude(state);
  if (state === 'declined' || state === 'expired' || state === 'paid') order.event(state);
  if (state === 'overdue') {
    order.now = day;
    order.sweep();
  }
  expect(order.state).toBe(state);
  return order;
}

describe('lookUp', () => {
  test.each(['new', 'sending', 'unknown'] as const)('lookUp stops a payment that is %s', (state) => {
    const order = orderIn(state);
    expect(order.lookUp().safeAt).toBe(3 * minute);
    expect(order.payment).toMatchObject({ state: 'look_up', stateAt: order.now });
    expect(order.click().effect).toBeUndefined();
  });

  test.each(['open', 'look_up', 'refused', 'overdue'] as const)(
    'lookUp leaves one that is %s as it is',
    (state) => {
      const order = orderIn(state);
      const before = order.order;
      expect(order.lookUp().safeAt).toBe(3 * minute);
      expect(order.order).toEqual(before);
    },
  );

  test('lookUp of a payment that was never sent is safe at once', () => {
    const order = new OrderUnderTest();
    order.give({ type: 'add', next: newPayment(1) });
    order.now = 5;
    expect(order.lookUp().safeAt).toBe(5);
    expect(order.conclude('absent').concluded).toBe(true);
  });

  test('lookUp of an unknown reference is a problem', () => {
    expect(orderIn('open').give({ type: 'lookUp', referenceId: 'o-9' }).problem).toBe('no_reference');
  });
});

describe('the conclusion absent', () => {
  test('the conclusion absent is refused before it is safe, and changes nothing', () => {
    const order = sentOrder(failing('look_up'));
    order.now = 3 * minute - 1;
    const before = order.order;
    expect(order.conclude('absent')).toMatchObject({ concluded: false, safeAt: 3 * minute });
    expect(order.order).toEqual(before);
    order.now = 3 * minute;
    expect(order.conclude('absent').concluded).toBe(true);
    expect([order.state, order.view, order.reviews]).toEqual(['absent', 'over', []]);
    expect(order.conclude('absent').concluded).toBe(true);
  });

  test.each(['new', 'open'] as const)(
    'the conclusion absent of a payment that is %s names no time, because waiting does not help',
    (state) => {
      const order = orderIn(state);
      order.now = 10 * minute;
      const before = order.order;
      expect(order.conclude('absent')).toEqual({ order: before, concluded: false });
    },
  );

  test('the conclusion absent ends an overdue payment', () => {
    const order = orderIn('overdue');
    expect(order.conclude('absent').concluded).toBe(true);
    expect(order.state).toBe('absent');
  });

  test.each(['new', 'unknown', 'open', 'declined', 'refused', 'paid', 'over'] as const)(
    'the conclusion absent is refused for a payment that is %s',
    (state) => {
      const order = orderIn(state);
      const before = order.order;
      expect(order.conclude('absent').concluded).toBe(false);
      expect(order.order).toEqual(before);
    },
  );

  test('the conclusion absent is refused for a payment that was accepted after all', () => {
    const order = orderIn('absent');
    order.report(accepted);
    expect(order.conclude('absent').concluded).toBe(false);
    expect(order.reviews).toEqual([['exists_after_all', order.now]]);
  });

  test('the conclusion absent says that a mismatch was looked at', () => {
    const order = orderIn('look_up');
    order.event('paid', { value: 12 });
    order.conclude('absent');
    expect(order.reviews).toEqual([]);
  });

  test('the conclusion absent of an unknown reference is a problem', () => {
    const command = {
      type: 'conclude',
      commandId: 'a',
      referenceId: 'o-9',
      conclusion: 'over',
      mayCallOnPaid: true,
    } as const;
    expect(orderIn('open').give(command).problem).toBe('no_reference');
  });
});

describe('the conclusion exists', () => {
  test.each(['sending', 'unknown', 'look_up', 'absent', 'refused'] as const)(
    'the conclusion exists opens a payment that is %s',
    (state) => {
      const order = orderIn(state);
      expect(order.conclude('exists', { paymentUrl: 'https://pay/9' }).concluded).toBe(true);
      expect(order.payment).toMatchObject({
        state: 'open',
        openedAt: order.now,
        paymentUrl: 'https://pay/9',
      });
      expect(order.view).toBe('started');
    },
  );

  test('the conclusion exists keeps the link that is known', () => {
    const order = orderIn('open');
    order.conclude('exists', { paymentUrl: 'https://pay/9' });
    expect(order.payment.paymentUrl).toBe('https://pay/1');
  });

  test('the conclusion exists lets a day without a notification begin again', () => {
    const order = sentOrder(accepted);
    order.now = day;
    order.sweep();
    order.conclude('exists');
    expect([order.reviews, order.dueAt, order.payment.openedAt]).toEqual([[], 2 * day, 0]);
  });

  test.each(['declined', 'over', 'paid'] as const)('the conclusion exists leaves a payment %s', (state) => {
    const order = orderIn(state);
    const { stateAt } = order.payment;
    order.event('paid', { value: 12 });
    expect(order.reviews).toContainEqual(['mismatch', order.now]);
    order.now += 5;
    expect(order.conclude('exists').concluded).toBe(true);
    expect(order.payment).toMatchObject({ state, stateAt });
    expect(order.reviews.map(([reason]) => reason)).not.toContain('mismatch');
  });

  test('the conclusion exists ends an overdue payment and its mismatch as over does, and lets the next one begin', () => {
    const order = orderIn('overdue');
    order.event('paid', { value: 12 });
    expect(order.reviews.map(([reason]) => reason)).toEqual(['mismatch', 'overdue']);
    order.now += 5;
    for (let count = 0; count < 2; count += 1) expect(order.conclude('exists').concluded).toBe(true);
    expect([order.state, order.payment.stateAt, order.reviews]).toEqual(['over', order.now, []]);
    expect(order.click(newPayment(2)).effect).toMatchObject({ payment: { referenceId: 'o-2' } });
  });

  test('the conclusion exists leaves a payment that is not the last one', () => {
    const order = orderIn('absent');
    order.click(newPayment(2));
    order.give({ type: 'callEnded', commandId: 'x', referenceId: 'o-1', result: accepted });
    expect(order.reviews).toEqual([['exists_after_all', order.now]]);
    order.give({
      type: 'conclude',
      commandId: 'a',
      referenceId: 'o-1',
      conclusion: 'exists',
      mayCallOnPaid: true,
    });
    expect(order.order.payments.map(({ state }) => state)).toEqual(['absent', 'sending']);
    expect(order.reviews).toEqual([]);
  });
});

describe('the conclusion over', () => {
  test.each(['look_up', 'open', 'overdue', 'absent', 'declined'] as const)(
    'the conclusion over ends a payment that is %s',
    (state) => {
      const order = orderIn(state);
      order.now += 1;
      expect(order.conclude('over').concluded).toBe(true);
      expect([order.state, order.payment.stateAt, order.reviews]).toEqual(['over', order.now, []]);
      order.now += 1;
      expect(order.conclude('over').concluded).toBe(true);
      expect(order.payment.stateAt).toBe(order.now - 1);
    },
  );

  test('the conclusion over is refused for a payment that is paid', () => {
    const order = orderIn('paid');
    expect([order.conclude('over').concluded, order.state]).toEqual([false, 'paid']);
  });
});

describe('the conclusion paid', () => {
  test('the conclusion paid pays the order and calls onPaid, as a notification does', () => {
    const order = sentOrder(failing('look_up'), { hasOnPaid: true });
    expect(order.conclude('paid', {}, 'a')).toMatchObject({
      concluded: true,
      changed: true,
      firstPaid: true,
      effect: { type: 'callOnPaid' },
    });
    expect(order.conclude('paid', {}, 'a')).toMatchObject({ concluded: true, firstPaid: true });
    expect(order.conclude('paid', {}, 'b')).toMatchObject({ concluded: true, firstPaid: false });
  });

  test('the conclusion paid of a paid payment says that a mismatch was looked at', () => {
    const order = orderIn('paid');
    order.event('paid', { value: 12 });
    order.conclude('paid');
    expect(order.reviews).toEqual([]);
  });
});

describe('a payment that was accepted after it was refused, or concluded to be absent', () => {
  test.each(['refused', 'absent'] as const)(
    'a payment that was accepted after it was refused, or concluded to be absent keeps the state %s, has its link, and blocks the next one',
    (state) => {
      const order = orderIn(state);
      order.report(accepted);
      order.now += 1;
      order.report(accepted);
      expect(order.payment).toMatchObject({ state, paymentUrl: 'https://pay/1' });
      expect([order.view, order.reviews]).toEqual(['checking', [['exists_after_all', order.now - 1]]]);
      expect(order.click(newPayment(2)).effect).toBeUndefined();
      order.conclude('over');
      expect(order.click(newPayment(2)).effect).toMatchObject({ type: 'send' });
    },
  );

  test('a payment that was accepted after it was refused, or concluded to be absent is overdue like any other when its time is over', () => {
    const order = sentOrder(failing('look_up'), {}, { lifetimeMs: 20 * minute });
    order.now = 3 * minute;
    order.conclude('absent');
    order.report(accepted);
    expect(order.dueAt).toBe(33 * minute);
    order.now = 33 * minute;
    order.sweep();
    expect([order.state, order.view, order.reviews]).toEqual(['overdue', 'over', [['overdue', order.now]]]);
  });
});
