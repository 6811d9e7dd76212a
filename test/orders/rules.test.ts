import { describe, expect, test } from 'vitest';
import { accepted, day, failing, minute, newPayment, OrderUnderTest, sentOrder } from './order-under-test.js';

describe('a click', () => {
  test('a click makes the order, its first payment and a claim that ends after claimMs', () => {
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

  test('a click without a request of an order that is not there is a problem, and stores nothing', () => {
    expect(new OrderUnderTest().click()).toEqual({ order: undefined, problem: 'no_order' });
    expect(new OrderUnderTest().sweep()).toEqual({ order: undefined, problem: 'no_order' });
  });

  test('a click of another account is a problem, and the account of the first payment stays', () => {
    const order = new OrderUnderTest();
    order.give({ type: 'start', commandId: 'a', account: 'x', next: newPayment(1) });
    expect(order.give({ type: 'start', commandId: 'b', account: 'y' }).problem).toBe('other_account');
    expect(order.give({ type: 'add', account: 'y', next: newPayment(2) }).problem).toBe('other_account');
    expect(order.give({ type: 'start', commandId: 'c', account: 'x' }).problem).toBeUndefined();
    order.report(failing('refused'));
    expect(order.click(newPayment(2)).problem).toBeUndefined();
    expect(order.order).toMatchObject({ account: 'x', payments: [{}, {}] });
  });

  test('a click of an order that was only cancelled takes any account', () => {
    const order = new OrderUnderTest();
    order.give({ type: 'cancel' });
    expect(
      order.give({ type: 'start', commandId: 'a', account: 'x', next: newPayment(1) }).problem,
    ).toBeUndefined();
    expect(order.order).not.toHaveProperty('account');
  });

  test('a click stores the account with the first payment only', () => {
    const order = new OrderUnderTest();
    order.click(newPayment(1));
    order.report(failing('refused'));
    order.give({ type: 'start', commandId: 'b', next: newPayment(2) });
    expect(order.order).not.toHaveProperty('account');
  });

  test('a click while another process sends does nothing', () => {
    const order = new OrderUnderTest();
    order.click(newPayment(1));
    const before = order.order;
    expect(order.click(newPayment(2)).effect).toBeUndefined();
    expect(order.order).toEqual(before);
  });

  test('a click decided twice has the same claim', () => {
    const order = new OrderUnderTest();
    const { effect } = order.click(newPayment(1), 'a');
    expect(order.click(newPayment(2), 'a').effect).toEqual(effect);
    expect(order.order.payments).toHaveLength(1);
  });

  test.each(['refused', 'over'])('a click on an order whose payment is %s begins the next one', (view) => {
    const order = sentOrder(view === 'refused' ? failing('refused') : accepted);
    if (view === 'over') order.event('declined');
    expect(order.view).toBe(view);
    expect(order.click(newPayment(2)).effect).toMatchObject({ payment: { referenceId: 'o-2' } });
  });

  test('a click begins the next payment in the moment in which the time of the last is over', () => {
    const order = sentOrder(accepted, {}, { lifetimeMs: 20 * minute });
    order.now = 30 * minute - 1;
    expect(order.click(newPayment(2)).effect).toBeUndefined();
    order.now += 1;
    expect(order.click(newPayment(2)).effect).toMatchObject({ payment: { referenceId: 'o-2' } });
    expect(order.order.payments[0]?.state).toBe('overdue');
  });

  test('a click sends nothing for a paid or cancelled order', () => {
    const paid = sentOrder(accepted);
    paid.event('paid');
    expect(paid.click(newPayment(2)).effect).toBeUndefined();
    expect(paid.order.payments).toHaveLength(1);
    const cancelled = new OrderUnderTest();
    cancelled.give({ type: 'add', next: newPayment(1) });
    cancelled.give({ type: 'cancel' });
    expect(cancelled.click().effect).toBeUndefined();
    expect([cancelled.view, cancelled.dueAt, cancelled.reviews]).toEqual(['cancelled', undefined, []]);
  });

  test('a click waits for the back-off where nothing was sent, and as long as the service asked', () => {
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

  test('a click does not repeat an unknown outcome before the back-off is over', () => {
    const order = sentOrder(failing('repeat'));
    order.now = minute - 1;
    expect([order.click().effect, order.view]).toEqual([undefined, 'checking']);
    order.now = minute;
    expect(order.click().effect).toMatchObject({ payment: { sends: 2, mayExist: true } });
  });
});

describe('a payment that was only added', () => {
  test('a payment that was only added is due after a minute, and sent by a click at once', () => {
    const order = new OrderUnderTest();
    expect(order.give({ type: 'add', account: 'x', next: newPayment(1) }).effect).toBeUndefined();
    expect([order.view, order.dueAt, order.order.account]).toEqual(['new', minute, 'x']);
    order.now = minute - 1;
    expect(order.sweep().effect).toBeUndefined();
    expect(order.click().effect).toMatchObject({ type: 'send' });
  });

  test('a payment that was only added is not added beside one that may be live', () => {
    const order = sentOrder(failing('look_up'));
    order.give({ type: 'add', next: newPayment(2) });
    expect(order.order.payments).toHaveLength(1);
  });
});

describe('the end of a call', () => {
  test('the end of a call that was accepted opens the payment with its link', () => {
    const order = sentOrder({ ...accepted, qrData: 'qr' });
    expect(order.payment).toMatchObject({
      state: 'open',
      paymentUrl: 'https://pay/1',
      qrData: 'qr',
      openedAt: 0,
    });
    expect(order.view).toBe('started');
  });

  test('the end of a call that was accepted removes the error of an earlier call', () => {
    const order = sentOrder(failing('repeat'));
    order.now = minute;
    order.sweep();
    order.report(accepted);
    expect(order.payment.error).toBeUndefined();
  });

  test('the end of a call that was accepted, reported again, changes nothing', () => {
    const order = sentOrder(accepted);
    const before = order.order;
    order.now = minute;
    order.report({ step: 'accepted', paymentUrl: 'https://pay/2', qrData: 'qr' });
    expect(order.order).toEqual(before);
  });

  test('the end of a call that was accepted gives its link to an open payment without one', () => {
    const order = sentOrder(failing('look_up'));
    order.conclude('exists');
    expect([order.state, order.view]).toEqual(['open', 'checking']);
    order.report(accepted, 'of an earlier claim');
    expect([order.payment.paymentUrl, order.view]).toEqual(['https://pay/1', 'started']);
  });

  test('the end of a call that was accepted, of a declined payment, stores the link and no state', () => {
    const order = sentOrder(failing('repeat'));
    order.event('declined');
    order.report(accepted);
    expect(order.payment).toMatchObject({ state: 'declined', paymentUrl: 'https://pay/1' });
  });

  test('the end of a call of a reference that a restored database has forgotten changes nothing', () => {
    const order = sentOrder(failing('repeat'));
    const before = order.order;
    order.give({ type: 'callEnded', commandId: 'x', referenceId: 'o-9', result: accepted });
    expect(order.order).toEqual(before);
  });

  test.each(['refused', 'repeat', 'look_up'] as const)(
    'the end of a call with %s counts for its own claim only',
    (step) => {
      const order = sentOrder(failing('repeat'));
      order.now = minute;
      order.sweep();
      const before = order.order;
      order.report(failing(step), 'of an earlier claim');
      expect(order.order).toEqual(before);
    },
  );

  test('the end of a call that was refused does not count after somebody has stopped the payment', () => {
    const order = new OrderUnderTest();
    order.click(newPayment(1));
    order.lookUp();
    order.report(failing('refused'));
    expect(order.state).toBe('look_up');
  });

  test('the end of a call counts for its claim although that is over, as long as nobody has looked', () => {
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
  ] as const)('the end of a call with %s of a payment that may exist already makes it %s', (step, state) => {
    const order = sentOrder(failing(step), {}, { mayExist: true });
    expect(order.payment).toMatchObject({ state, mayExist: true });
  });

  test.each([
    ['refused', 'refused', false],
    ['repeat', 'unknown', true],
    ['look_up', 'look_up', true],
    ['fix', 'new', false],
    ['call_again', 'new', false],
  ] as const)('the end of a call with %s makes a payment %s', (step, state, mayExist) => {
    const order = sentOrder(failing(step));
    expect(order.payment).toMatchObject({ state, mayExist, error: { code: 'CODE' } });
  });

  test('the end of a call with fix waits for a person and for a click, not for the sweep', () => {
    const order = sentOrder(failing('fix'));
    expect([order.dueAt, order.reviews, order.view]).toEqual([undefined, [['not_sent', 0]], 'new']);
    expect(order.click().effect).toMatchObject({ type: 'send' });
    expect(order.reviews).toEqual([]);
  });

  test('the end of a call of which nothing was sent leaves the payment as the claim found it, for a minute', () => {
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

  test('the end of a call of which nothing was sent keeps the time of the first send', () => {
    const order = sentOrder(failing('repeat'));
    order.now = minute;
    order.sweep();
    order.report({ step: 'not_made' });
    expect(order.payment).toMatchObject({ state: 'unknown', sends: 1, firstSendAt: 0, stateAt: 0 });
    expect(order.dueAt).toBe(2 * minute);
  });
});

describe('repeats', () => {
  test('repeats follow the send before them after repeatAfterMs, then twice as long each time', () => {
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

  test('repeats count from the send, however long the call took', () => {
    const order = new OrderUnderTest();
    order.click(newPayment(1));
    order.now = 45_000;
    order.report(failing('repeat'));
    expect(order.dueAt).toBe(minute);
  });

  test('repeats wait as long as the service asks, and a day at most', () => {
    expect(sentOrder(failing('repeat', 7 * minute)).dueAt).toBe(7 * minute);
    expect(sentOrder(failing('repeat', 1)).dueAt).toBe(minute);
    expect(sentOrder(failing('call_again', 9 * day)).dueAt).toBe(day);
    expect(sentOrder(failing('call_again', 1)).dueAt).toBe(minute);
  });

  test('repeats follow a claim that ended without a result a minute after its end', () => {
    const order = new OrderUnderTest();
    order.click(newPayment(1));
    order.now = 2 * minute - 1;
    expect([order.dueAt, order.sweep().effect]).toEqual([2 * minute, undefined]);
    order.now = 2 * minute;
    expect(order.sweep().effect).toMatchObject({ payment: { sends: 2, mayExist: true } });
  });

  test('repeats after a claim without a result wait for the back-off', () => {
    const order = new OrderUnderTest({ repeatAfterMs: 5 * minute });
    order.click(newPayment(1));
    order.now = 2 * minute;
    expect(order.sweep().effect).toBeUndefined();
    expect([order.state, order.dueAt]).toEqual(['unknown', 5 * minute]);
  });

  test('repeats end with the time of the payment, counted from the first send that may have made it', () => {
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

  test('repeats that would begin after the time of the payment make the end of that time due', () => {
    const order = sentOrder(failing('repeat', day), {}, { lifetimeMs: 3 * minute });
    expect(order.dueAt).toBe(3 * minute);
  });

  test('repeats do not happen with repeatUnknown: false, nor after a claim without a result', () => {
    expect(sentOrder(failing('repeat'), { repeatUnknown: false }).state).toBe('look_up');
    const order = new OrderUnderTest({ repeatUnknown: false });
    order.click(newPayment(1));
    order.now = 2 * minute;
    order.sweep();
    expect(order.state).toBe('look_up');
  });

  test('repeats do not happen for an order that was cancelled or paid meanwhile', () => {
    const cancelled = sentOrder(failing('repeat'));
    cancelled.give({ type: 'cancel' });
    expect([cancelled.state, cancelled.reviews]).toEqual(['look_up', [['look_up', 0]]]);
    const restored = new OrderUnderTest();
    restored.give({ type: 'add', next: newPayment(1, { mayExist: true }) });
    restored.give({ type: 'cancel' });
    expect(restored.state).toBe('look_up');
  });

  test('repeats of calls of which nothing was sent end after mostSends, and a click sends again', () => {
    const order = sentOrder(failing('call_again'), { mostSends: 2 });
    expect(order.reviews).toEqual([]);
    order.now = minute;
    order.sweep();
    order.report(failing('call_again'));
    expect([order.state, order.dueAt, order.reviews]).toEqual(['new', undefined, [['not_sent', minute]]]);
    expect(order.click().effect).toMatchObject({ payment: { sends: 3 } });
  });
});

describe('time', () => {
  const lifetimeMs = 20 * minute;

  test('time makes an open payment overdue ten minutes after its time, counted from when it was known', () => {
    const order = sentOrder(accepted, {}, { lifetimeMs });
    expect(order.dueAt).toBe(30 * minute);
    order.now = 30 * minute;
    order.sweep();
    expect([order.state, order.view, order.reviews]).toEqual(['overdue', 'over', [['overdue', 30 * minute]]]);
  });

  test('time makes a payment that is looked up overdue, counted from when its last request was lost', () => {
    const order = sentOrder(failing('look_up'), {}, { lifetimeMs });
    expect(order.dueAt).toBe(33 * minute);
    order.now = 33 * minute;
    order.sweep();
    expect(order.state).toBe('overdue');
  });

  test('time makes a payment that was never sent overdue, counted from when it was stopped', () => {
    const order = new OrderUnderTest();
    order.give({ type: 'add', next: newPayment(1, { lifetimeMs }) });
    order.now = minute;
    order.lookUp();
    expect(order.dueAt).toBe(31 * minute);
  });

  test('time is not prolonged by a person who says late that the payment exists', () => {
    const order = sentOrder(failing('look_up'), {}, { lifetimeMs });
    order.now = 15 * minute;
    order.conclude('exists');
    order.now = 16 * minute;
    order.conclude('exists');
    expect([order.state, order.dueAt]).toEqual(['open', 33 * minute]);
  });

  test('time makes the payment expired instead where nobody reviews overdue ones', () => {
    const order = sentOrder(accepted, { reviewOverdue: false }, { lifetimeMs });
    order.now = 30 * minute;
    order.sweep();
    expect([order.state, order.reviews, order.dueAt]).toEqual(['expired', [], undefined]);
  });

  test('time puts a payment without a time of its own for review after a day, once, and leaves it open', () => {
    const order = sentOrder(accepted);
    order.now = day - 1;
    order.sweep();
    expect([order.dueAt, order.reviews]).toEqual([day, []]);
    order.now = day;
    order.sweep();
    expect([order.state, order.view, order.reviews]).toEqual(['open', 'started', [['no_word', day]]]);
    order.now = 2 * day;
    order.sweep();
    expect([order.dueAt, order.reviews]).toEqual([undefined, [['no_word', day]]]);
  });

  test('time puts a payment with a long time of its own for review when that is over, and not after a day', () => {
    const order = sentOrder(accepted, {}, { lifetimeMs: 3 * day });
    order.now = 2 * day;
    order.sweep();
    expect([order.dueAt, order.reviews]).toEqual([3 * day + 10 * minute, []]);
  });

  test('time does not put a payment that is looked up for review twice', () => {
    const order = sentOrder(failing('look_up'));
    order.now = 2 * day;
    order.sweep();
    expect([order.dueAt, order.reviews]).toEqual([undefined, [['look_up', 0]]]);
  });
});

describe('a restore of the database', () => {
  const restored = (order: OrderUnderTest, sinceAt: number) => order.give({ type: 'restored', sinceAt });

  test('a restore of the database makes a payment that was not sent perhaps sent, and due', () => {
    const order = sentOrder(failing('fix'));
    order.now = day;
    restored(order, minute);
    expect(order.payment).toMatchObject({
      state: 'unknown',
      stateAt: day,
      mayExist: true,
      safeAt: day + 3 * minute,
    });
    expect([order.payment.givenUpAt, order.dueAt]).toEqual([undefined, day]);
  });

  test('a restore of the database leaves a payment that was added later, and one that has ended, as they are', () => {
    const later = new OrderUnderTest();
    later.now = minute;
    later.give({ type: 'add', next: newPayment(1) });
    const before = later.order;
    expect(restored(later, minute - 1).order).toEqual(before);
    const ended = sentOrder(failing('refused'));
    const order = ended.order;
    expect(restored(ended, minute).order).toEqual(order);
  });

  test('a restore of the database puts off the conclusion of a payment whose later claims are forgotten', () => {
    const order = new OrderUnderTest();
    order.click(newPayment(1));
    order.now = day;
    restored(order, day);
    expect(order.payment).toMatchObject({ state: 'unknown', mayExist: true, safeAt: day + 3 * minute });
    order.lookUp();
    expect(order.conclude('absent')).toMatchObject({ concluded: false, safeAt: day + 3 * minute });
  });

  test('a restore of the database leaves a claim that stands, and the time of a repeat', () => {
    const sending = new OrderUnderTest();
    sending.click(newPayment(1));
    restored(sending, 0);
    expect(sending.payment).toMatchObject({ state: 'sending', mayExist: true });
    const unknown = sentOrder(failing('repeat'));
    restored(unknown, 0);
    expect(unknown.dueAt).toBe(minute);
  });

  test('a restore of the database comes before the time that has passed since the copy', () => {
    const order = new OrderUnderTest({ mostSends: 1 });
    order.click(newPayment(1));
    order.now = day;
    restored(order, day);
    expect(order.payment).toMatchObject({ state: 'look_up', safeAt: day + 3 * minute });
  });

  test('a restore of the database makes a payment that begins afterwards one that may exist', () => {
    const order = new OrderUnderTest();
    expect(order.click(newPayment(1, { mayExist: true })).effect).toMatchObject({
      payment: { mayExist: true },
    });
  });
});

test('members of a later version are kept by every change', () => {
  const order = sentOrder(failing('repeat'));
  const stored = order.order;
  const later = {
    ...stored,
    tags: ['new'],
    payments: stored.payments.map((each) => ({ ...each, colour: 'red' })),
  };
  const reader = new OrderUnderTest({ hasOnPaid: true }, later);
  reader.now = minute;
  reader.sweep();
  reader.report(accepted);
  reader.event('paid');
  reader.give({ type: 'onPaidCalled', commandId: 'x', isDone: true });
  expect(reader.order).toMatchObject({ tags: ['new'], payments: [{ colour: 'red', state: 'paid' }] });
});

describe('money that does not fit', () => {
  test('money that does not fit keeps the next payment from beginning once the time is over, until a person has looked', () => {
    const order = sentOrder(accepted, { reviewOverdue: false }, { lifetimeMs: minute });
    const event = { referenceId: 'o-1', status: 'paid', value: 12, currency: 'VND' } as const;
    order.give({ type: 'event', commandId: 'e', event, mayCallOnPaid: false });
    order.now = 11 * minute;
    expect(order.click(newPayment(2)).effect).toBeUndefined();
    expect([order.state, order.view]).toEqual(['overdue', 'checking']);
    order.give({
      type: 'conclude',
      commandId: 'c',
      referenceId: 'o-1',
      conclusion: 'over',
      mayCallOnPaid: false,
    });
    expect(order.click(newPayment(2)).effect).toMatchObject({ payment: { referenceId: 'o-2' } });
  });
});

describe('a person who says that a payment is over', () => {
  test('a person who says that a payment is over is not believed while a request of it is under way', () => {
    const order = new OrderUnderTest();
    order.click(newPayment(1));
    const over = {
      type: 'conclude',
      commandId: 'c',
      referenceId: 'o-1',
      conclusion: 'over',
      mayCallOnPaid: false,
    } as const;
    expect(order.give(over)).toMatchObject({ concluded: false, safeAt: 3 * minute });
    order.report(failing('repeat'));
    expect(order.give(over)).toMatchObject({ concluded: true });
  });
});
