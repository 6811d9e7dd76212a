import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { viewStateOf } from '../../src/orders/order-view.js';
import { paymentStates, type Order } from '../../src/orders/order.js';
import { reviewsOf } from '../../src/orders/reviews.js';
import { day, OrderUnderTest } from './order-under-test.js';

// As version 1.0 stores them, one in each state. They never change: add rows.
const rows = JSON.parse(
  readFileSync(new URL('../vectors/1.0/orders.json', import.meta.url), 'utf8'),
) as Record<string, { order: string; view: string; reviews: string[]; then: object }>;

test('each state of a payment has a stored order', () => {
  expect(paymentStates.filter((state) => !Object.hasOwn(rows, state))).toEqual([]);
});

test.each(Object.entries(rows))(
  'an order that version 1.0 stored is read and continued: %s',
  (_name, row) => {
    const order = JSON.parse(row.order) as Order;
    expect(viewStateOf(order)).toBe(row.view);
    expect(reviewsOf(order).map(({ reason }) => reason)).toEqual(row.reviews);
    const moved = new OrderUnderTest({ onPaid: 'here' }, order);
    moved.now = day;
    const { effect } = moved.sweep();
    expect({
      effect: effect?.type ?? null,
      states: moved.states,
      view: moved.view,
      dueAt: moved.dueAt ?? null,
    }).toEqual(row.then);
  },
);
