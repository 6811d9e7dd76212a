import { expect, test } from 'vitest';
import { reviewItem } from '../../src/orders/review-item.js';
import { reviewsOf } from '../../src/orders/reviews.js';
import {
  accepted,
  callError as error,
  dearPayment,
  failing,
  minute,
  newPayment,
  OrderUnderTest,
  sentOrder,
} from './order-under-test.js';

const itemsOf = ({ order, now, settings }: OrderUnderTest) =>
  reviewsOf(order).map((review) => reviewItem(order, review, now, settings, 'en'));
const action = expect.stringMatching(/\.$/) as unknown;

test('an item for review contains both amounts of a paid payment of another amount', () => {
  const order = sentOrder(accepted);
  order.click(dearPayment(2));
  order.now = 5;
  order.event('paid');
  expect(itemsOf(order)).toStrictEqual([
    {
      orderId: 'o',
      reason: 'other_amount',
      action,
      conclusions: ['accept', 'markRefunded'],
      amount: { value: 2400, currency: 'VND' },
      paymentAmount: { value: 1200, currency: 'VND' },
      referenceId: 'o-1',
      since: new Date(5),
    },
  ]);
});

test('an item for review contains the account, the error and safeFrom', () => {
  const order = new OrderUnderTest();
  order.give({ type: 'start', commandId: 'a', account: 'x', next: newPayment(1) });
  order.report(failing('look_up'));
  expect(itemsOf(order)).toMatchObject([{ account: 'x', error, safeFrom: new Date(3 * minute) }]);
});

test('an item for review contains the number of an invoice', () => {
  const order = sentOrder(accepted);
  order.event('paid');
  order.addInvoice('a');
  order.sweep('u');
  order.uploadEnded(failing('refused'), 'u');
  expect(itemsOf(order)).toMatchObject([{ reason: 'invoice_refused', number: 1, referenceId: 'o-1' }]);
});

test('an item for review contains the invoiceNumber of an invoice, until its upload is erased', () => {
  const order = sentOrder(accepted, { eraseAfterMs: minute });
  order.give({ type: 'addInvoice', upload: '{"upload":{"invoiceNumber":"I-1"}}', contentHash: 'a' });
  order.event('paid');
  order.sweep('u');
  order.uploadEnded(failing('refused'), 'u');
  expect(itemsOf(order)).toMatchObject([{ number: 1, invoiceNumber: 'I-1' }]);
  const invoices = order.order.invoices.map((invoice) => ({ ...invoice, upload: undefined }));
  const [erased] = itemsOf(new OrderUnderTest({}, { ...order.order, invoices }));
  expect(erased).toMatchObject({ number: 1 });
  expect(erased).not.toHaveProperty('invoiceNumber');
});

test('an item in the state of a later version offers no conclusion', () => {
  const { order: known } = sentOrder(accepted);
  const payments = known.payments.map((each) => ({ ...each, state: 'authorised' })) as never;
  expect(itemsOf(new OrderUnderTest({}, { ...known, payments }))).toMatchObject([
    { reason: 'unreadable', referenceId: 'o-1', conclusions: [] },
  ]);
});
