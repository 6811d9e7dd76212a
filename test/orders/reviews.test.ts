import { expect, test } from 'vitest';
import { reviewsOf } from '../../src/orders/reviews.js';
import { accepted, callError as error, day, failing, newPayment, sentOrder } from './order-under-test.js';

test('a review names the payment, the error of its call and the time since which it waits', () => {
  const order = sentOrder(failing('look_up'));
  expect(reviewsOf(order.order)).toStrictEqual([
    { reason: 'look_up', referenceId: 'o-1', sinceAt: 0, error },
  ]);
});

test('a review of an invoice names its number, and the payment that paid the order', () => {
  const order = sentOrder(accepted);
  order.event('declined');
  order.click(newPayment(2));
  order.event('paid', { referenceId: 'o-1' });
  order.addInvoice('a');
  order.sweep('a');
  order.now = 5;
  order.uploadEnded(failing('look_up'), 'a');
  expect(reviewsOf(order.order)).toStrictEqual([
    { reason: 'invoice_look_up', referenceId: 'o-1', number: 1, sinceAt: 5, error },
  ]);
});

test('a review of the order itself contains the payment that paid the order, or the last payment', () => {
  const order = sentOrder(accepted, { onPaid: 'elsewhere' });
  order.event('declined');
  order.click(newPayment(2));
  order.event('paid', { referenceId: 'o-1' });
  order.now = day;
  order.touch();
  expect(reviewsOf(order.order)).toContainEqual({ reason: 'on_paid_due', referenceId: 'o-1', sinceAt: 0 });
  const many = sentOrder(accepted, { mostPayments: 1 });
  many.event('declined');
  many.click(newPayment(2));
  expect(reviewsOf(many.order)).toStrictEqual([{ reason: 'too_many', referenceId: 'o-1', sinceAt: 0 }]);
});

test('a review has no error if the last call did not fail', () => {
  const order = sentOrder(accepted);
  order.event('paid', { value: 12 });
  expect(reviewsOf(order.order)).toStrictEqual([{ reason: 'mismatch', referenceId: 'o-1', sinceAt: 0 }]);
});

test('a payment that cannot be sent is for review until it is stopped, or its order has ended', () => {
  const stopped = sentOrder(failing('fix'));
  stopped.lookUp();
  expect(stopped.reviews).toEqual([['look_up', 0]]);
  const cancelled = sentOrder(failing('fix'));
  cancelled.cancel();
  expect(cancelled.reviews).toEqual([]);
});

test('a payment without a webhook for a day is for review until a webhook arrives', () => {
  const order = sentOrder(accepted);
  order.now = day;
  order.sweep();
  order.event('declined');
  expect(order.reviews).toEqual([]);
});

test('the last unknown status is in each review of its payment', () => {
  const order = sentOrder(failing('look_up'));
  order.event('unknown', { unknownStatus: 'SETTLED' });
  expect(reviewsOf(order.order)).toMatchObject([{ reason: 'look_up', unknownStatus: 'SETTLED' }]);
});

test('an order without payments has no reviews', () => {
  expect(reviewsOf({ orderId: 'o', payments: [], invoices: [] })).toEqual([]);
});
