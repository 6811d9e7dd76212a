import { describe, expect, test } from 'vitest';
import { reviewsOf } from '../../src/orders/reviews.js';
import { decide } from '../../src/orders/rules.js';
import {
  accepted,
  day,
  dearPayment,
  failing,
  hour,
  minute,
  newPayment,
  OrderUnderTest,
  sentOrder,
} from './order-under-test.js';

describe('a webhook', () => {
  test.each(['paid', 'pending', 'unknown'] as const)(
    'with the status %s of an unknown reference is a problem',
    (status) => {
      const order = sentOrder(accepted);
      const before = order.order;
      expect(order.event(status, { referenceId: 'o-9' })).toEqual({ order: before, problem: 'no_reference' });
    },
  );

  test('with the status pending changes nothing, whatever its amount', () => {
    const order = sentOrder(accepted);
    const before = order.order;
    expect(order.event('pending', { value: 5, currency: 'USD' })).toEqual({ order: before, changed: false });
    expect(order.order).toEqual(before);
  });

  test('with an unknown status only stores its value, whatever its amount', () => {
    const order = sentOrder(accepted);
    const before = order.order;
    const event = { unknownStatus: 'SETTLED', value: 5 };
    expect(order.event('unknown', event)).toMatchObject({ changed: false });
    const payments = before.payments.map((each) => ({ ...each, unknownStatus: 'SETTLED' }));
    expect(order.order).toEqual({ ...before, payments });
    expect([order.view, order.reasons]).toEqual(['started', []]);
    const stored = order.order;
    expect(order.event('unknown', event)).toEqual({ order: stored, changed: false });
    order.event('unknown', { unknownStatus: 'CLEARED' });
    expect(order.payment.unknownStatus).toBe('CLEARED');
  });

  test('with an unknown status stores 100 characters of it', () => {
    const order = sentOrder(accepted);
    order.event('unknown', { unknownStatus: 'S'.repeat(101) });
    expect(order.payment.unknownStatus).toBe('S'.repeat(100));
    const before = order.order;
    expect(order.event('unknown', { unknownStatus: 'S'.repeat(101) }).order).toEqual(before);
  });

  test('returns the same order if its status value is stored already, so that nothing is written', () => {
    const order = sentOrder(accepted);
    const isUnchangedBy = (status: 'pending' | 'unknown', unknownStatus?: string) => {
      const { expected, referenceId } = order.payment;
      const about = { referenceId, value: expected.value, currency: expected.currency };
      const event = { ...about, status, ...(unknownStatus !== undefined && { unknownStatus }) };
      const command = { type: 'event', commandId: 'e', event, canCallOnPaid: true } as const;
      const found = order.order;
      return decide('o', found, command, 0, order.settings).order === found;
    };
    expect([isUnchangedBy('pending'), isUnchangedBy('unknown', 'SETTLED')]).toEqual([true, false]);
    order.event('unknown', { unknownStatus: 'SETTLED' });
    expect([isUnchangedBy('unknown', 'SETTLED'), isUnchangedBy('unknown', 'CLEARED')]).toEqual([true, false]);
  });

  test.each([
    ['pending', {}],
    ['declined', {}],
    ['expired', {}],
    ['paid', {}],
    ['declined', { value: 5 }],
    ['paid', { value: 5 }],
  ] as const)(
    'with the status %s and %o removes the unknown status of an earlier webhook',
    (status, more) => {
      const order = sentOrder(accepted);
      order.event('unknown', { unknownStatus: 'SETTLED' });
      order.event(status, more);
      expect(order.payment).not.toHaveProperty('unknownStatus');
    },
  );

  test('with an unknown status is in the review that it leads to', () => {
    const order = sentOrder(accepted, {}, { lifetimeMs: minute });
    order.event('unknown', { unknownStatus: 'SETTLED' });
    order.now = 11 * minute;
    order.touch();
    expect(reviewsOf(order.order)).toMatchObject([{ reason: 'overdue', unknownStatus: 'SETTLED' }]);
  });

  test.each(['declined', 'expired'] as const)(
    'with the status %s ends a live payment, and the next payment can begin',
    (status) => {
      const order = sentOrder(accepted);
      order.now = 5;
      expect(order.event(status)).toMatchObject({ changed: true });
      expect(order.payment).toMatchObject({ state: status, stateAt: 5 });
      expect(order.click(newPayment(2)).effect).toMatchObject({ payment: { referenceId: 'o-2' } });
    },
  );

  test('with the status declined ends an overdue payment', () => {
    const order = sentOrder(accepted, {}, { lifetimeMs: minute });
    order.now = 11 * minute;
    order.event('declined');
    expect([order.state, order.reviews]).toEqual(['declined', []]);
  });

  test('with the status declined ends a payment that was accepted after your staff had concluded absent', () => {
    const order = sentOrder(failing('look_up'));
    order.now = 3 * minute;
    order.conclude('absent');
    order.report(accepted);
    expect(order.reviews).toEqual([['exists_after_all', 3 * minute]]);
    order.event('declined');
    expect([order.state, order.reviews]).toEqual(['declined', []]);
  });

  test.each(['declined', 'paid'] as const)('with the status declined changes nothing after %s', (status) => {
    const order = sentOrder(accepted);
    order.event(status);
    const before = order.order;
    expect(order.event('declined')).toMatchObject({ changed: false });
    expect(order.order).toEqual(before);
  });

  test('has the same result if it is decided again. A second webhook reports no change', () => {
    const order = sentOrder(accepted);
    order.event('declined', {}, 'a');
    expect(order.event('declined', {}, 'a').changed).toBe(true);
    expect(order.event('expired', {}, 'b').changed).toBe(false);
    order.event('paid', {}, 'c');
    expect(order.event('paid', {}, 'c')).toMatchObject({ changed: true, firstPaid: true });
    expect(order.event('paid', {}, 'd')).toMatchObject({ changed: false, firstPaid: false });
  });

  test.each(['new', 'unknown', 'refused', 'declined'])(
    'with the status paid pays the order with a payment that is %s',
    (state) => {
      const results = {
        new: failing('call_again'),
        unknown: failing('repeat'),
        refused: failing('refused'),
        declined: accepted,
      };
      const order = sentOrder(results[state as keyof typeof results]);
      if (state === 'declined') order.event('declined');
      order.now = 5;
      expect(order.event('paid')).toMatchObject({ changed: true, firstPaid: true });
      expect(order.order).toMatchObject({
        paidBy: 'o-1',
        paidAt: 5,
        payments: [{ state: 'paid', stateAt: 5 }],
      });
      expect([order.view, order.dueAt, order.reviews]).toEqual(['paid', undefined, []]);
    },
  );
});

describe('a webhook with a mismatch', () => {
  test.each([
    ['amount', { value: 12 }],
    ['currency', { currency: 'USD' }],
    ['merchantId', { merchantId: 'other' }],
  ])('of the %s changes no state, and is for review since the first such webhook', (name, more) => {
    const order = sentOrder(accepted);
    order.now = 5;
    expect(order.event('declined', more)).toEqual({
      order: expect.objectContaining({ orderId: 'o' }) as unknown,
      mismatch: [name],
    });
    order.now = 6;
    expect(order.event('paid', more).changed).toBeUndefined();
    expect([order.state, order.reviews]).toEqual(['open', [['mismatch', 5]]]);
  });

  test('returns every field that differs', () => {
    const order = sentOrder(accepted);
    const { mismatch } = order.event('paid', { value: 12, currency: 'USD', merchantId: 'other' });
    expect(mismatch).toEqual(['amount', 'currency', 'merchantId']);
  });

  test('stays for review after a webhook that fits, with or without its merchant', () => {
    const order = sentOrder(accepted);
    order.event('paid', { value: 12 });
    expect(order.event('paid', { merchantId: 'm' })).toMatchObject({ changed: true, firstPaid: true });
    expect(order.reviews).toEqual([['mismatch', 0]]);
  });

  test('and the status paid blocks the next payment in any state, until your staff conclude', () => {
    for (const end of ['declined', 'expired'] as const) {
      const order = sentOrder(accepted);
      order.event('paid', { value: 12 });
      // A later one that says something else does not take it back.
      order.event('declined', { value: 12 });
      expect(order.view).toBe('checking');
      order.event(end);
      expect([order.click(newPayment(2)).effect, order.state, order.view]).toEqual([
        undefined,
        end,
        'checking',
      ]);
      expect(order.conclude('exists').concluded).toBe(true);
      expect(order.view).toBe('over');
      expect(order.click(newPayment(2)).effect).toMatchObject({ payment: { referenceId: 'o-2' } });
    }
  });

  test.each([
    ['refused', 'absent'],
    ['refused', 'over'],
    ['look_up', 'absent'],
    ['fix', 'over'],
  ] as const)(
    'and the status paid, for a payment whose call ended with %s, blocks until the conclusion %s',
    (step, conclusion) => {
      const order = sentOrder(failing(step));
      order.event('paid', { value: 12 });
      order.now = 3 * minute;
      expect([order.click(newPayment(2)).effect, order.click(dearPayment(2)).effect, order.view]).toEqual([
        undefined,
        undefined,
        'checking',
      ]);
      expect(order.conclude(conclusion).concluded).toBe(true);
      expect(order.click(newPayment(2)).effect).toMatchObject({ type: 'send' });
    },
  );

  test('and the status paid stops a payment that was never sent', () => {
    const order = sentOrder(failing('call_again'));
    order.event('paid', { value: 12 });
    order.now = day;
    expect([order.dueAt, order.click().effect, order.sweep().effect]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    order.conclude('exists');
    expect(order.state).toBe('open');
  });

  test.each(['declined', 'expired'] as const)(
    'and the status %s does not block a payment after the end of the last one',
    (status) => {
      const order = sentOrder(accepted);
      order.event(status, { value: 12 });
      expect(order.view).toBe('started');
      order.event('declined');
      expect(order.click(newPayment(2)).effect).toMatchObject({ type: 'send' });
    },
  );

  test.each(['paid', 'declined'] as const)(
    'and the status %s makes a payment overdue, not expired, and blocks until your staff conclude',
    (status) => {
      const order = sentOrder(accepted, { reviewOverdue: false }, { lifetimeMs: minute });
      order.event(status, { value: 12 });
      order.now = 11 * minute;
      expect(order.click(newPayment(2)).effect).toBeUndefined();
      expect([order.state, order.view]).toEqual(['overdue', 'checking']);
      order.conclude('over');
      expect(order.click(newPayment(2)).effect).toMatchObject({ payment: { referenceId: 'o-2' } });
    },
  );
});

describe('a refund', () => {
  test('of a second payment is for review until it is marked', () => {
    const order = sentOrder(failing('refused'), { onPaid: 'here' });
    order.now = 5_000;
    order.click(newPayment(2));
    order.event('paid');
    order.give({ type: 'onPaidCalled', commandId: 'x', isDone: true });
    order.now = 6_000;
    const first = { referenceId: 'o-1' };
    expect(order.event('paid', first, 'b')).toMatchObject({ changed: true, firstPaid: false });
    expect(order.event('paid', first, 'b').firstPaid).toBe(false);
    expect(order.order).toMatchObject({ paidBy: 'o-2' });
    expect(order.order.pendingOnPaid).toBeUndefined();
    expect(order.reviews).toEqual([['refund', 6_000]]);
    order.now = 7_000;
    expect(order.refunded('o-1').concluded).toBe(true);
    expect([order.reviews, order.order.payments[0]?.refundedAt]).toEqual([[], 7_000]);
    order.now = 8_000;
    expect(order.refunded('o-1').concluded).toBe(true);
    expect(order.order.payments[0]?.refundedAt).toBe(7_000);
  });

  test('of a payment of a cancelled order is for review, and onPaid is not called', () => {
    const order = sentOrder(accepted, { onPaid: 'here' });
    order.cancel();
    expect(order.event('paid')).toEqual({
      order: expect.objectContaining({ cancelledAt: 0 }) as unknown,
      changed: true,
      firstPaid: false,
    });
    expect([order.view, order.reviews, order.dueAt]).toEqual(['cancelled', [['refund', 0]], undefined]);
  });

  test.each(['open', 'paid'] as const)('cannot be marked for a payment that is %s', (state) => {
    const order = sentOrder(accepted);
    if (state === 'paid') order.event('paid');
    const before = order.order;
    expect(order.refunded()).toEqual({ order: before, concluded: false });
    expect(order.refunded('o-9').problem).toBe('no_reference');
  });
});

describe('cancelling', () => {
  test('stores an unknown order, can be repeated, and is refused for a paid order', () => {
    const order = new OrderUnderTest();
    order.now = 5;
    expect(order.cancel().concluded).toBe(true);
    order.now = 6;
    expect(order.cancel().concluded).toBe(true);
    expect([order.order.cancelledAt, order.view]).toEqual([5, 'cancelled']);
    const paid = sentOrder(accepted);
    paid.event('paid');
    expect([paid.cancel().concluded, paid.view]).toEqual([false, 'paid']);
  });
});

describe('onPaid', () => {
  const paidOrder = (canCallOnPaid: boolean) => {
    const order = sentOrder(accepted, { onPaid: 'here' });
    return { order, decision: order.event('paid', {}, 'a', canCallOnPaid) };
  };

  test('is not called with firstPaid, and is not stored as pending', () => {
    const order = sentOrder(accepted, { onPaid: 'firstPaid' });
    expect(order.event('paid').effect).toBeUndefined();
    expect([order.order.pendingOnPaid, order.dueAt]).toEqual([undefined, undefined]);
  });

  test('is called by the webhook under a claim, which stays the same if the webhook is decided again', () => {
    const { order, decision } = paidOrder(true);
    expect(decision.effect).toEqual({ type: 'callOnPaid', claim: { token: 'a', endsAt: minute } });
    expect(order.event('paid', {}, 'a').effect).toEqual(decision.effect);
    expect(order.event('paid', {}, 'b').effect).toBeUndefined();
  });

  test('is called by the sweep after a webhook in a transaction of the caller', () => {
    const { order, decision } = paidOrder(false);
    expect([decision.effect, order.dueAt]).toEqual([undefined, 0]);
    expect(order.sweep('b').effect).toEqual({ type: 'callOnPaid', claim: { token: 'b', endsAt: minute } });
    expect(order.sweep('b').effect).toMatchObject({ type: 'callOnPaid' });
    expect(order.sweep('c').effect).toBeUndefined();
  });

  test('is called again a minute after the end of the claim of a process that crashed', () => {
    const { order } = paidOrder(true);
    order.now = 2 * minute - 1;
    expect([order.dueAt, order.sweep().effect]).toEqual([2 * minute, undefined]);
    order.now = 2 * minute;
    expect(order.sweep().effect).toMatchObject({ type: 'callOnPaid' });
  });

  test('is not called again after it has resolved, under any claim', () => {
    const { order } = paidOrder(true);
    order.give({ type: 'onPaidCalled', commandId: 'of an earlier claim', isDone: true });
    expect([order.dueAt, order.sweep().effect]).toEqual([undefined, undefined]);
    expect(order.give({ type: 'onPaidCalled', commandId: 'a', isDone: false }).effect).toBeUndefined();
    expect(order.order.pendingOnPaid).toBeUndefined();
  });

  test('is called again after growing waits of at most an hour if it fails', () => {
    const { order } = paidOrder(true);
    const waits: number[] = [];
    for (let tries = 1; tries <= 8; tries += 1) {
      order.give({ type: 'onPaidCalled', commandId: tries === 1 ? 'a' : `t${tries}`, isDone: false });
      const { nextAt = NaN } = order.order.pendingOnPaid ?? {};
      waits.push((nextAt - order.now) / minute);
      order.now = nextAt;
      order.sweep(`t${tries + 1}`);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });

  test('does not end the claim of another process if it fails after its own claim', () => {
    const { order } = paidOrder(true);
    order.now = 2 * minute;
    order.sweep('b');
    const before = order.order;
    order.give({ type: 'onPaidCalled', commandId: 'a', isDone: false });
    expect(order.order).toEqual(before);
  });

  test('is for review after an hour without success, since the order was paid', () => {
    const { order } = paidOrder(true);
    order.now = hour - 1;
    order.touch();
    expect(order.reviews).toEqual([]);
    order.now = hour;
    order.touch();
    expect(order.reviews).toEqual([['on_paid_due', 0]]);
    order.sweep('b');
    expect([order.reasons, order.dueAt]).toEqual([['on_paid_due'], hour + 2 * minute]);
    order.give({ type: 'onPaidCalled', commandId: 'b', isDone: true });
    expect(order.reviews).toEqual([]);
  });

  test('makes the order due after an hour, so that a sweep lists it for review', () => {
    const { order } = paidOrder(true);
    for (let tries = 1; order.now < 50 * minute; tries += 1) {
      order.give({ type: 'onPaidCalled', commandId: tries === 1 ? 'a' : `t${tries}`, isDone: false });
      if ((order.dueAt ?? NaN) >= hour) break;
      order.now = order.dueAt ?? NaN;
      order.sweep(`t${tries + 1}`);
    }
    expect(order.dueAt).toBe(hour);
  });
});

describe("onPaid of another process, 'elsewhere'", () => {
  const paidElsewhere = () => {
    const order = sentOrder(accepted, { onPaid: 'elsewhere' });
    return { order, decision: order.event('paid', {}, 'a') };
  };

  test('is stored as due at once, and is called only by a process that has the function', () => {
    const { order, decision } = paidElsewhere();
    expect(decision).toMatchObject({ firstPaid: true });
    expect(decision.effect).toBeUndefined();
    for (const onPaid of ['elsewhere', 'firstPaid'] as const) {
      order.use({ onPaid });
      const before = order.order;
      expect(order.sweep()).toEqual({ order: before });
      expect([order.order, order.dueAt]).toEqual([before, 0]);
    }
    order.use({ onPaid: 'here' });
    expect(order.sweep('b').effect).toMatchObject({ type: 'callOnPaid', claim: { token: 'b' } });
  });

  test('does not stop the uploads of this process', () => {
    const { order } = paidElsewhere();
    order.addInvoice('a');
    expect(order.sweep().effect).toMatchObject({ type: 'upload' });
  });

  test('is for review after an hour, and stays due', () => {
    const { order } = paidElsewhere();
    order.now = hour;
    order.sweep();
    expect([order.reviews, order.dueAt]).toEqual([[['on_paid_due', 0]], 0]);
  });
});
