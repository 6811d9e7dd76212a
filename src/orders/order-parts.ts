import type { RuleSettings } from './commands.js';
import type { Invoice, Order, Payment } from './order.js';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export function withPayment(order: Order, changed: Payment): Order {
  const payments = order.payments.map((each) => (each.referenceId === changed.referenceId ? changed : each));
  return { ...order, payments };
}

export function withInvoice(order: Order, changed: Invoice): Order {
  const invoices = order.invoices.map((each) => (each.number === changed.number ? changed : each));
  return { ...order, invoices };
}

/** The order with each payment and invoice changed; the same object if nothing changes. */
export function withEach(
  order: Order,
  changePayment: (payment: Payment) => Payment,
  changeInvoice: (invoice: Invoice) => Invoice,
): Order {
  const payments = order.payments.map(changePayment);
  const invoices = order.invoices.map(changeInvoice);
  const isSame =
    payments.every((each, index) => each === order.payments[index]) &&
    invoices.every((each, index) => each === order.invoices[index]);
  return isSame ? order : { ...order, payments, invoices };
}

/** The payment or invoice with a new state, which begins now. */
export function inState<Part extends Payment | Invoice>(
  part: Part,
  state: Part['state'],
  now: number,
  more: Partial<Part> = {},
): Part {
  return { ...part, state, stateAt: now, ...more };
}

/** The wait before the next send, after this number of sends. */
export function backoffMs(sends: number, { repeatAfterMs }: RuleSettings): number {
  return repeatAfterMs * 2 ** Math.max(0, sends - 1);
}

/** The earliest time of the next request after a response with `Retry-After`. The wait is a day at most. */
export function notBefore(retryAfterMs = 0, now: number): number {
  return now + Math.min(retryAfterMs, dayMs);
}
