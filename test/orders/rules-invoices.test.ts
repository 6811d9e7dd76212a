import { describe, expect, test } from 'vitest';
import type { CallResult } from '../../src/orders/commands.js';
import { fileNotLoaded } from '../../src/orders/invoice-rules.js';
import { accepted, day, failing, minute, newPayment, OrderUnderTest, sentOrder } from './order-under-test.js';

function paidOrder(settings = {}): OrderUnderTest {
  const order = sentOrder(accepted, settings);
  order.event('paid');
  return order;
}

/** A paid order, and the upload of its invoice has ended like this. */
function uploadedOrder(result: CallResult, settings = {}): OrderUnderTest {
  const order = paidOrder(settings);
  order.addInvoice('a');
  order.sweep('a');
  order.uploadEnded(result, 'a');
  return order;
}

const states = (order: OrderUnderTest) => order.order.invoices.map(({ state }) => state);
const conclude = (order: OrderUnderTest, conclusion: 'stored' | 'absent', number = 1) =>
  order.give({ type: 'concludeInvoice', number, conclusion });

describe('adding an invoice', () => {
  test('changes nothing if it was added before', () => {
    const order = paidOrder();
    order.addInvoice('a');
    const before = order.order;
    order.addInvoice('a');
    expect(order.order).toEqual(before);
  });

  test('accepts three, not counting refused and dropped invoices', () => {
    const order = uploadedOrder(failing('refused'));
    for (const content of ['a', 'b', 'c']) order.addInvoice(content);
    expect(order.order.invoices.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    expect(order.addInvoice('d').problem).toBe('too_many_invoices');
    conclude(order, 'absent');
    expect(order.addInvoice('d').problem).toBe('too_many_invoices');
    expect(order.addInvoice('c').problem).toBeUndefined();
  });

  test('is possible again after the invoice was dropped', () => {
    const order = uploadedOrder(failing('refused'));
    conclude(order, 'absent');
    order.addInvoice('a');
    expect(states(order)).toEqual(['dropped', 'new']);
  });

  test('is a problem for an unknown order', () => {
    expect(new OrderUnderTest().addInvoice('a').problem).toBe('no_order');
  });
});

describe('an upload', () => {
  test('waits until the order is paid', () => {
    const order = sentOrder(accepted);
    order.addInvoice('a');
    expect([order.dueAt, order.sweep().effect]).toEqual([day, undefined]);
    order.event('paid');
    expect(order.dueAt).toBe(0);
  });

  test('keeps its claim if it is decided twice, and makes the next invoice wait', () => {
    const order = paidOrder();
    order.addInvoice('a');
    order.addInvoice('b');
    const { effect } = order.sweep('a');
    expect(effect).toMatchObject({ type: 'upload', invoice: { number: 1, sends: 1 }, claim: { token: 'a' } });
    expect(order.sweep('a').effect).toEqual(effect);
    expect(order.sweep('b').effect).toBeUndefined();
    expect(order.dueAt).toBe(2 * minute);
  });

  test('is followed by the next upload once it is stored', () => {
    const order = uploadedOrder({ step: 'accepted' });
    order.addInvoice('b');
    expect(order.sweep('b').effect).toMatchObject({ invoice: { number: 2 } });
    expect(states(order)).toEqual(['stored', 'sending']);
    order.uploadEnded(failing('look_up'), 'b', 2);
    expect(states(order)).toEqual(['stored', 'look_up']);
    conclude(order, 'stored', 2);
    expect(states(order)).toEqual(['stored', 'stored']);
    expect(order.reviews).toEqual([]);
  });

  test.each(['repeat', 'look_up'] as const)(
    'waits for your staff if its result is %s, and stops other uploads',
    (step) => {
      const order = uploadedOrder(failing(step));
      order.addInvoice('b');
      expect([order.reviews, order.dueAt]).toEqual([[['invoice_look_up', 0]], undefined]);
    },
  );

  test('waits for your staff a minute after the end of its claim, if it has no result', () => {
    const order = paidOrder();
    order.addInvoice('a');
    order.sweep();
    order.now = 2 * minute - 1;
    order.sweep();
    expect(states(order)).toEqual(['sending']);
    order.now = 2 * minute;
    order.sweep();
    expect(order.reviews).toEqual([['invoice_look_up', 2 * minute]]);
  });

  test('is not claimed again by the same sweep after its claim is over', () => {
    const order = paidOrder();
    order.addInvoice('a');
    order.sweep('a');
    order.now = 2 * minute;
    expect(order.sweep('a').effect).toBeUndefined();
    expect(states(order)).toEqual(['look_up']);
  });

  test.each([
    ['accepted', 'stored'],
    ['refused', 'refused'],
  ] as const)('counts even if its result %s arrives after its claim', (step, state) => {
    const order = paidOrder();
    order.addInvoice('a');
    order.sweep('a');
    order.now = 2 * minute;
    order.sweep();
    const result = step === 'accepted' ? { step } : failing(step);
    order.uploadEnded(result, 'a');
    expect(states(order)).toEqual([state]);
  });

  test('is due again after a minute if nothing was sent, and does not count for mostSends', () => {
    const order = uploadedOrder({ step: 'not_made' });
    expect(order.order.invoices).toMatchObject([{ state: 'new', sends: 0 }]);
    expect(order.dueAt).toBe(minute);
  });

  test.each(['refused', 'fix'] as const)('waits for your staff if its result is %s', (step) => {
    expect(uploadedOrder(failing(step)).reviews).toEqual([['invoice_refused', 0]]);
  });

  test('is repeated after the back-off and Retry-After if its result is call_again', () => {
    const order = uploadedOrder(failing('call_again'));
    expect(order.dueAt).toBe(minute);
    order.now = minute;
    order.sweep('b');
    order.uploadEnded(failing('call_again'), 'b');
    expect(order.dueAt).toBe(3 * minute);
    expect(uploadedOrder(failing('call_again', 5 * minute)).dueAt).toBe(5 * minute);
    expect(uploadedOrder(failing('call_again'), { mostSends: 1 }).reviews).toEqual([['invoice_refused', 0]]);
  });

  test('counts for another claim, or after a conclusion, only if it was stored', () => {
    const order = uploadedOrder(failing('look_up'));
    order.uploadEnded(failing('refused'), 'other');
    expect(states(order)).toEqual(['look_up']);
    order.now = 3 * minute;
    conclude(order, 'absent');
    order.uploadEnded(failing('refused'), 'a');
    expect(states(order)).toEqual(['new']);
    order.uploadEnded({ step: 'accepted' }, 'other');
    const stored = order.order;
    order.now += 1;
    order.uploadEnded({ step: 'accepted' }, 'other');
    expect(order.order).toEqual(stored);
    order.uploadEnded({ step: 'accepted' }, 'a', 9);
    expect(states(order)).toEqual(['stored']);
  });
});

describe('the conclusion of an invoice', () => {
  test('absent is refused before safeFrom, and makes the sweep upload it again after that', () => {
    const order = uploadedOrder(failing('look_up'));
    order.now = 3 * minute - 1;
    expect(conclude(order, 'absent')).toMatchObject({ concluded: false, safeAt: 3 * minute });
    order.now = 3 * minute;
    expect(conclude(order, 'absent').concluded).toBe(true);
    expect(conclude(order, 'absent').concluded).toBe(true);
    expect([states(order), order.dueAt]).toEqual([['new'], 3 * minute]);
  });

  test('absent drops a refused invoice', () => {
    const order = uploadedOrder(failing('refused'));
    expect(conclude(order, 'absent').concluded).toBe(true);
    expect(conclude(order, 'absent').concluded).toBe(true);
    expect([states(order), order.reviews, order.dueAt]).toEqual([['dropped'], [], undefined]);
  });

  test.each(['accepted', 'sending'])('absent is refused for an invoice whose upload is %s', (step) => {
    const order = step === 'accepted' ? uploadedOrder({ step }) : paidOrder();
    if (step === 'sending') {
      order.addInvoice('a');
      order.sweep();
    }
    order.now = step === 'sending' ? minute : 3 * minute;
    expect(conclude(order, 'absent').concluded).toBe(false);
  });

  test('stored closes the review of an invoice that might be stored', () => {
    const order = uploadedOrder(failing('look_up'));
    expect(conclude(order, 'stored').concluded).toBe(true);
    expect([states(order), order.reviews]).toEqual([['stored'], []]);
    const before = order.order;
    order.now += 1;
    expect(conclude(order, 'stored').concluded).toBe(true);
    expect(order.order).toEqual(before);
  });

  test('is a problem for an unknown number', () => {
    expect(conclude(paidOrder(), 'stored', 4).problem).toBe('no_invoice');
  });
});

describe('a restore of the database', () => {
  test('makes an unsent invoice of a paid order an invoice_look_up', () => {
    const order = sentOrder(accepted);
    order.addInvoice('a');
    order.now = day / 2;
    order.restore(5);
    order.touch();
    expect([states(order), order.reviews]).toEqual([['look_up'], []]);
    order.event('paid');
    expect(order.reviews).toEqual([['invoice_look_up', day / 2]]);
    expect(conclude(order, 'absent')).toMatchObject({ concluded: false, safeAt: day / 2 + 3 * minute });
  });

  test('does not change a stored invoice, or an invoice that was added later', () => {
    const later = paidOrder();
    later.now = 6;
    later.addInvoice('a');
    later.restore(5);
    later.touch();
    expect(states(later)).toEqual(['new']);
    const stored = uploadedOrder({ step: 'accepted' });
    stored.restore(5);
    stored.touch();
    expect(states(stored)).toEqual(['stored']);
  });
});

describe('erasing', () => {
  const settings = { eraseAfterMs: day };
  const erased = (order: OrderUnderTest) => order.order.payments.map(({ request }) => request === undefined);

  test('removes requests and uploads eraseAfterMs after the order was paid, and keeps the rest', () => {
    const order = uploadedOrder({ step: 'accepted' }, settings);
    expect(order.dueAt).toBe(day);
    order.now = day - 1;
    order.sweep();
    expect(erased(order)).toEqual([false]);
    order.now = day;
    order.sweep();
    expect([erased(order), order.order.invoices[0]?.upload, order.dueAt]).toEqual([
      [true],
      undefined,
      undefined,
    ]);
    expect(order.payment.expected.value).toBe(1200);
  });

  test('waits for eraseAfterMs from the cancellation of an order, and removes its invoices too', () => {
    const order = sentOrder(failing('refused'), settings);
    order.addInvoice('a');
    order.now = 5;
    order.cancel();
    expect(order.dueAt).toBe(day + 5);
    order.now = day + 5;
    order.sweep();
    expect([erased(order), order.order.invoices[0]?.upload]).toEqual([[true], undefined]);
  });

  test('waits for eraseAfterMs from the end of the last payment of an unpaid order, and removes its invoices too', () => {
    const order = sentOrder(accepted, settings);
    order.addInvoice('a');
    expect(order.dueAt).toBe(day);
    order.now = 5;
    order.event('declined');
    expect(order.dueAt).toBe(day + 5);
    order.now = day + 5;
    order.sweep();
    expect([erased(order), order.order.invoices[0]?.upload, order.dueAt]).toEqual([
      [true],
      undefined,
      undefined,
    ]);
  });

  test('erases an invoice that might be stored, if its order was never paid', () => {
    const order = sentOrder(accepted, settings);
    order.addInvoice('a');
    order.restore(5);
    order.event('declined');
    order.now = day;
    order.sweep();
    expect([states(order), erased(order), order.order.invoices[0]?.upload]).toEqual([
      ['look_up'],
      [true],
      undefined,
    ]);
    order.event('paid');
    expect(order.reasons).toEqual(['invoice_look_up']);
    order.now += 3 * minute;
    conclude(order, 'absent');
    expect(order.reasons).toEqual(['invoice_not_loaded']);
  });

  test('runs again for an invoice that was added later', () => {
    const order = paidOrder(settings);
    order.now = day;
    order.sweep();
    order.addInvoice('a');
    order.sweep('a');
    order.uploadEnded({ step: 'accepted' }, 'a');
    expect(order.dueAt).toBe(day);
    order.sweep();
    expect([order.order.invoices[0]?.upload, order.dueAt]).toEqual([undefined, undefined]);
  });

  test('waits for reviews, uploads and a running call', () => {
    const reviewed = paidOrder(settings);
    reviewed.event('paid', { value: 12 });
    expect(reviewed.dueAt).toBeUndefined();
    const uploading = paidOrder({ ...settings, eraseAfterMs: 1 });
    uploading.addInvoice('a');
    uploading.now = 1;
    expect(uploading.sweep().effect).toMatchObject({ type: 'upload' });
    uploading.sweep();
    expect([erased(uploading), uploading.dueAt]).toEqual([[false], minute + minute + 1]);
    const sending = new OrderUnderTest({ eraseAfterMs: 1 });
    sending.click(newPayment(1));
    sending.cancel();
    sending.now = 1;
    sending.sweep();
    expect(erased(sending)).toEqual([false]);
  });

  test('waits for an invoice that is repeated later', () => {
    const order = uploadedOrder(failing('call_again', day), { eraseAfterMs: minute });
    expect(order.dueAt).toBe(day);
    order.now = minute;
    order.sweep();
    expect(erased(order)).toEqual([false]);
  });

  test('does not run for a live payment, or without eraseAfterMs', () => {
    expect(sentOrder(accepted, { eraseAfterMs: 1 }).dueAt).toBe(day);
    expect(paidOrder().dueAt).toBeUndefined();
    const empty = new OrderUnderTest(settings);
    empty.cancel();
    expect(empty.dueAt).toBeUndefined();
  });

  test('runs in each process once a process has stored eraseAfterMs, and uses the value that was stored last', () => {
    const order = paidOrder(settings);
    order.use({});
    order.event('unknown', { unknownStatus: 'SETTLED' });
    expect(order.dueAt).toBe(day);
    order.use({ eraseAfterMs: 2 * day });
    order.touch();
    expect(order.dueAt).toBe(day);
    order.event('unknown', { unknownStatus: 'CLEARED' });
    expect(order.dueAt).toBe(2 * day);
    order.use({});
    order.now = 2 * day;
    order.sweep();
    expect([erased(order), order.dueAt]).toEqual([[true], undefined]);
  });
});

describe('an invoice that was not loaded', () => {
  const notLoaded = { step: 'call_again', error: { code: fileNotLoaded, action: 'Look.' } } as const;

  test('is for review as invoice_not_loaded after mostSends tries, and can be added again', () => {
    const order = uploadedOrder(notLoaded, { mostSends: 1 });
    expect([states(order), order.reviews]).toEqual([['not_loaded'], [['invoice_not_loaded', 0]]]);
    order.addInvoice('a');
    expect(states(order)).toEqual(['not_loaded', 'new']);
    expect(conclude(order, 'absent').concluded).toBe(true);
    expect([states(order), order.reviews]).toEqual([['dropped', 'new'], []]);
  });

  test('is tried again before mostSends tries', () => {
    const order = uploadedOrder(notLoaded, { mostSends: 2 });
    expect([states(order), order.dueAt]).toEqual([['new'], minute]);
  });

  test('is not counted among the three invoices of an order', () => {
    const order = uploadedOrder(notLoaded, { mostSends: 1 });
    for (const content of ['b', 'c', 'd']) expect(order.addInvoice(content).problem).toBeUndefined();
  });
});

describe('an invoice that was erased before its order was paid', () => {
  function erasedOrder(): OrderUnderTest {
    const order = sentOrder(accepted, { eraseAfterMs: day });
    order.addInvoice('a');
    order.event('declined');
    order.now = day;
    order.sweep();
    order.now = 2 * day;
    order.event('paid');
    return order;
  }

  test('is never uploaded, and is for review as invoice_not_loaded since the order was paid', () => {
    const order = erasedOrder();
    expect([order.sweep().effect, order.dueAt]).toEqual([undefined, undefined]);
    expect(order.reviews).toEqual([['invoice_not_loaded', 2 * day]]);
  });

  test('can be added again and concluded as absent, and then the new invoice is uploaded', () => {
    const order = erasedOrder();
    order.addInvoice('a');
    expect(states(order)).toEqual(['new', 'new']);
    expect(conclude(order, 'absent').concluded).toBe(true);
    expect([states(order), order.reviews]).toEqual([['dropped', 'new'], []]);
    expect(order.sweep().effect).toMatchObject({ type: 'upload', invoice: { number: 2 } });
  });

  test('does not stop other uploads', () => {
    const order = erasedOrder();
    order.addInvoice('b');
    expect(order.sweep().effect).toMatchObject({ type: 'upload', invoice: { number: 2 } });
  });
});

test('an invoice in the state of a later version is for review, and the only conclusion is stored', () => {
  const { order: stored } = uploadedOrder(accepted);
  const invoices = stored.invoices.map((each) => ({ ...each, state: 'archived' })) as never;
  const order = new OrderUnderTest({}, { ...stored, invoices });
  expect(order.reasons).toEqual(['unreadable']);
  expect(conclude(order, 'absent').concluded).toBe(false);
  expect([conclude(order, 'stored').concluded, order.reasons]).toEqual([true, []]);
});
