import type { CallResult, Command, Decision, PaymentEvent, RuleSettings } from '../../src/orders/commands.js';
import { dueAt } from '../../src/orders/due.js';
import { withHistory } from '../../src/orders/history.js';
import { viewStateOf } from '../../src/orders/order-view.js';
import type { NewPayment, Order, Payment, PaymentState } from '../../src/orders/order.js';
import { reviewsOf } from '../../src/orders/reviews.js';
import { decide } from '../../src/orders/rules.js';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

const ordinary: RuleSettings = {
  claimMs: minute,
  safeAfterMs: 3 * minute,
  repeatAfterMs: minute,
  mostSends: 10,
  mostPayments: 20,
  repeatUnknown: true,
  reviewOverdue: true,
  onPaid: 'firstPaid',
  restores: [],
};

export function newPayment(number: number, more: Partial<NewPayment> = {}): NewPayment {
  return {
    referenceId: `o-${number}`,
    request: '{}',
    idempotencyKey: `key ${number}`,
    contentHash: 'content',
    expected: { value: 1200, currency: 'VND', merchantId: 'm' },
    ...more,
  };
}

/** A payment of another amount. */
export function dearPayment(number: number, more: Partial<NewPayment> = {}): NewPayment {
  const expected = { value: 2400, currency: 'VND', merchantId: 'm' };
  return newPayment(number, { contentHash: 'dear content', expected, ...more });
}

export const callError = { code: 'CODE', action: 'Do it.' };

export function failing(
  step: 'fix' | 'call_again' | 'refused' | 'repeat' | 'look_up',
  retryAfterMs?: number,
) {
  return { step, error: callError, ...(retryAfterMs !== undefined && { retryAfterMs }) } as const;
}

export const accepted = { step: 'accepted', paymentUrl: 'https://pay/1' } as const;

/** An order, its clock, and its commands. It is stored as JSON text between two commands. */
export class OrderUnderTest {
  now = 0;
  #stored: string | undefined;
  #commands = 0;
  /** The settings of the process that gets the next command. */
  settings: RuleSettings;

  constructor(settings: Partial<RuleSettings> = {}, order?: Order) {
    this.settings = { ...ordinary, ...settings };
    this.#stored = order && JSON.stringify(order);
  }

  /** Gives the following commands to a process with other options. */
  use(settings: Partial<RuleSettings>): void {
    this.settings = { ...ordinary, ...settings };
  }

  /** Restores the database: payments that were added until `sinceAt` can have been sent. */
  restore(sinceAt: number): void {
    const restores = [...this.settings.restores, { at: this.now, sinceAt }];
    this.settings = { ...this.settings, restores };
  }

  get order(): Order {
    return JSON.parse(this.#stored ?? '') as Order;
  }

  /** The last payment. */
  get payment(): Payment {
    const last = this.order.payments.at(-1);
    if (!last) throw new Error('there is no payment');
    return last;
  }

  get state(): string {
    return this.payment.state;
  }

  get states(): string[] {
    return this.order.payments.map(({ state }) => state);
  }

  get view(): string {
    return viewStateOf(this.order);
  }

  get dueAt(): number | undefined {
    return dueAt(this.order);
  }

  get reviews(): [reason: string, sinceAt: number][] {
    return reviewsOf(this.order).map(({ reason, sinceAt }) => [reason, sinceAt]);
  }

  get reasons(): string[] {
    return this.reviews.map(([reason]) => reason);
  }

  commandId(): string {
    this.#commands += 1;
    return `command ${this.#commands}`;
  }

  give(command: Command): Decision {
    const found = this.#stored === undefined ? undefined : this.order;
    const decision = decide('o', found, command, this.now, this.settings);
    if (decision.order)
      this.#stored = JSON.stringify(withHistory(found, decision.order, command, this.now, this.settings));
    return decision;
  }

  click(next?: NewPayment, commandId = this.commandId(), hasClient = true): Decision {
    return this.give({ type: 'start', commandId, hasClient, ...(next && { next }) });
  }

  add(next: NewPayment): Decision {
    return this.give({ type: 'add', next });
  }

  sweep(commandId = this.commandId(), hasClient = true): Decision {
    return this.give({ type: 'claimDue', commandId, hasClient });
  }

  /** Applies only time and restores. */
  touch(): void {
    this.give({ type: 'onPaidCalled', commandId: this.commandId(), isDone: false });
  }

  /** Reports the result of the call under the last claim. */
  report(result: CallResult, commandId = this.payment.claim?.token ?? ''): Decision {
    return this.give({ type: 'callEnded', commandId, referenceId: this.payment.referenceId, result });
  }

  /** Gives a webhook of the last payment, or of `more.referenceId`. It fits the payment, except for `more`. */
  event(
    status: PaymentEvent['status'],
    more: Partial<PaymentEvent> = {},
    commandId = this.commandId(),
    canCallOnPaid = true,
  ): Decision {
    const referenceId = more.referenceId ?? this.payment.referenceId;
    const asked = this.order.payments.find((each) => each.referenceId === referenceId)?.expected;
    const { value = 1200, currency = 'VND' } = asked ?? {};
    const event = { referenceId, status, value, currency, ...more };
    return this.give({ type: 'event', commandId, event, canCallOnPaid });
  }

  lookUp(by?: string): Decision {
    const { referenceId } = this.payment;
    return this.give({ type: 'lookUp', referenceId, ...(by !== undefined && { by }) });
  }

  /** Concludes about the last payment, or about `more.referenceId`. */
  conclude(
    conclusion: Command<'conclude'>['conclusion'],
    more: Partial<Command<'conclude'>> = {},
    commandId = this.commandId(),
  ): Decision {
    const { referenceId } = this.payment;
    return this.give({ type: 'conclude', commandId, referenceId, conclusion, canCallOnPaid: true, ...more });
  }

  refunded(referenceId = this.payment.referenceId): Decision {
    return this.give({ type: 'refunded', referenceId });
  }

  cancel(): Decision {
    return this.give({ type: 'cancel' });
  }

  addInvoice(contentHash: string): Decision {
    return this.give({ type: 'addInvoice', upload: '{}', contentHash });
  }

  uploadEnded(result: CallResult, commandId: string, number = 1): Decision {
    return this.give({ type: 'uploadEnded', commandId, number, result });
  }
}

/** An order whose first payment was sent with this result. */
export function sentOrder(
  result: CallResult,
  settings: Partial<RuleSettings> = {},
  more: Partial<NewPayment> = {},
) {
  const order = new OrderUnderTest(settings);
  order.click(newPayment(1, more));
  order.report(result);
  return order;
}

/** An order whose last payment is in this state, three minutes after it was sent. An overdue payment is a day old. */
export function orderIn(state: PaymentState): OrderUnderTest {
  const results: Partial<Record<PaymentState, CallResult>> = {
    new: failing('call_again'),
    unknown: failing('repeat'),
    look_up: failing('look_up'),
    absent: failing('look_up'),
    refused: failing('refused'),
  };
  const order = new OrderUnderTest();
  order.click(newPayment(1, state === 'overdue' ? { lifetimeMs: 1 } : {}));
  if (state !== 'sending') order.report(results[state] ?? accepted);
  order.now = state === 'sending' ? 1 : 3 * minute;
  if (state === 'absent' || state === 'over') order.conclude(state);
  if (state === 'declined' || state === 'expired' || state === 'paid') order.event(state);
  if (state === 'overdue') {
    order.now = day;
    order.sweep();
  }
  if (order.state !== state) throw new Error(`the payment is ${order.state}`);
  return order;
}
