import type { Command, Decision, RuleSettings, CallResult } from '../../src/orders/commands.js';
import type { NewPayment, Order, Payment } from '../../src/orders/order.js';
import { decide, dueAt } from '../../src/orders/rules.js';
import { reviewsOf, viewStateOf } from '../../src/orders/views.js';

export const minute = 60_000;
export const day = 24 * 60 * minute;

const ordinary: RuleSettings = {
  claimMs: minute,
  safeAfterMs: 3 * minute,
  repeatAfterMs: minute,
  mostSends: 10,
  repeatUnknown: true,
  reviewOverdue: true,
  hasOnPaid: false,
};

export function newPayment(number: number, more: Partial<NewPayment> = {}): NewPayment {
  return {
    referenceId: `o-${number}`,
    request: '{}',
    idempotencyKey: `key ${number}`,
    content: 'content',
    asked: { value: 1200, currency: 'VND', merchantId: 'm' },
    mayExist: false,
    ...more,
  };
}

const error = { code: 'CODE', action: 'Do it.' };

export function failing(
  step: 'fix' | 'call_again' | 'refused' | 'repeat' | 'look_up',
  retryAfterMs?: number,
) {
  return { step, error, ...(retryAfterMs !== undefined && { retryAfterMs }) } as const;
}

export const accepted = { step: 'accepted', paymentUrl: 'https://pay/1' } as const;

/** One order, its clock, and the commands that are given to it. It is stored as JSON text between any two. */
export class OrderUnderTest {
  now = 0;
  #stored: string | undefined;
  #commands = 0;
  readonly settings: RuleSettings;

  constructor(settings: Partial<RuleSettings> = {}, order?: Order) {
    this.settings = { ...ordinary, ...settings };
    this.#stored = order && JSON.stringify(order);
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

  get view(): string {
    return viewStateOf(this.order);
  }

  get dueAt(): number | undefined {
    return dueAt(this.order, this.settings);
  }

  get reviews(): [reason: string, sinceAt: number][] {
    return reviewsOf(this.order).map(({ reason, sinceAt }) => [reason, sinceAt]);
  }

  commandId(): string {
    this.#commands += 1;
    return `command ${this.#commands}`;
  }

  give(command: Command): Decision {
    const found = this.#stored === undefined ? undefined : this.order;
    const decision = decide('o', found, command, this.now, this.settings);
    if (decision.order) this.#stored = JSON.stringify(decision.order);
    return decision;
  }

  click(next?: NewPayment, commandId = this.commandId()): Decision {
    return this.give({ type: 'start', commandId, ...(next && { next }) });
  }

  sweep(commandId = this.commandId()): Decision {
    return this.give({ type: 'doNextDue', commandId });
  }

  /** How the call ended that was made under the last claim. */
  report(result: CallResult, commandId = this.payment.claim?.token ?? ''): Decision {
    return this.give({ type: 'callEnded', commandId, referenceId: this.payment.referenceId, result });
  }

  event(
    status: 'paid' | 'declined' | 'expired',
    more: object = {},
    commandId = this.commandId(),
    mayCallOnPaid = true,
  ) {
    const { referenceId } = this.payment;
    const event = { referenceId, status, value: 1200, currency: 'VND', ...more };
    return this.give({ type: 'event', commandId, event, mayCallOnPaid });
  }

  lookUp(): Decision {
    return this.give({ type: 'lookUp', referenceId: this.payment.referenceId });
  }

  conclude(
    conclusion: 'absent' | 'exists' | 'paid' | 'over',
    more: object = {},
    commandId = this.commandId(),
  ): Decision {
    const { referenceId } = this.payment;
    return this.give({ type: 'conclude', commandId, referenceId, conclusion, mayCallOnPaid: true, ...more });
  }

  addInvoice(content: string): Decision {
    return this.give({ type: 'addInvoice', upload: '{}', content });
  }
}

/** An order whose first payment was sent, and the call ended like this. */
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
