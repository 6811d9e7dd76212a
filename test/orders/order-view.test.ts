import { describe, expect, test } from 'vitest';
import { viewOf, viewStateOf } from '../../src/orders/order-view.js';
import {
  accepted,
  callError as error,
  day,
  dearPayment,
  failing,
  minute,
  newPayment,
  orderIn,
  OrderUnderTest,
  sentOrder,
} from './order-under-test.js';

const pageOf = ({ order }: OrderUnderTest) => viewOf('o', order);
const amount = { value: 1200, currency: 'VND' };
const dearAmount = { value: 2400, currency: 'VND' };
const { paymentUrl } = accepted;

describe('the state of an order', () => {
  test('is none without a row, or without payments', () => {
    expect(viewStateOf(undefined)).toBe('none');
    expect(viewStateOf({ orderId: 'o', payments: [], invoices: [] })).toBe('none');
  });

  test.each([
    ['new', 'new'],
    ['sending', 'checking'],
    ['unknown', 'checking'],
    ['look_up', 'checking'],
    ['open', 'started'],
    ['overdue', 'over'],
    ['refused', 'refused'],
    ['absent', 'over'],
    ['over', 'over'],
    ['declined', 'over'],
    ['expired', 'over'],
    ['paid', 'paid'],
  ] as const)('is, with a payment that is %s, %s', (state, view) => {
    expect(orderIn(state).view).toBe(view);
  });

  test('is checking while a payment exists without a known link', () => {
    const order = sentOrder(failing('look_up'));
    order.conclude('exists');
    expect([order.state, order.view]).toEqual(['open', 'checking']);
  });

  test.each(['paid', 'cancelled'])('stays %s after any later webhook', (end) => {
    const order = sentOrder(accepted);
    if (end === 'paid') order.event('paid');
    else order.cancel();
    order.event('paid', { value: 12 });
    expect(order.view).toBe(end);
  });
});

describe('the view of an order', () => {
  test('contains no payment if the order is unknown, or was only cancelled', () => {
    const cancelled = new OrderUnderTest();
    cancelled.cancel();
    expect(viewOf('o', undefined)).toStrictEqual({ orderId: 'o', state: 'none' });
    expect(pageOf(cancelled)).toStrictEqual({ orderId: 'o', state: 'cancelled' });
    for (const order of [undefined, cancelled.order])
      expect(viewOf('o', order, newPayment(1))).not.toHaveProperty('differs');
  });

  test('contains the link and the QR code while the payment can be paid', () => {
    const order = sentOrder({ ...accepted, qrData: 'qr' });
    const started = { orderId: 'o', state: 'started', referenceId: 'o-1', amount, paymentUrl };
    expect(pageOf(order)).toStrictEqual({ ...started, qrData: 'qr' });
    expect(pageOf(sentOrder(accepted))).toStrictEqual(started);
    order.event('declined');
    expect(pageOf(order)).toStrictEqual({ orderId: 'o', state: 'over', referenceId: 'o-1', amount });
  });

  test.each([
    ['refused', 'refused'],
    ['call_again', 'new'],
    ['repeat', 'checking'],
  ] as const)('contains the error of a call that ended with %s, and the state %s', (step, state) => {
    const order = sentOrder(failing(step));
    expect(pageOf(order)).toStrictEqual({ orderId: 'o', state, referenceId: 'o-1', amount, error });
  });

  test('contains no error of an earlier call once its payment is absent', () => {
    const order = sentOrder(failing('look_up'));
    order.now = day;
    order.conclude('absent');
    expect(pageOf(order)).toStrictEqual({ orderId: 'o', state: 'over', referenceId: 'o-1', amount });
  });

  test('names the payment that paid the order, its amount and its time, even after a later payment', () => {
    const order = sentOrder(accepted);
    order.event('declined');
    order.click(newPayment(2));
    order.now = 5;
    order.event('paid', { referenceId: 'o-1' });
    expect(pageOf(order)).toStrictEqual({
      orderId: 'o',
      state: 'paid',
      referenceId: 'o-1',
      amount,
      paidAmount: amount,
      paidAt: new Date(5),
    });
  });

  test('is checking if the payment that paid the order is missing from its row', () => {
    const { order } = orderIn('paid');
    expect(viewOf('o', { ...order, payments: [] })).toStrictEqual({
      orderId: 'o',
      state: 'checking',
      amount,
    });
  });

  test('has the time of its payment as paidAt, if the row contains no time of the order', () => {
    const { order } = orderIn('paid');
    const { paidAt: _, ...untimed } = order;
    const paidAt = new Date(Number(order.payments[0]?.stateAt));
    expect(viewOf('o', untimed)).toHaveProperty('paidAt', paidAt);
  });

  test('contains both amounts once a payment of another amount was accepted', () => {
    const order = sentOrder(accepted);
    order.click(dearPayment(2));
    order.event('paid');
    expect(pageOf(order)).toStrictEqual({
      orderId: 'o',
      state: 'checking',
      referenceId: 'o-1',
      amount: dearAmount,
    });
    order.conclude('accept');
    expect(pageOf(order)).toMatchObject({ state: 'paid', amount: dearAmount, paidAmount: amount });
  });

  test('contains the error of too many payments', () => {
    const order = sentOrder(accepted, { mostPayments: 1 });
    order.event('declined');
    expect(pageOf(order).error).toBeUndefined();
    order.click(newPayment(2));
    expect(pageOf(order)).toMatchObject({ state: 'over', error: { code: 'TOO_MANY_PAYMENTS' } });
    const refused = sentOrder(failing('refused'), { mostPayments: 1 });
    refused.now = minute;
    refused.click(newPayment(2));
    expect(pageOf(refused)).toMatchObject({ state: 'refused', error: { code: 'TOO_MANY_PAYMENTS' } });
  });

  test('contains the invoices of the order, without dropped invoices', () => {
    const order = sentOrder(accepted);
    for (const content of ['a', 'b', 'c']) order.addInvoice(content);
    const waiting = [1, 2, 3].map((number) => ({ number, state: 'waiting' }));
    expect(pageOf(order).invoices).toStrictEqual(waiting);
    order.event('paid');
    order.sweep('u');
    expect(pageOf(order).invoices).toStrictEqual(waiting);
    order.uploadEnded({ step: 'accepted', invoiceId: 'i-1' }, 'u');
    order.sweep('v');
    order.uploadEnded(failing('refused'), 'v', 2);
    order.sweep('w');
    order.uploadEnded(failing('look_up'), 'w', 3);
    const stored = { number: 1, state: 'stored', invoiceId: 'i-1' };
    expect(pageOf(order).invoices).toStrictEqual([
      stored,
      { number: 2, state: 'in_review' },
      { number: 3, state: 'in_review' },
    ]);
    order.give({ type: 'concludeInvoice', number: 2, conclusion: 'absent' });
    expect(pageOf(order).invoices).toStrictEqual([stored, { number: 3, state: 'in_review' }]);
  });
});

describe('a changed order', () => {
  test('contains only the link of the open payment, in open', () => {
    const order = sentOrder({ ...accepted, qrData: 'qr' });
    order.click(dearPayment(2));
    expect(pageOf(order)).toStrictEqual({
      orderId: 'o',
      state: 'changed',
      referenceId: 'o-1',
      amount: dearAmount,
      open: { referenceId: 'o-1', paymentUrl, amount },
    });
  });

  test('contains the end of the open payment: ten minutes after its time', () => {
    const order = sentOrder(accepted, {}, { lifetimeMs: 20 * minute });
    order.click(dearPayment(2));
    expect(pageOf(order)).toMatchObject({ state: 'changed', open: { until: new Date(30 * minute) } });
  });

  test('contains open without a link if the link of the open payment is unknown', () => {
    const order = sentOrder(failing('look_up'));
    order.conclude('exists');
    order.click(dearPayment(2));
    expect(pageOf(order)).toMatchObject({ state: 'changed', open: { referenceId: 'o-1' } });
    expect(pageOf(order).open).not.toHaveProperty('paymentUrl');
  });
});

describe('differs', () => {
  const other = newPayment(2, { contentHash: 'another basket' });

  test('is true for a different request of the same amount while a payment is live', () => {
    const order = sentOrder(accepted);
    expect(viewOf('o', order.order, other)).toMatchObject({ state: 'started', paymentUrl, differs: true });
    expect(viewOf('o', sentOrder(failing('repeat')).order, other).differs).toBe(true);
  });

  test.each([
    ['the same request', newPayment(2)],
    ['another amount', dearPayment(2)],
    ['no request', undefined],
  ])('is absent for %s', (_name, candidate) => {
    expect(viewOf('o', sentOrder(accepted).order, candidate)).not.toHaveProperty('differs');
  });

  test('is absent once the payment has ended', () => {
    const order = sentOrder(accepted);
    order.event('declined');
    expect(viewOf('o', order.order, other)).not.toHaveProperty('differs');
  });
});
