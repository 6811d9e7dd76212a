import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { paymentStates, type Order } from '../../src/orders/order.js';
import { reviewsOf, viewOf, viewStateOf } from '../../src/orders/views.js';
import { accepted, day, failing, newPayment, OrderUnderTest, sentOrder } from './order-under-test.js';

test('an order without a row, or without payments, has the view none', () => {
  expect(viewStateOf(undefined)).toBe('none');
  expect(viewStateOf({ orderId: 'o', payments: [], invoices: [] })).toBe('none');
});

test('a payment that is being sent has the view checking', () => {
  const order = new OrderUnderTest();
  order.click(newPayment(1));
  expect(order.view).toBe('checking');
});

describe('the page of an order', () => {
  const pageOf = ({ order }: OrderUnderTest) => viewOf('o', order);
  const error = { code: 'CODE', action: 'Do it.' };

  test('the page of an order that is not there, or was only cancelled, has no payment', () => {
    const cancelled = new OrderUnderTest();
    cancelled.give({ type: 'cancel' });
    expect(viewOf('o', undefined)).toStrictEqual({ orderId: 'o', state: 'none' });
    expect(pageOf(cancelled)).toStrictEqual({ orderId: 'o', state: 'cancelled' });
    for (const order of [undefined, cancelled.order])
      expect(viewOf('o', order, newPayment(1))).not.toHaveProperty('differs');
  });

  test('the page of an order has the link and the QR code while they can be paid', () => {
    const order = sentOrder({ ...accepted, qrData: 'qr' });
    const { paymentUrl } = accepted;
    const started = { orderId: 'o', state: 'started', referenceId: 'o-1', paymentUrl };
    expect(pageOf(order)).toStrictEqual({ ...started, qrData: 'qr' });
    expect(pageOf(sentOrder(accepted))).toStrictEqual(started);
    order.event('declined');
    expect(pageOf(order)).toStrictEqual({ orderId: 'o', state: 'over', referenceId: 'o-1' });
  });

  test.each([
    ['refused', 'refused'],
    ['call_again', 'new'],
    ['repeat', 'checking'],
  ] as const)('the page of an order whose call ended with %s is %s, with its error', (step, state) => {
    const order = sentOrder(failing(step));
    expect(pageOf(order)).toStrictEqual({ orderId: 'o', state, referenceId: 'o-1', error });
  });

  test('the page of an order whose payment was concluded to be absent has no error of an earlier call', () => {
    const order = sentOrder(failing('look_up'));
    order.now = day;
    order.conclude('absent');
    expect(pageOf(order)).toStrictEqual({ orderId: 'o', state: 'over', referenceId: 'o-1' });
  });

  test('the page of a paid order names the payment that paid it, although another came later', () => {
    const order = sentOrder(accepted);
    order.event('declined');
    order.click(newPayment(2));
    order.event('paid', { referenceId: 'o-1' });
    expect(pageOf(order)).toStrictEqual({ orderId: 'o', state: 'paid', referenceId: 'o-1' });
  });

  test('the page of an order says that its live payment asks for something else than this call', () => {
    const order = sentOrder(accepted);
    const other = newPayment(2, { content: 'another basket' });
    expect(viewOf('o', order.order, other).differs).toBe(true);
    expect(viewOf('o', order.order, newPayment(2))).not.toHaveProperty('differs');
    order.event('declined');
    expect(viewOf('o', order.order, other)).not.toHaveProperty('differs');
  });
});

test('a review names the reference, the error, and what to do', () => {
  const order = sentOrder(failing('look_up'));
  expect(reviewsOf(order.order)).toEqual([
    {
      reason: 'look_up',
      referenceId: 'o-1',
      action: expect.stringContaining('lookUp') as unknown,
      sinceAt: 0,
      error: { code: 'CODE', action: 'Do it.' },
    },
  ]);
});

test('a review of an invoice names its number, and the payment that paid the order', () => {
  const order = sentOrder(accepted);
  order.event('paid');
  order.addInvoice('a');
  order.sweep('a');
  order.give({ type: 'uploadEnded', commandId: 'a', number: 1, result: failing('look_up') });
  expect(reviewsOf(order.order)).toEqual([
    {
      reason: 'invoice_look_up',
      referenceId: 'o-1',
      number: 1,
      action: expect.stringContaining('concludeInvoice') as unknown,
      sinceAt: 0,
      error: { code: 'CODE', action: 'Do it.' },
    },
  ]);
});

test('a paid order without the error of a call has reviews without one', () => {
  const order = sentOrder(accepted);
  order.event('paid', { value: 12 });
  expect(reviewsOf(order.order)[0]).not.toHaveProperty('error');
});

test('a payment that was given up is for review until it is stopped, or its order has ended', () => {
  const stopped = sentOrder(failing('fix'));
  stopped.lookUp();
  expect(stopped.reviews).toEqual([['look_up', 0]]);
  const cancelled = sentOrder(failing('fix'));
  cancelled.give({ type: 'cancel' });
  expect(cancelled.reviews).toEqual([]);
});

test('a payment without a notification for a day is for review until there is one', () => {
  const order = sentOrder(accepted);
  order.now = day;
  order.sweep();
  order.event('declined');
  expect(order.reviews).toEqual([]);
});

// As version 1.0 stores them, one in each state. They never change: add rows.
const rows = JSON.parse(
  readFileSync(new URL('../vectors/1.0/orders.json', import.meta.url), 'utf8'),
) as Record<string, { order: string; view: string; reviews: string[]; then: object }>;

test('there is a stored order for each state of a payment', () => {
  expect(paymentStates.filter((state) => !Object.hasOwn(rows, state))).toEqual([]);
});

test.each(Object.entries(rows))('an order stored by version 1.0 is read and moved on: %s', (_name, row) => {
  const order = JSON.parse(row.order) as Order;
  expect(viewStateOf(order)).toBe(row.view);
  expect(reviewsOf(order).map(({ reason }) => reason)).toEqual(row.reviews);
  const moved = new OrderUnderTest({ hasOnPaid: true }, order);
  moved.now = day;
  const { effect } = moved.sweep();
  expect({
    // The file calls it `tell`.
    effect: effect?.type === 'callOnPaid' ? 'tell' : (effect?.type ?? null),
    states: moved.order.payments.map(({ state }) => state),
    view: moved.view,
    dueAt: moved.dueAt ?? null,
  }).toEqual(row.then);
});
