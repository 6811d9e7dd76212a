import { describe, expect, test } from 'vitest';
import { paymentStates } from '../../src/orders/order.js';
import {
  accepted,
  day,
  failing,
  minute,
  newPayment,
  orderIn,
  OrderUnderTest,
  sentOrder,
} from './order-under-test.js';

describe('lookUp', () => {
  test.each(['new', 'sending', 'unknown'] as const)('stops a payment that is %s', (state) => {
    const order = orderIn(state);
    expect(order.lookUp().safeAt).toBe(3 * minute);
    expect(order.payment).toMatchObject({ state: 'look_up', stateAt: order.now });
    expect(order.click().effect).toBeUndefined();
  });

  test.each(['open', 'look_up', 'refused', 'overdue'] as const)(
    'does not change a payment that is %s',
    (state) => {
      const order = orderIn(state);
      const before = order.order;
      expect(order.lookUp().safeAt).toBe(3 * minute);
      expect(order.order).toEqual(before);
    },
  );

  test('is safe at once for a payment that was never sent', () => {
    const order = new OrderUnderTest();
    order.add(newPayment(1));
    order.now = 5;
    expect(order.lookUp().safeAt).toBe(5);
    expect(order.conclude('absent').concluded).toBe(true);
  });

  test('is a problem for an unknown reference', () => {
    expect(orderIn('open').give({ type: 'lookUp', referenceId: 'o-9' }).problem).toBe('no_reference');
  });
});

describe('the conclusion absent', () => {
  test('is refused before it is safe, and changes nothing', () => {
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
    'returns no time for a payment that is %s, because waiting does not help',
    (state) => {
      const order = orderIn(state);
      order.now = 10 * minute;
      const before = order.order;
      expect(order.conclude('absent')).toEqual({ order: before, concluded: false });
    },
  );

  test('changes the state of an overdue payment', () => {
    const order = orderIn('overdue');
    expect(order.conclude('absent').concluded).toBe(true);
    expect(order.state).toBe('absent');
  });

  test.each(['new', 'unknown', 'open', 'declined', 'expired', 'refused', 'paid', 'over'] as const)(
    'is refused for a payment that is %s',
    (state) => {
      const order = orderIn(state);
      const before = order.order;
      expect(order.conclude('absent').concluded).toBe(false);
      expect(order.order).toEqual(before);
    },
  );

  test('is refused for a payment that was accepted after all', () => {
    const order = orderIn('absent');
    order.report(accepted);
    expect(order.conclude('absent').concluded).toBe(false);
    expect(order.reviews).toEqual([['exists_after_all', order.now]]);
  });

  test('is refused for a refused payment that was accepted after all, although it has a mismatch', () => {
    const order = orderIn('refused');
    order.report(accepted);
    order.event('paid', { value: 12 });
    expect(order.conclude('absent').concluded).toBe(false);
    expect(order.reasons).toEqual(['mismatch', 'exists_after_all']);
  });

  test.each(['look_up', 'overdue', 'absent'] as const)(
    'closes the mismatch of a payment that is %s',
    (state) => {
      const order = orderIn(state);
      order.event('paid', { value: 12 });
      expect(order.conclude('absent').concluded).toBe(true);
      expect([order.state, order.reviews, order.view]).toEqual(['absent', [], 'over']);
    },
  );

  test.each(['refused', 'over', 'declined', 'expired', 'paid'] as const)(
    'closes the mismatch of a payment that is %s, and changes nothing else',
    (state) => {
      const order = orderIn(state);
      const before = order.payment;
      order.event('paid', { value: 12 });
      order.now += 1;
      expect(order.conclude('absent', {}, 'a').concluded).toBe(true);
      expect(order.conclude('absent', {}, 'a').concluded).toBe(true);
      expect(order.conclude('absent', {}, 'b').concluded).toBe(false);
      expect(order.payment).toMatchObject(before);
      expect(order.reviews).toEqual([]);
    },
  );
});

describe('every conclusion', () => {
  test.each(['absent', 'exists', 'paid', 'over', 'accept'] as const)(
    'is a problem for an unknown reference: %s',
    (conclusion) => {
      const order = orderIn('open');
      const before = order.order;
      expect(order.conclude(conclusion, { referenceId: 'o-9' })).toEqual({
        order: before,
        problem: 'no_reference',
      });
    },
  );

  test.each(paymentStates.filter((state) => state !== 'paid'))(
    'closes a mismatch, and a later webhook pays the order: exists, for a payment that is %s',
    (state) => {
      const order = orderIn(state);
      order.event('paid', { value: 12 });
      expect(order.reasons).toContain('mismatch');
      expect(order.conclude('exists').concluded).toBe(true);
      expect(order.reasons).not.toContain('mismatch');
      expect(order.event('paid')).toMatchObject({ changed: true, firstPaid: true });
    },
  );
});

describe('the conclusion exists', () => {
  test.each(['new', 'sending', 'unknown', 'look_up', 'absent', 'refused'] as const)(
    'opens a payment that is %s',
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

  test('keeps the link that is known', () => {
    const order = orderIn('open');
    order.conclude('exists', { paymentUrl: 'https://pay/9' });
    expect(order.payment.paymentUrl).toBe('https://pay/1');
  });

  test('begins the day without a webhook again', () => {
    const order = sentOrder(accepted);
    order.now = day;
    order.sweep();
    order.conclude('exists');
    expect([order.reviews, order.dueAt, order.payment.openedAt]).toEqual([[], 2 * day, 0]);
  });

  test.each(['declined', 'over', 'paid'] as const)(
    'closes the mismatch of a payment that is %s, and keeps its state',
    (state) => {
      const order = orderIn(state);
      const { stateAt } = order.payment;
      order.event('paid', { value: 12 });
      order.now += 5;
      expect(order.conclude('exists').concluded).toBe(true);
      expect(order.payment).toMatchObject({ state, stateAt });
      expect(order.reviews.map(([reason]) => reason)).not.toContain('mismatch');
    },
  );

  test('closes the mismatch of an overdue payment, which stays for review as overdue', () => {
    const order = orderIn('overdue');
    const overdueAt = order.now;
    order.event('paid', { value: 12 });
    expect(order.reasons).toEqual(['mismatch', 'overdue']);
    order.now += 5;
    for (let count = 0; count < 2; count += 1) expect(order.conclude('exists').concluded).toBe(true);
    expect([order.state, order.reviews]).toEqual(['overdue', [['overdue', overdueAt]]]);
    expect(order.click(newPayment(2)).effect).toMatchObject({ payment: { referenceId: 'o-2' } });
  });

  test('does not open an earlier payment', () => {
    const order = orderIn('absent');
    order.click(newPayment(2));
    order.give({ type: 'callEnded', commandId: 'x', referenceId: 'o-1', result: accepted });
    expect(order.reviews).toEqual([['exists_after_all', order.now]]);
    order.conclude('exists', { referenceId: 'o-1' });
    expect(order.states).toEqual(['absent', 'sending']);
    expect(order.reviews).toEqual([]);
  });
});

describe('the conclusion over', () => {
  test.each(['look_up', 'open', 'overdue', 'absent', 'declined'] as const)(
    'ends a payment that is %s',
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

  test('is stored at once for a payment that was never sent', () => {
    const order = new OrderUnderTest();
    order.add(newPayment(1));
    expect(order.conclude('over').concluded).toBe(true);
    const sent = sentOrder(failing('call_again'));
    expect([sent.conclude('over').concluded, sent.state]).toEqual([true, 'over']);
  });

  test.each(['accepted', 'overdue'])(
    'is stored before safeFrom if the payment is known to exist: %s',
    (step) => {
      const order = sentOrder(accepted, { safeAfterMs: day }, { lifetimeMs: 1 });
      order.now = step === 'overdue' ? 10 * minute + 1 : 1;
      order.touch();
      expect([order.conclude('over').concluded, order.state]).toEqual([true, 'over']);
    },
  );

  test('is stored before safeFrom for a payment that was accepted after it was refused', () => {
    const order = sentOrder(failing('refused'));
    order.report(accepted);
    expect(order.conclude('over').concluded).toBe(true);
  });

  test.each(['sending', 'unknown', 'look_up'] as const)(
    'is refused before safeFrom for a payment that is not known to exist: %s',
    (state) => {
      const order = new OrderUnderTest();
      order.click(newPayment(1));
      if (state !== 'sending') order.report(failing(state === 'unknown' ? 'repeat' : state));
      order.now = 3 * minute - 1;
      if (state === 'sending') order.now = minute;
      const before = order.order;
      expect(order.conclude('over')).toEqual({ order: before, concluded: false, safeAt: 3 * minute });
      order.lookUp();
      order.now = 3 * minute;
      expect([order.conclude('over').concluded, order.state]).toEqual([true, 'over']);
    },
  );

  test('is refused without safeFrom for a payment that is repeated, until lookUp has stopped it', () => {
    const order = orderIn('unknown');
    const before = order.order;
    expect(order.conclude('over')).toEqual({ order: before, concluded: false });
  });

  test('is refused before safeFrom for a new payment whose send can be missing from a restored database', () => {
    const order = new OrderUnderTest({ restores: [{ at: 0, sinceAt: -1 }] });
    order.click(newPayment(1));
    order.report({ step: 'not_made' });
    expect([order.state, order.conclude('over')]).toEqual([
      'new',
      { order: order.order, concluded: false, safeAt: 3 * minute },
    ]);
  });

  test('closes the mismatch of a paid payment, and leaves it paid', () => {
    const order = orderIn('paid');
    expect(order.conclude('over').concluded).toBe(false);
    order.event('paid', { value: 12 });
    expect(order.conclude('over', {}, 'a').concluded).toBe(true);
    expect(order.conclude('over', {}, 'a').concluded).toBe(true);
    expect([order.state, order.view, order.reviews]).toEqual(['paid', 'paid', []]);
  });
});

describe('the conclusion paid', () => {
  test('pays the order and calls onPaid, as a webhook does', () => {
    const order = sentOrder(failing('look_up'), { onPaid: 'here' });
    expect(order.conclude('paid', {}, 'a')).toMatchObject({
      concluded: true,
      changed: true,
      firstPaid: true,
      effect: { type: 'callOnPaid' },
    });
    expect(order.conclude('paid', {}, 'a')).toMatchObject({ concluded: true, firstPaid: true });
    expect(order.conclude('paid', {}, 'b')).toMatchObject({ concluded: true, firstPaid: false });
  });

  test('closes the mismatch of a paid payment', () => {
    const order = orderIn('paid');
    order.event('paid', { value: 12 });
    order.conclude('paid');
    expect(order.reviews).toEqual([]);
  });
});

describe('a payment that was accepted after it had been recorded as refused or absent', () => {
  test.each(['refused', 'absent'] as const)(
    'keeps the state %s, stores its link and blocks the next payment',
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

  test('becomes overdue like any other payment', () => {
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
