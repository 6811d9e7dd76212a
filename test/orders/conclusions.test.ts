import { describe, expect, test } from 'vitest';
import type { Command } from '../../src/orders/commands.js';
import { conclusions, invoiceConclusions } from '../../src/orders/commands.js';
import { conclusionsFor, safeFromOf } from '../../src/orders/conclusions.js';
import { fileNotLoaded } from '../../src/orders/invoice-rules.js';
import { reviewItem } from '../../src/orders/review-item.js';
import { reviewsOf, type Review } from '../../src/orders/reviews.js';
import {
  accepted,
  day,
  dearPayment,
  failing,
  minute,
  newPayment,
  orderIn,
  OrderUnderTest,
  sentOrder,
} from './order-under-test.js';

const after = (order: OrderUnderTest, now: number): OrderUnderTest => {
  order.now = now;
  order.touch();
  return order;
};

function mismatched(order: OrderUnderTest): OrderUnderTest {
  order.event('paid', { value: 12 });
  return order;
}

function otherAmount(): OrderUnderTest {
  const order = sentOrder(accepted);
  order.click(dearPayment(2));
  order.event('paid');
  return order;
}

function changed(): OrderUnderTest {
  const order = sentOrder(accepted);
  order.click(dearPayment(2));
  return order;
}

function secondPaid(): OrderUnderTest {
  const order = sentOrder(accepted);
  order.event('declined');
  order.click(newPayment(2));
  order.event('paid');
  order.event('paid', { referenceId: 'o-1' });
  return order;
}

function withoutClient(): OrderUnderTest {
  const order = new OrderUnderTest();
  order.click(newPayment(1), 'a', false);
  order.now = day;
  order.sweep('b', false);
  return order;
}

function uploadWithoutClient(): OrderUnderTest {
  const order = sentOrder(accepted);
  order.event('paid');
  order.addInvoice('a');
  order.sweep('b', false);
  order.now = day;
  order.sweep('c', false);
  return order;
}

function tooMany(): OrderUnderTest {
  const order = sentOrder(accepted, { mostPayments: 1 });
  order.event('declined');
  order.click(newPayment(2));
  return order;
}

function existsAfterAll(): OrderUnderTest {
  const order = sentOrder(failing('refused'));
  order.report(accepted);
  return order;
}

function uploaded(step: 'look_up' | 'refused' | 'not_loaded'): OrderUnderTest {
  const order = sentOrder(accepted, { mostSends: 1 });
  order.event('paid');
  order.addInvoice('a');
  order.sweep('u');
  const result = step === 'not_loaded' ? failing('call_again') : failing(step);
  const code = step === 'not_loaded' ? fileNotLoaded : 'CODE';
  order.uploadEnded({ ...result, error: { ...result.error, code } }, 'u');
  return order;
}

function paidElsewhere(): OrderUnderTest {
  const order = sentOrder(accepted, { onPaid: 'elsewhere' });
  order.event('paid');
  return after(order, day);
}

function sendingWithMismatch(): OrderUnderTest {
  const order = new OrderUnderTest();
  order.click(newPayment(1));
  return mismatched(order);
}

/** An order whose payment is in a state that a later version has stored. */
function ofLaterVersion(): OrderUnderTest {
  const { order } = sentOrder(accepted);
  const payments = order.payments.map((each) => ({ ...each, state: 'authorised' })) as never;
  return new OrderUnderTest({}, { ...order, payments });
}

const safely = ['absent', 'exists', 'paid', 'over'] as const;
const rows: [name: string, order: () => OrderUnderTest, Review['reason'], listed: readonly string[]][] = [
  ['a second payment', secondPaid, 'refund', ['markRefunded']],
  ['a paid payment of another amount', otherAmount, 'other_amount', ['accept', 'markRefunded']],
  ['an open payment of another amount', changed, 'changed', ['exists', 'paid', 'over']],
  ['onPaid of another process', paidElsewhere, 'on_paid_due', []],
  ['a payment in the state of a later version', ofLaterVersion, 'unreadable', []],
  ['an account without a client', withoutClient, 'no_client', ['cancel']],
  ['an upload of an account without a client', uploadWithoutClient, 'no_client', []],
  ['too many payments', tooMany, 'too_many', ['cancel']],
  ['a mismatch while it is sent', sendingWithMismatch, 'mismatch', ['lookUp', 'exists', 'paid']],
  [
    'a mismatch while it is repeated',
    () => mismatched(orderIn('unknown')),
    'mismatch',
    ['lookUp', 'exists', 'paid'],
  ],
  ['a mismatch while it is open', () => mismatched(orderIn('open')), 'mismatch', ['exists', 'paid', 'over']],
  ['a mismatch after it was declined', () => mismatched(orderIn('declined')), 'mismatch', safely],
  ['a mismatch of a paid order', () => mismatched(orderIn('paid')), 'mismatch', safely],
  [
    'a mismatch of a paid payment of another amount',
    () => mismatched(otherAmount()),
    'mismatch',
    [...safely, 'accept'],
  ],
  ['a payment that exists after all', existsAfterAll, 'exists_after_all', ['exists', 'paid', 'over']],
  ['a payment to look up, too early', () => sentOrder(failing('look_up')), 'look_up', ['exists', 'paid']],
  ['a payment to look up', () => orderIn('look_up'), 'look_up', safely],
  ['an overdue payment', () => orderIn('overdue'), 'overdue', safely],
  [
    'a payment without a webhook',
    () => after(sentOrder(accepted), day),
    'no_webhook',
    ['exists', 'paid', 'over'],
  ],
  [
    'a payment that could not be sent',
    () => sentOrder(failing('fix')),
    'not_sent',
    ['lookUp', 'exists', 'paid', 'over'],
  ],
  ['an invoice to look up, too early', () => uploaded('look_up'), 'invoice_look_up', ['stored']],
  [
    'an invoice to look up',
    () => after(uploaded('look_up'), 3 * minute),
    'invoice_look_up',
    ['stored', 'absent'],
  ],
  ['a refused invoice', () => uploaded('refused'), 'invoice_refused', ['stored', 'absent']],
  [
    'an invoice that was not loaded',
    () => uploaded('not_loaded'),
    'invoice_not_loaded',
    ['stored', 'absent'],
  ],
];

function reviewIn(order: OrderUnderTest, reason: Review['reason']): Review {
  const review = reviewsOf(order.order).find((each) => each.reason === reason);
  if (!review) throw new Error(`the order is for review as ${order.reasons.join(', ')}`);
  return review;
}

function commandFor(name: string, { referenceId = '', number }: Review): Command {
  const conclusion = conclusions.find((each) => each === name);
  const ofInvoice = invoiceConclusions.find((each) => each === name);
  if (name === 'lookUp') return { type: 'lookUp', referenceId };
  if (name === 'markRefunded') return { type: 'refunded', referenceId };
  if (number !== undefined && ofInvoice) return { type: 'concludeInvoice', number, conclusion: ofInvoice };
  if (conclusion) return { type: 'conclude', commandId: 'c', referenceId, conclusion, canCallOnPaid: true };
  return { type: 'cancel' };
}

describe('the conclusions of an item for review', () => {
  test.each(rows)('are exactly the expected conclusions: %s', (_name, orderOf, reason, listed) => {
    const order = orderOf();
    const review = reviewIn(order, reason);
    const before = order.order;
    expect(conclusionsFor(before, review, order.now, order.settings)).toEqual(listed);
    expect(before).toEqual(order.order);
  });

  test.each(rows)(
    'include every conclusion that its action names, except absent before safeFrom: %s',
    (_name, orderOf, reason) => {
      const order = orderOf();
      const item = reviewItem(order.order, reviewIn(order, reason), order.now, order.settings, 'en');
      const { action, safeFrom, conclusions: possible } = item;
      const named = [...action.matchAll(/"(\w+)"/g)].map(([, conclusion]) => conclusion);
      const later = safeFrom && action.includes('Wait until safeFrom') ? ['absent'] : [];
      expect([...possible, ...later]).toEqual(expect.arrayContaining(named));
    },
  );

  const each = rows.flatMap(([name, orderOf, reason, listed]) =>
    listed.map((conclusion) => ({ name, orderOf, reason, conclusion })),
  );
  test.each(each)('are stored: $conclusion of $name', ({ orderOf, reason, conclusion }) => {
    const order = orderOf();
    const before = order.order;
    const decision = order.give(commandFor(conclusion, reviewIn(order, reason)));
    if (conclusion === 'lookUp') expect(order.order).not.toEqual(before);
    else expect(decision).toMatchObject({ concluded: true });
  });
});

describe('safeFrom', () => {
  const safeFrom = (order: OrderUnderTest, reason: Review['reason']) =>
    safeFromOf(order.order, reviewIn(order, reason), order.now);

  test('is three minutes after the last claim of a payment to look up, and absent from then on', () => {
    const order = sentOrder(failing('look_up'));
    order.now = 3 * minute - 1;
    expect(safeFrom(order, 'look_up')).toEqual(new Date(3 * minute));
    order.now = 3 * minute;
    expect(safeFrom(order, 'look_up')).toBeUndefined();
  });

  test('is the time of a payment that is being sent, or is overdue', () => {
    expect(safeFrom(sendingWithMismatch(), 'mismatch')).toEqual(new Date(3 * minute));
    const overdue = sentOrder(accepted, { safeAfterMs: day }, { lifetimeMs: 1 });
    expect(safeFrom(after(overdue, 11 * minute), 'overdue')).toEqual(new Date(day));
  });

  test('is absent for a payment that is open, or could not be sent', () => {
    expect(safeFrom(mismatched(sentOrder(accepted)), 'mismatch')).toBeUndefined();
    expect(safeFrom(sentOrder(failing('fix')), 'not_sent')).toBeUndefined();
  });

  test('is absent for a payment that was never sent', () => {
    const order = new OrderUnderTest();
    order.add(newPayment(1));
    order.lookUp();
    expect(safeFrom(order, 'look_up')).toBeUndefined();
  });

  test('is the time of the invoice, for an invoice, and not of its payment', () => {
    const second = uploaded('refused');
    second.now = minute;
    second.addInvoice('b');
    second.sweep('v');
    second.uploadEnded(failing('look_up'), 'v', 2);
    expect(safeFrom(second, 'invoice_look_up')).toEqual(new Date(4 * minute));
    expect(safeFrom(mismatched(second), 'mismatch')).toBeUndefined();
    const order = uploaded('look_up');
    expect(safeFrom(order, 'invoice_look_up')).toEqual(new Date(3 * minute));
    expect(safeFrom(uploaded('refused'), 'invoice_refused')).toBeUndefined();
  });
});
