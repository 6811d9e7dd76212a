import { describe, expect, test } from 'vitest';
import { needsClient } from '../../src/orders/due.js';
import {
  accepted,
  day,
  failing,
  hour,
  minute,
  newPayment,
  OrderUnderTest,
  sentOrder,
} from './order-under-test.js';

/** A restore that is older than every payment here, and younger than two days. */
const justRestored = { restores: [{ at: 0, sinceAt: -1 }] };

describe('a checkout', () => {
  test('creates the order, its first payment and a claim that ends after claimMs', () => {
    const order = new OrderUnderTest();
    order.now = 5;
    const { effect } = order.click(newPayment(1), 'a');
    expect(effect).toMatchObject({ type: 'send', claim: { token: 'a', endsAt: 5 + minute } });
    expect(order.payment).toMatchObject({
      state: 'sending',
      addedAt: 5,
      sends: 1,
      firstSendAt: 5,
      safeAt: 5 + 3 * minute,
    });
  });

  test('without a request is a problem for an unknown order, and stores nothing', () => {
    expect(new OrderUnderTest().click()).toEqual({ order: undefined, problem: 'no_order' });
    expect(new OrderUnderTest().sweep()).toEqual({ order: undefined, problem: 'no_order' });
  });

  test('does nothing while another process sends', () => {
    const order = new OrderUnderTest();
    order.click(newPayment(1));
    const before = order.order;
    expect(order.click(newPayment(2)).effect).toBeUndefined();
    expect(order.order).toEqual(before);
  });

  test('keeps its claim if it is decided again', () => {
    const order = new OrderUnderTest();
    const { effect } = order.click(newPayment(1), 'a');
    expect(order.click(newPayment(2), 'a').effect).toEqual(effect);
    expect(order.order.payments).toHaveLength(1);
  });

  test.each(['refused', 'over'])('begins the next payment of an order whose view is %s', (view) => {
    const order = sentOrder(view === 'refused' ? failing('refused') : accepted);
    if (view === 'over') order.event('declined');
    order.now = 5_000;
    expect(order.view).toBe(view);
    expect(order.click(newPayment(2)).effect).toMatchObject({ payment: { referenceId: 'o-2' } });
  });

  test('begins the next payment as soon as the last payment is overdue', () => {
    const order = sentOrder(accepted, {}, { lifetimeMs: 20 * minute });
    order.now = 30 * minute - 1;
    expect(order.click(newPayment(2)).effect).toBeUndefined();
    order.now += 1;
    expect(order.click(newPayment(2)).effect).toMatchObject({ payment: { referenceId: 'o-2' } });
    expect(order.order.payments[0]?.state).toBe('overdue');
  });

  test('sends nothing for a paid or cancelled order', () => {
    const paid = sentOrder(accepted);
    paid.event('paid');
    expect(paid.click(newPayment(2)).effect).toBeUndefined();
    expect(paid.order.payments).toHaveLength(1);
    const cancelled = new OrderUnderTest();
    cancelled.add(newPayment(1));
    cancelled.cancel();
    expect(cancelled.click().effect).toBeUndefined();
    expect([cancelled.view, cancelled.dueAt, cancelled.reviews]).toEqual(['cancelled', undefined, []]);
  });

  test('waits for the back-off and Retry-After if nothing was sent', () => {
    const order = sentOrder(failing('call_again', 5 * minute));
    order.now = 5 * minute - 1;
    expect(order.click().effect).toBeUndefined();
    order.now = 5 * minute;
    expect(order.click().effect).toMatchObject({ payment: { sends: 2, mayExist: false } });
    order.report(failing('call_again'));
    expect([order.click().effect, order.view]).toEqual([undefined, 'new']);
    order.now = 7 * minute;
    expect(order.click().effect).toMatchObject({ payment: { sends: 3 } });
  });

  test('does not repeat an unknown outcome before the back-off is over', () => {
    const order = sentOrder(failing('repeat'));
    order.now = minute - 1;
    expect([order.click().effect, order.view]).toEqual([undefined, 'checking']);
    order.now = minute;
    expect(order.click().effect).toMatchObject({ payment: { sends: 2, mayExist: true } });
  });
});

describe('a checkout after a refusal', () => {
  test.each([
    [1, 5],
    [2, 10],
    [3, 20],
    [7, 320],
    [8, 600],
    [12, 600],
  ])('gets refusal %i of the same content again, without a request, for %i s', (refusals, seconds) => {
    const order = new OrderUnderTest();
    for (let number = 1; number <= refusals; number += 1) {
      order.now += 10 * minute;
      order.click(newPayment(number));
      order.report(failing('refused'));
    }
    const next = newPayment(refusals + 1);
    const refusedAt = order.now;
    order.now = refusedAt + seconds * 1000 - 1;
    expect([order.click(next).effect, order.view]).toEqual([undefined, 'refused']);
    order.now += 1;
    expect(order.click(next).effect).toMatchObject({ payment: next });
  });

  test('sends a different content at once', () => {
    const order = sentOrder(failing('refused'));
    expect(order.click(newPayment(2, { contentHash: 'corrected' })).effect).toMatchObject({ type: 'send' });
  });

  test('counts the refusals of the same content since the last other payment', () => {
    const order = sentOrder(failing('refused'));
    order.click(newPayment(2, { contentHash: 'corrected' }));
    order.report(failing('refused'));
    order.click(newPayment(3));
    order.report(failing('refused'));
    order.now = 5_000;
    order.click(newPayment(4));
    order.report(accepted);
    order.event('declined');
    order.click(newPayment(5));
    order.report(failing('refused'));
    order.now += 4_999;
    expect(order.click(newPayment(6)).effect).toBeUndefined();
    order.now += 1;
    expect(order.click(newPayment(6)).effect).toMatchObject({ type: 'send' });
  });
});

describe('mostPayments', () => {
  const settings = { mostPayments: 2 };

  function declinedTwice(): OrderUnderTest {
    const order = sentOrder(accepted, settings);
    order.event('declined');
    order.click(newPayment(2));
    order.report(accepted);
    order.event('declined');
    return order;
  }

  test('blocks further payments, and lists the order for review since the first checkout', () => {
    const order = declinedTwice();
    expect(order.reviews).toEqual([]);
    order.now = 5;
    expect(order.click(newPayment(3)).effect).toBeUndefined();
    order.now = 6;
    order.add(newPayment(3));
    expect([order.states, order.reviews]).toEqual([['declined', 'declined'], [['too_many', 5]]]);
  });

  test('allows the next payment after it is raised, and ends the review', () => {
    const order = declinedTwice();
    order.click(newPayment(3));
    order.use({ mostPayments: 3 });
    expect(order.click(newPayment(3)).effect).toMatchObject({ payment: { referenceId: 'o-3' } });
    expect(order.reasons).toEqual([]);
  });

  test.each(['paid', 'cancelled'])('ends its review once the order is %s', (end) => {
    const order = declinedTwice();
    order.click(newPayment(3));
    if (end === 'paid') order.event('paid');
    else order.cancel();
    expect([order.view, order.reasons]).toEqual([end, []]);
  });

  test('does not count a checkout while a payment is live', () => {
    const order = sentOrder(accepted, { mostPayments: 1 });
    order.click(newPayment(2));
    expect(order.reasons).toEqual([]);
  });
});

test('the next payment removes the requests of ended payments, and keeps their amounts', () => {
  const order = sentOrder(accepted, {}, { expected: { ...newPayment(1).expected, storeId: 's' } });
  order.click(newPayment(2));
  expect(order.payment.request).toBe('{}');
  order.event('declined');
  order.click(newPayment(2));
  const [first, second] = order.order.payments;
  expect([first?.request, second?.request]).toEqual([undefined, '{}']);
  expect(first?.expected).toEqual({ value: 1200, currency: 'VND', merchantId: 'm', storeId: 's' });
});

describe('an account without a client', () => {
  function withoutClient(): OrderUnderTest {
    const order = new OrderUnderTest();
    order.add(newPayment(1));
    order.now = minute;
    expect(order.sweep('a', false).effect).toBeUndefined();
    return order;
  }

  test('makes the sweep wait for as long as there has been no client, and at most an hour', () => {
    const order = withoutClient();
    const waits: number[] = [];
    for (let count = 0; count < 10; count += 1) {
      waits.push(((order.dueAt ?? NaN) - order.now) / minute);
      order.now = order.dueAt ?? NaN;
      order.sweep(order.commandId(), false);
    }
    expect([waits, order.payment.sends]).toEqual([[1, 1, 2, 4, 8, 16, 32, 60, 60, 60], 0]);
    order.now -= 1;
    expect(order.sweep().effect).toBeUndefined();
  });

  test('is for review after a day, until a payment is claimed', () => {
    const order = withoutClient();
    order.now = minute + day - 1;
    order.sweep(order.commandId(), false);
    expect(order.reviews).toEqual([]);
    order.now = minute + day;
    order.click(undefined, order.commandId(), false);
    expect([order.reviews, order.view]).toEqual([[['no_client', minute]], 'new']);
    expect(order.click().effect).toMatchObject({ type: 'send' });
    expect([order.reviews, order.order.noClient]).toEqual([[], undefined]);
  });

  test('makes a checkout store the payment without sending it', () => {
    const order = new OrderUnderTest();
    expect(order.click(newPayment(1), 'a', false).effect).toBeUndefined();
    expect([order.view, order.dueAt, order.payment.sends]).toEqual(['new', minute, 0]);
    expect(order.click(undefined, 'b').effect).toMatchObject({ type: 'send' });
  });

  test('does not affect a checkout that sends nothing', () => {
    const order = sentOrder(accepted);
    order.click(newPayment(2), 'a', false);
    expect(order.order.noClient).toBeUndefined();
  });

  test.each(['paid', 'cancelled'])('is removed once the order is %s', (end) => {
    const order = withoutClient();
    if (end === 'paid') order.event('paid');
    else order.cancel();
    expect(order.order.noClient).toBeUndefined();
  });

  test.each([
    ['call_again', true],
    ['repeat', true],
    ['look_up', false],
    ['accepted', false],
  ] as const)('affects a sweep of an order whose call ended with %s: %s', (step, needs) => {
    const order = sentOrder(step === 'accepted' ? accepted : failing(step));
    expect(needsClient(order.order)).toBe(needs);
    order.event('paid');
    expect(needsClient(order.order)).toBe(false);
    order.addInvoice('a');
    expect(needsClient(order.order)).toBe(true);
  });

  test('makes an upload wait too, until it is claimed', () => {
    const order = sentOrder(accepted);
    order.event('paid');
    order.addInvoice('a');
    expect([order.sweep('a', false).effect, order.dueAt]).toEqual([undefined, minute]);
    order.now = day;
    order.sweep('b', false);
    expect(order.reasons).toEqual(['no_client']);
    order.now += hour;
    expect(order.sweep('c').effect).toMatchObject({ type: 'upload' });
    expect(order.reasons).toEqual([]);
  });

  test('is for review after a day for a payment whose outcome is unknown', () => {
    const order = sentOrder(failing('repeat'));
    order.now = minute;
    order.sweep('a', false);
    order.now = minute + day;
    order.sweep('b', false);
    expect(order.reviews).toEqual([['no_client', minute]]);
  });

  test('is not for review once its last upload was concluded', () => {
    const order = sentOrder(accepted);
    order.event('paid');
    order.addInvoice('a');
    order.sweep('a', false);
    order.now = day;
    order.sweep('b', false);
    order.give({ type: 'concludeInvoice', number: 1, conclusion: 'stored' });
    expect(order.reasons).toEqual([]);
  });

  test('does not stop the sweep from calling onPaid', () => {
    const order = sentOrder(accepted, { onPaid: 'here' });
    order.event('paid', {}, 'a', false);
    expect(order.sweep('b', false).effect).toMatchObject({ type: 'callOnPaid' });
  });
});

describe('an order of another account', () => {
  const order = new OrderUnderTest();
  order.give({ type: 'start', commandId: 'a', account: 'x', next: newPayment(1) });
  const event = { referenceId: 'o-1', status: 'paid', value: 1200, currency: 'VND' } as const;

  test.each([
    { type: 'start', commandId: 'b', next: newPayment(2) },
    { type: 'start', commandId: 'b' },
    { type: 'add', next: newPayment(2) },
    { type: 'event', commandId: 'b', event, canCallOnPaid: true },
    { type: 'cancel' },
    { type: 'addInvoice', upload: '{}', contentHash: 'a' },
  ] as const)('is not changed by the command %o', (command) => {
    const before = order.order;
    expect(order.give({ ...command, account: 'y' })).toEqual({ order: before, problem: 'other_account' });
    expect(order.order).toEqual(before);
  });

  test('is changed by a command with its account or without an account', () => {
    expect(order.give({ type: 'start', commandId: 'b', account: 'x' }).problem).toBeUndefined();
    expect(order.give({ type: 'start', commandId: 'b' }).problem).toBeUndefined();
    expect(order.order.account).toBe('x');
  });

  test('includes an order that was stored without an account', () => {
    const single = new OrderUnderTest();
    single.cancel();
    const command = { type: 'start', commandId: 'a', account: 'x', next: newPayment(1) } as const;
    expect(single.give(command).problem).toBe('other_account');
    expect(single.order).not.toHaveProperty('account');
  });

  test.each([{ type: 'add', next: newPayment(1) }, { type: 'cancel' }] as const)(
    'gets its account from the command that creates it: %o',
    (command) => {
      const made = new OrderUnderTest();
      made.give({ ...command, account: 'x' });
      expect(made.order.account).toBe('x');
    },
  );
});

describe('a state of a later version', () => {
  function ofLaterVersion(state = 'authorised'): OrderUnderTest {
    const { order } = sentOrder(accepted);
    const payments = order.payments.map((each) => ({ ...each, state })) as never;
    return new OrderUnderTest({}, { ...order, payments });
  }

  test('counts as live, is shown as checking, and blocks another payment', () => {
    const order = ofLaterVersion();
    order.now = 90 * day;
    expect([order.click(newPayment(2)).effect, order.sweep().effect]).toEqual([undefined, undefined]);
    expect([order.states, order.view]).toEqual([['authorised'], 'checking']);
  });

  test('is for review as unreadable', () => {
    const order = ofLaterVersion();
    expect([order.dueAt, order.reviews]).toEqual([undefined, [['unreadable', 0]]]);
    order.event('paid');
    expect(order.reviews).toEqual([]);
  });

  test('is for review as unreadable, even if an invoice can be in it today', () => {
    expect(ofLaterVersion('stored').reviews).toEqual([['unreadable', 0]]);
  });

  test.each(['paid', 'declined'] as const)('is ended by a webhook that says %s', (status) => {
    const order = ofLaterVersion();
    expect(order.event(status).changed).toBe(true);
    expect(order.state).toBe(status);
  });
});

describe('a payment that was only added', () => {
  test('is due after a minute, and is sent by a checkout at once', () => {
    const order = new OrderUnderTest();
    expect(order.give({ type: 'add', account: 'x', next: newPayment(1) }).effect).toBeUndefined();
    expect([order.view, order.dueAt, order.order.account]).toEqual(['new', minute, 'x']);
    order.now = minute - 1;
    expect(order.sweep().effect).toBeUndefined();
    expect(order.click().effect).toMatchObject({ type: 'send' });
  });

  test('is not stored beside a payment that might be live', () => {
    const order = sentOrder(failing('look_up'));
    order.add(newPayment(2));
    expect(order.order.payments).toHaveLength(1);
  });
});

describe('the result of a call', () => {
  test('opens an accepted payment with its link', () => {
    const order = sentOrder({ ...accepted, qrData: 'qr' });
    expect(order.payment).toMatchObject({
      state: 'open',
      paymentUrl: 'https://pay/1',
      qrData: 'qr',
      openedAt: 0,
    });
    expect(order.view).toBe('started');
  });

  test('removes the error of an earlier call if the payment was accepted', () => {
    const order = sentOrder(failing('repeat'));
    order.now = minute;
    order.sweep();
    order.report(accepted);
    expect(order.payment.error).toBeUndefined();
  });

  test('changes nothing the second time', () => {
    const order = sentOrder(accepted);
    const before = order.order;
    order.now = minute;
    order.report({ step: 'accepted', paymentUrl: 'https://pay/2', qrData: 'qr' });
    expect(order.order).toEqual(before);
  });

  test('adds its link to an open payment without a link', () => {
    const order = sentOrder(failing('look_up'));
    order.conclude('exists');
    expect([order.state, order.view]).toEqual(['open', 'checking']);
    order.report(accepted, 'of an earlier claim');
    expect([order.payment.paymentUrl, order.view]).toEqual(['https://pay/1', 'started']);
  });

  test('stores the link of a declined payment, and keeps its state', () => {
    const order = sentOrder(failing('repeat'));
    order.event('declined');
    order.report(accepted);
    expect(order.payment).toMatchObject({ state: 'declined', paymentUrl: 'https://pay/1' });
  });

  test('changes nothing for a payment that is missing from a restored database', () => {
    const order = sentOrder(failing('repeat'));
    const before = order.order;
    order.give({ type: 'callEnded', commandId: 'x', referenceId: 'o-9', result: accepted });
    expect(order.order).toEqual(before);
  });

  test.each(['refused', 'repeat', 'look_up'] as const)('is stored only for the current claim: %s', (step) => {
    const order = sentOrder(failing('repeat'));
    order.now = minute;
    order.sweep();
    const before = order.order;
    order.report(failing(step), 'of an earlier claim');
    expect(order.order).toEqual(before);
  });

  test('does not make the payment refused after lookUp has stopped it', () => {
    const order = new OrderUnderTest();
    order.click(newPayment(1));
    order.lookUp();
    order.report(failing('refused'));
    expect(order.state).toBe('look_up');
  });

  test('is stored after the end of its claim, unless another command came before it', () => {
    const order = new OrderUnderTest();
    order.click(newPayment(1));
    order.now = day;
    order.report(failing('refused'));
    expect(order.state).toBe('refused');
  });

  test.each([
    ['fix', 'look_up'],
    ['call_again', 'unknown'],
    ['refused', 'look_up'],
    ['repeat', 'unknown'],
    ['look_up', 'look_up'],
  ] as const)('with %s makes a payment that might exist already %s', (step, state) => {
    const order = sentOrder(failing(step), justRestored);
    expect(order.payment).toMatchObject({ state, mayExist: true });
  });

  test.each([
    ['refused', 'refused', false],
    ['repeat', 'unknown', true],
    ['look_up', 'look_up', true],
    ['fix', 'new', false],
    ['call_again', 'new', false],
  ] as const)('with %s makes a payment %s', (step, state, mayExist) => {
    const order = sentOrder(failing(step));
    expect(order.payment).toMatchObject({ state, mayExist, error: { code: 'CODE' } });
  });

  test('fix leaves the payment to your staff or a checkout, not to the sweep', () => {
    const order = sentOrder(failing('fix'));
    expect([order.dueAt, order.reviews, order.view]).toEqual([undefined, [['not_sent', 0]], 'new']);
    expect(order.click().effect).toMatchObject({ type: 'send' });
    expect(order.reviews).toEqual([]);
  });

  test('restores the payment as it was before the claim, for a minute, if nothing was sent', () => {
    const order = sentOrder(failing('fix'));
    const before = order.payment;
    order.now = minute;
    order.click();
    order.report({ step: 'not_made' });
    const { claim: _claim, safeAt: _safeAt, nextAt, ...after } = order.payment;
    expect(before).toMatchObject(after);
    expect(after).toMatchObject({ state: 'new', sends: 1, givenUpAt: 0, stateAt: 0 });
    expect(nextAt).toBe(2 * minute);
    expect(after).not.toHaveProperty('firstSendAt');
  });

  test('keeps the time of the first send, if nothing was sent', () => {
    const order = sentOrder(failing('repeat'));
    order.now = minute;
    order.sweep();
    order.report({ step: 'not_made' });
    expect(order.payment).toMatchObject({ state: 'unknown', sends: 1, firstSendAt: 0, stateAt: 0 });
    expect(order.dueAt).toBe(2 * minute);
  });
});

describe('repeats', () => {
  test('follow the previous send after repeatAfterMs, and then after twice as long each time', () => {
    const order = sentOrder(failing('repeat'));
    const waits: number[] = [];
    while (order.state === 'unknown' && waits.length < 20) {
      const sentAt = order.now;
      order.now = order.dueAt ?? NaN;
      waits.push((order.now - sentAt) / minute);
      order.sweep();
      order.report(failing('repeat'));
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256]);
    expect([order.payment.sends, order.state, order.reviews]).toEqual([
      10,
      'look_up',
      [['look_up', order.now]],
    ]);
  });

  test('wait for the back-off from the time of the send, however long the call took', () => {
    const order = new OrderUnderTest();
    order.click(newPayment(1));
    order.now = 45_000;
    order.report(failing('repeat'));
    expect(order.dueAt).toBe(minute);
  });

  test('wait for Retry-After, and at most a day', () => {
    expect(sentOrder(failing('repeat', 7 * minute)).dueAt).toBe(7 * minute);
    expect(sentOrder(failing('repeat', 1)).dueAt).toBe(minute);
    expect(sentOrder(failing('call_again', 9 * day)).dueAt).toBe(day);
    expect(sentOrder(failing('call_again', 1)).dueAt).toBe(minute);
  });

  test('follow a claim without a result a minute after its end', () => {
    const order = new OrderUnderTest();
    order.click(newPayment(1));
    order.now = 2 * minute - 1;
    expect([order.dueAt, order.sweep().effect]).toEqual([2 * minute, undefined]);
    order.now = 2 * minute;
    expect(order.sweep().effect).toMatchObject({ payment: { sends: 2, mayExist: true } });
  });

  test('wait for the back-off after a claim without a result', () => {
    const order = new OrderUnderTest({ repeatAfterMs: 5 * minute });
    order.click(newPayment(1));
    order.now = 2 * minute;
    expect(order.sweep().effect).toBeUndefined();
    expect([order.state, order.dueAt]).toEqual(['unknown', 5 * minute]);
  });

  test('stop after the time to pay, which begins with the first send that can have reached the service', () => {
    const order = sentOrder(failing('call_again'), {}, { lifetimeMs: 3 * minute });
    order.now = 2 * minute;
    order.sweep();
    order.report(failing('repeat'));
    expect(order.state).toBe('unknown');
    order.now = 5 * minute - 1;
    expect(order.click().effect).toMatchObject({ payment: { sends: 3 } });
    order.report({ step: 'not_made' });
    order.now = 5 * minute;
    order.sweep();
    expect(order.state).toBe('look_up');
  });

  test('are due at the end of the time to pay at the latest', () => {
    const order = sentOrder(failing('repeat', day), {}, { lifetimeMs: 3 * minute });
    expect(order.dueAt).toBe(3 * minute);
  });

  test('are not made with repeatUnknown: false, even after a claim without a result', () => {
    expect(sentOrder(failing('repeat'), { repeatUnknown: false }).state).toBe('look_up');
    const order = new OrderUnderTest({ repeatUnknown: false });
    order.click(newPayment(1));
    order.now = 2 * minute;
    order.sweep();
    expect(order.state).toBe('look_up');
  });

  test('are not made for a cancelled order', () => {
    const cancelled = sentOrder(failing('repeat'));
    cancelled.cancel();
    expect([cancelled.state, cancelled.reviews]).toEqual(['look_up', [['look_up', 0]]]);
    const restored = new OrderUnderTest(justRestored);
    restored.add(newPayment(1));
    restored.cancel();
    expect(restored.state).toBe('look_up');
  });

  test('stop after mostSends calls that sent nothing, and a checkout sends the payment again', () => {
    const order = sentOrder(failing('call_again'), { mostSends: 2 });
    expect(order.reviews).toEqual([]);
    order.now = minute;
    order.sweep();
    order.report(failing('call_again'));
    expect([order.state, order.dueAt, order.reviews]).toEqual(['new', undefined, [['not_sent', minute]]]);
    expect(order.click().effect).toMatchObject({ payment: { sends: 3 } });
  });
});

test('every change keeps unknown members of a later version', () => {
  const order = sentOrder(failing('repeat'));
  const stored = order.order;
  const later = {
    ...stored,
    tags: ['new'],
    payments: stored.payments.map((each) => ({ ...each, colour: 'red' })),
  };
  const reader = new OrderUnderTest({ onPaid: 'here' }, later);
  reader.now = minute;
  reader.sweep();
  reader.report(accepted);
  reader.event('paid');
  reader.give({ type: 'onPaidCalled', commandId: 'x', isDone: true });
  expect(reader.order).toMatchObject({ tags: ['new'], payments: [{ colour: 'red', state: 'paid' }] });
});
