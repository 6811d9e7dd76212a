import { describe, expect, test } from 'vitest';
import type { CallResult } from '../../src/orders/commands.js';
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
  order.give({ type: 'uploadEnded', commandId: 'a', number: 1, result });
  return order;
}

const states = (order: OrderUnderTest) => order.order.invoices.map(({ state }) => state);
const conclude = (order: OrderUnderTest, conclusion: 'stored' | 'absent', number = 1) =>
  order.give({ type: 'concludeInvoice', number, conclusion });

describe('adding an invoice', () => {
  test('adding an invoice that was added before changes nothing', () => {
    const order = paidOrder();
    order.addInvoice('a');
    const before = order.order;
    order.addInvoice('a');
    expect(order.order).toEqual(before);
  });

  test('adding an invoice takes three, without those that were refused or given up', () => {
    const order = uploadedOrder(failing('refused'));
    for (const content of ['a', 'b', 'c']) order.addInvoice(content);
    expect(order.order.invoices.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    expect(order.addInvoice('d').problem).toBe('too_many_invoices');
    conclude(order, 'absent');
    expect(order.addInvoice('d').problem).toBe('too_many_invoices');
    expect(order.addInvoice('c').problem).toBeUndefined();
  });

  test('adding an invoice again is possible once it was given up', () => {
    const order = uploadedOrder(failing('refused'));
    conclude(order, 'absent');
    order.addInvoice('a');
    expect(states(order)).toEqual(['dropped', 'new']);
  });

  test('adding an invoice of an order that is not there is a problem', () => {
    expect(new OrderUnderTest().addInvoice('a').problem).toBe('no_order');
  });
});

describe('an upload', () => {
  test('an upload waits until the order is paid', () => {
    const order = sentOrder(accepted);
    order.addInvoice('a');
    expect([order.dueAt, order.sweep().effect]).toEqual([day, undefined]);
    order.event('paid');
    expect(order.dueAt).toBe(0);
  });

  test('an upload has one claim, also if it is decided twice, and the next invoice waits', () => {
    const order = paidOrder();
    order.addInvoice('a');
    order.addInvoice('b');
    const { effect } = order.sweep('a');
    expect(effect).toMatchObject({ type: 'upload', invoice: { number: 1, sends: 1 }, claim: { token: 'a' } });
    expect(order.sweep('a').effect).toEqual(effect);
    expect(order.sweep('b').effect).toBeUndefined();
    expect(order.dueAt).toBe(2 * minute);
  });

  test('an upload that was stored lets the next one follow', () => {
    const order = uploadedOrder({ step: 'accepted' });
    order.addInvoice('b');
    expect(order.sweep('b').effect).toMatchObject({ invoice: { number: 2 } });
    expect(states(order)).toEqual(['stored', 'sending']);
    order.give({ type: 'uploadEnded', commandId: 'b', number: 2, result: failing('look_up') });
    expect(states(order)).toEqual(['stored', 'look_up']);
    conclude(order, 'stored', 2);
    expect(states(order)).toEqual(['stored', 'stored']);
    expect(order.reviews).toEqual([]);
  });

  test.each(['repeat', 'look_up'] as const)(
    'an upload that ends with %s waits for a person, and stops the others',
    (step) => {
      const order = uploadedOrder(failing(step));
      order.addInvoice('b');
      expect([order.reviews, order.dueAt]).toEqual([[['invoice_look_up', 0]], undefined]);
    },
  );

  test('an upload without a result waits for a person a minute after the end of its claim', () => {
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

  test('an upload whose claim is over is not claimed by the same sweep, decided again', () => {
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
  ] as const)('an upload whose result %s comes after its claim counts', (step, state) => {
    const order = paidOrder();
    order.addInvoice('a');
    order.sweep('a');
    order.now = 2 * minute;
    order.sweep();
    const result = step === 'accepted' ? { step } : failing(step);
    order.give({ type: 'uploadEnded', commandId: 'a', number: 1, result });
    expect(states(order)).toEqual([state]);
  });

  test('an upload of which nothing was sent is due again after a minute, and was no send', () => {
    const order = uploadedOrder({ step: 'not_made' });
    expect(order.order.invoices).toMatchObject([{ state: 'new', sends: 0 }]);
    expect(order.dueAt).toBe(minute);
  });

  test.each(['refused', 'fix'] as const)('an upload that ends with %s waits for a person', (step) => {
    expect(uploadedOrder(failing(step)).reviews).toEqual([['invoice_refused', 0]]);
  });

  test('an upload that ends with call_again follows after the back-off, or when the service allows', () => {
    const order = uploadedOrder(failing('call_again'));
    expect(order.dueAt).toBe(minute);
    order.now = minute;
    order.sweep('b');
    order.give({ type: 'uploadEnded', commandId: 'b', number: 1, result: failing('call_again') });
    expect(order.dueAt).toBe(3 * minute);
    expect(uploadedOrder(failing('call_again', 5 * minute)).dueAt).toBe(5 * minute);
    expect(uploadedOrder(failing('call_again'), { mostSends: 1 }).reviews).toEqual([['invoice_refused', 0]]);
  });

  test('an upload under another claim, or of one that was concluded, counts only if it was stored', () => {
    const order = uploadedOrder(failing('look_up'));
    order.give({ type: 'uploadEnded', commandId: 'other', number: 1, result: failing('refused') });
    expect(states(order)).toEqual(['look_up']);
    order.now = 3 * minute;
    conclude(order, 'absent');
    order.give({ type: 'uploadEnded', commandId: 'a', number: 1, result: failing('refused') });
    expect(states(order)).toEqual(['new']);
    order.give({ type: 'uploadEnded', commandId: 'other', number: 1, result: { step: 'accepted' } });
    const stored = order.order;
    order.now += 1;
    order.give({ type: 'uploadEnded', commandId: 'other', number: 1, result: { step: 'accepted' } });
    expect(order.order).toEqual(stored);
    order.give({ type: 'uploadEnded', commandId: 'a', number: 9, result: { step: 'accepted' } });
    expect(states(order)).toEqual(['stored']);
  });
});

describe('the conclusion of an invoice', () => {
  test('the conclusion of an invoice absent is refused before it is safe, and then uploads it again', () => {
    const order = uploadedOrder(failing('look_up'));
    order.now = 3 * minute - 1;
    expect(conclude(order, 'absent')).toMatchObject({ concluded: false, safeAt: 3 * minute });
    order.now = 3 * minute;
    expect(conclude(order, 'absent').concluded).toBe(true);
    expect(conclude(order, 'absent').concluded).toBe(true);
    expect([states(order), order.dueAt]).toEqual([['new'], 3 * minute]);
  });

  test('the conclusion of an invoice absent gives up one that was refused', () => {
    const order = uploadedOrder(failing('refused'));
    expect(conclude(order, 'absent').concluded).toBe(true);
    expect(conclude(order, 'absent').concluded).toBe(true);
    expect([states(order), order.reviews, order.dueAt]).toEqual([['dropped'], [], undefined]);
  });

  test.each(['accepted', 'sending'])(
    'the conclusion of an invoice absent is refused for one whose upload is %s',
    (step) => {
      const order = step === 'accepted' ? uploadedOrder({ step }) : paidOrder();
      if (step === 'sending') {
        order.addInvoice('a');
        order.sweep();
      }
      order.now = step === 'sending' ? minute : 3 * minute;
      expect(conclude(order, 'absent').concluded).toBe(false);
    },
  );

  test('the conclusion of an invoice stored ends one that may be stored', () => {
    const order = uploadedOrder(failing('look_up'));
    expect(conclude(order, 'stored').concluded).toBe(true);
    expect([states(order), order.reviews]).toEqual([['stored'], []]);
  });

  test('the conclusion of an invoice of an unknown number is a problem', () => {
    expect(conclude(paidOrder(), 'stored', 4).problem).toBe('no_invoice');
  });
});

describe('a restore of the database', () => {
  test('a restore of the database makes an invoice that was not uploaded one that may be stored, once its order is paid', () => {
    const order = sentOrder(accepted);
    order.addInvoice('a');
    order.now = day / 2;
    order.give({ type: 'restored', sinceAt: 5 });
    expect([states(order), order.reviews]).toEqual([['look_up'], []]);
    order.event('paid');
    expect(order.reviews).toEqual([['invoice_look_up', day / 2]]);
    expect(conclude(order, 'absent')).toMatchObject({ concluded: false, safeAt: day / 2 + 3 * minute });
  });

  test('a restore of the database leaves an invoice that was added later, and one that is stored', () => {
    const later = paidOrder();
    later.now = 6;
    later.addInvoice('a');
    later.give({ type: 'restored', sinceAt: 5 });
    expect(states(later)).toEqual(['new']);
    const stored = uploadedOrder({ step: 'accepted' });
    stored.give({ type: 'restored', sinceAt: 5 });
    expect(states(stored)).toEqual(['stored']);
  });
});

describe('erasing', () => {
  const settings = { eraseAfterMs: day };
  const erased = (order: OrderUnderTest) => order.order.payments.map(({ request }) => request === undefined);

  test('erasing empties the requests and uploads so long after the order was paid, and keeps the rest', () => {
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
    expect(order.payment.asked.value).toBe(1200);
  });

  test('erasing counts from when a cancelled order was cancelled, and erases its invoices too', () => {
    const order = sentOrder(failing('refused'), settings);
    order.addInvoice('a');
    order.now = 5;
    order.give({ type: 'cancel' });
    expect(order.dueAt).toBe(day + 5);
    order.now = day + 5;
    order.sweep();
    expect([erased(order), order.order.invoices[0]?.upload]).toEqual([[true], undefined]);
  });

  test('erasing counts from the end of the last payment, and keeps invoices that may still be uploaded', () => {
    const order = sentOrder(accepted, settings);
    order.addInvoice('a');
    expect(order.dueAt).toBe(day);
    order.now = 5;
    order.event('declined');
    expect(order.dueAt).toBe(day + 5);
    order.now = day + 5;
    order.sweep();
    expect([erased(order), order.order.invoices[0]?.upload, order.dueAt]).toEqual([[true], '{}', undefined]);
  });

  test('erasing keeps an invoice that may be stored, for whoever looks it up', () => {
    const order = sentOrder(accepted, settings);
    order.addInvoice('a');
    order.give({ type: 'restored', sinceAt: 5 });
    order.event('declined');
    order.now = day;
    order.sweep();
    expect([erased(order), order.order.invoices[0]?.upload]).toEqual([[true], '{}']);
  });

  test('erasing follows for an invoice that was added after it', () => {
    const order = paidOrder(settings);
    order.now = day;
    order.sweep();
    order.addInvoice('a');
    order.sweep('a');
    order.give({ type: 'uploadEnded', commandId: 'a', number: 1, result: { step: 'accepted' } });
    expect(order.dueAt).toBe(day);
    order.sweep();
    expect([order.order.invoices[0]?.upload, order.dueAt]).toEqual([undefined, undefined]);
  });

  test('erasing waits for reviews, for uploads and for a call that is under way', () => {
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
    sending.give({ type: 'cancel' });
    sending.now = 1;
    sending.sweep();
    expect(erased(sending)).toEqual([false]);
  });

  test('erasing waits for an invoice that the service will take later', () => {
    const order = uploadedOrder(failing('call_again', day), { eraseAfterMs: minute });
    expect(order.dueAt).toBe(day);
    order.now = minute;
    order.sweep();
    expect(erased(order)).toEqual([false]);
  });

  test('erasing does not happen to a live payment, nor without eraseAfterDays', () => {
    expect(sentOrder(accepted, { eraseAfterMs: 1 }).dueAt).toBe(day);
    expect(paidOrder().dueAt).toBeUndefined();
    const empty = new OrderUnderTest(settings);
    empty.give({ type: 'cancel' });
    expect(empty.dueAt).toBeUndefined();
  });
});
