import { expect, test } from 'vitest';
import { customerText } from '../../src/orders/customer-text.js';
import { viewOf } from '../../src/orders/order-view.js';
import { accepted, newPayment, sentOrder } from './order-under-test.js';

test('the text of an order that takes no other payment does not ask the customer to start again', () => {
  const order = sentOrder(accepted, { mostPayments: 1 });
  order.event('declined');
  const text = () => customerText(viewOf('o', order.order), 'en');
  expect(text()).toContain('You can start again');
  order.click(newPayment(2));
  expect(text()).toContain('Please choose another way to pay');
});
