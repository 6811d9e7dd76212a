import { describe, expect, test } from 'vitest';
import { accepted, failing, minute, newPayment, OrderUnderTest, sentOrder } from './order-under-test.js';

describe('a notification', () => {
  test('a notification with a status that nobody knows changes nothing, whatever its amount, if its reference is known', () => {
    const order = sentOrder(accepted);
    const before = order.order;
    const event = { referenceId: 'o-1', status: 'other', value: 5, currency: 'USD' } as const;
    expect(order.give({ type: 'event', commandId: 'e', event, mayCallOnPaid: true })).toEqual({
      order: before,
      changed: false,
    });
    const unknown = { ...event, referenceId: 'o-9' };
    expect(order.give({ type: 'event', commandId: 'e', event: unknown, mayCallOnPaid: true }).problem).toBe(
      'no_reference',
    );
  });

  test('a notification of an unknown reference is a problem', () => {
    const order = sentOrder(accepted);
    const event = { referenceId: 'o-9', status: 'paid', value: 1200, currency: 'VND' } as const;
    expect(order.give({ type: 'event', commandId: 'a', event, mayCallOnPaid: true }).problem).toBe(
      'no_reference',
    );
  });

  test.each([
    ['amount', { value: 12 }],
    ['currency', { currency: 'USD' }],
    ['merchantId', { merchantId: 'other' }],
  ])(
    'a notification with another %s changes no state, and is for review since the first such one',
    (name, more) => {
      const order = sentOrder(accepted);
      order.now = 5;
      expect(order.event('paid', more)).toMatchObject({ mismatch: [name] });
      order.now = 6;
      expect(order.event('declined', more).changed).toBeUndefined();
      expect([order.state, order.reviews]).toEqual(['open', [['mismatch', 5]]]);
    },
  );

  test('a notification that fits leaves an earlier mismatch for review', () => {
    const order = sentOrder(accepted);
    order.event('paid', { value: 12 });
    expect(order.event('paid', { merchantId: 'm' })).toMatchObject({ changed: true, firstPaid: true });
    expect(order.reviews).toEqual([['mismatch', 0]]);
  });

  test.each(['declined', 'expired'] as const)(
    'a notification %s ends a live payment, and the next may begin',
    (status) => {
      const order = sentOrder(accepted);
      order.now = 5;
      expect(order.event(status)).toMatchObject({ changed: true });
      expect(order.payment).toMatchObject({ state: status, stateAt: 5 });
      expect(order.click(newPayment(2)).effect).toMatchObject({ payment: { referenceId: 'o-2' } });
    },
  );

  test('a notification declined ends an overdue payment', () => {
    const order = sentOrder(accepted, {}, { lifetimeMs: minute });
    order.now = 11 * minute;
    order.event('declined');
    expect([order.state, order.reviews]).toEqual(['declined', []]);
  });

  test('a notification declined ends one that was accepted after a person had concluded that it is absent', () => {
    const order = sentOrder(failing('look_up'));
    order.now = 3 * minute;
    order.conclude('absent');
    order.report(accepted);
    expect(order.reviews).toEqual([['exists_after_all', 3 * minute]]);
    order.event('declined');
    expect([order.state, order.reviews]).toEqual(['declined', []]);
  });

  test.each(['declined', 'paid'] as const)('a notification declined after %s changes nothing', (status) => {
    const order = sentOrder(accepted);
    order.event(status);
    const before = order.order;
    expect(order.event('declined')).toMatchObject({ changed: false });
    expect(order.order).toEqual(before);
  });

  test('a notification decided twice has the same result, and another one says that nothing changed', () => {
    const order = sentOrder(accepted);
    order.event('declined', {}, 'a');
    expect(order.event('declined', {}, 'a').changed).toBe(true);
    expect(order.event('expired', {}, 'b').changed).toBe(false);
    order.event('paid', {}, 'c');
    expect(order.event('paid', {}, 'c')).toMatchObject({ changed: true, firstPaid: true });
    expect(order.event('paid', {}, 'd')).toMatchObject({ changed: false, firstPaid: false });
  });

  test.each(['new', 'unknown', 'refused', 'declined'])(
    'a notification paid counts for a payment that is %s',
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

describe('money', () => {
  test('money of a second payment is for review until it is refunded', () => {
    const order = sentOrder(failing('refused'), { hasOnPaid: true });
    order.click(newPayment(2));
    order.event('paid');
    order.give({ type: 'onPaidCalled', commandId: 'x', isDone: true });
    order.now = 5;
    const event = { referenceId: 'o-1', status: 'paid', value: 1200, currency: 'VND' } as const;
    expect(order.give({ type: 'event', commandId: 'b', event, mayCallOnPaid: true })).toMatchObject({
      changed: true,
      firstPaid: false,
    });
    expect(order.give({ type: 'event', commandId: 'b', event, mayCallOnPaid: true }).firstPaid).toBe(false);
    expect(order.order).toMatchObject({ paidBy: 'o-2' });
    expect(order.order.telling).toBeUndefined();
    expect(order.reviews).toEqual([['refund', 5]]);
    order.now = 6;
    order.give({ type: 'refunded', referenceId: 'o-1' });
    expect([order.reviews, order.order.payments[0]?.refundedAt]).toEqual([[], 6]);
    order.now = 7;
    order.give({ type: 'refunded', referenceId: 'o-1' });
    expect(order.order.payments[0]?.refundedAt).toBe(6);
  });

  test('money of a cancelled order is for review, and onPaid is not called', () => {
    const order = sentOrder(accepted, { hasOnPaid: true });
    order.give({ type: 'cancel' });
    expect(order.event('paid')).toEqual({
      order: expect.objectContaining({ cancelledAt: 0 }) as unknown,
      changed: true,
      firstPaid: false,
    });
    expect([order.view, order.reviews, order.dueAt]).toEqual(['cancelled', [['refund', 0]], undefined]);
  });

  test('money is refunded only where there is some', () => {
    const order = sentOrder(accepted);
    order.event('paid');
    const before = order.order;
    order.give({ type: 'refunded', referenceId: 'o-1' });
    expect(order.order).toEqual(before);
    expect(order.give({ type: 'refunded', referenceId: 'o-9' }).problem).toBe('no_reference');
  });
});

describe('cancelling', () => {
  test('cancelling makes a row, is done twice, and is refused for a paid order', () => {
    const order = new OrderUnderTest();
    order.now = 5;
    expect(order.give({ type: 'cancel' }).concluded).toBe(true);
    order.now = 6;
    expect(order.give({ type: 'cancel' }).concluded).toBe(true);
    expect([order.order.cancelledAt, order.view]).toEqual([5, 'cancelled']);
    const paid = sentOrder(accepted);
    paid.event('paid');
    expect([paid.give({ type: 'cancel' }).concluded, paid.view]).toEqual([false, 'paid']);
  });
});

describe('onPaid', () => {
  const paidOrder = (mayCallOnPaid: boolean) => {
    const order = sentOrder(accepted, { hasOnPaid: true });
    return { order, decision: order.event('paid', {}, 'a', mayCallOnPaid) };
  };

  test('onPaid is not called without the option', () => {
    const order = sentOrder(accepted);
    expect(order.event('paid').effect).toBeUndefined();
    expect(order.order.telling).toBeUndefined();
  });

  test('onPaid is called by the notification, with a claim, and the same one if that is decided again', () => {
    const { order, decision } = paidOrder(true);
    expect(decision.effect).toEqual({ type: 'callOnPaid', claim: { token: 'a', endsAt: minute } });
    expect(order.event('paid', {}, 'a').effect).toEqual(decision.effect);
    expect(order.event('paid', {}, 'b').effect).toBeUndefined();
  });

  test('onPaid is called by the sweep after a notification in a transaction of the caller', () => {
    const { order, decision } = paidOrder(false);
    expect([decision.effect, order.dueAt]).toEqual([undefined, 0]);
    expect(order.sweep('b').effect).toEqual({ type: 'callOnPaid', claim: { token: 'b', endsAt: minute } });
    expect(order.sweep('b').effect).toMatchObject({ type: 'callOnPaid' });
    expect(order.sweep('c').effect).toBeUndefined();
  });

  test('onPaid is called again a minute after the claim of a process that ended', () => {
    const { order } = paidOrder(true);
    order.now = 2 * minute - 1;
    expect([order.dueAt, order.sweep().effect]).toEqual([2 * minute, undefined]);
    order.now = 2 * minute;
    expect(order.sweep().effect).toMatchObject({ type: 'callOnPaid' });
  });

  test('onPaid is not called again once it has resolved, whoever says so', () => {
    const { order } = paidOrder(true);
    order.give({ type: 'onPaidCalled', commandId: 'of an earlier claim', isDone: true });
    expect([order.dueAt, order.sweep().effect]).toEqual([undefined, undefined]);
    expect(order.give({ type: 'onPaidCalled', commandId: 'a', isDone: false }).effect).toBeUndefined();
    expect(order.order.telling).toBeUndefined();
  });

  test('onPaid is called again after growing waits, an hour at most, where it fails', () => {
    const { order } = paidOrder(true);
    const waits: number[] = [];
    for (let tries = 1; tries <= 8; tries += 1) {
      order.give({ type: 'onPaidCalled', commandId: tries === 1 ? 'a' : `t${tries}`, isDone: false });
      waits.push(((order.dueAt ?? NaN) - order.now) / minute);
      order.now = order.dueAt ?? NaN;
      order.sweep(`t${tries + 1}`);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });

  test('onPaid that fails under a claim that is over does not end the claim of another process', () => {
    const { order } = paidOrder(true);
    order.now = 2 * minute;
    order.sweep('b');
    const before = order.order;
    order.give({ type: 'onPaidCalled', commandId: 'a', isDone: false });
    expect(order.order).toEqual(before);
  });
});
