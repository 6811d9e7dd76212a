import { recordsFor, type PaymentRelated } from '../findings/journal-queries.js';
import { type JournalEntry, type MockChange, type MockPayment, paymentKey } from '../../mock/observation.js';
import { networks } from '../../mock/scenarios/network.js';
import { webhookPlans } from '../../mock/scenarios/webhook-plans.js';
import {
  secondCheckouts,
  sharedSteps,
  stepsOf,
  visitSteps,
  type StepName,
  type VisitContext,
} from './visit-steps.js';

/** When a `Visit` begins: now, not yet (because a request has no response), or after a delay in milliseconds. */
type VisitStart = 'now' | 'not-yet' | number;

interface StartTimes {
  /**
   * True if the webhook must arrive before the response to the initiate request. The customer then pays at once, before
   * the shop has the link.
   */
  readonly isWebhookBeforeResponse: boolean;
  /**
   * The delay before the visit if the mock has not sent the link, in milliseconds. Each further request of the merchant
   * for the payment restarts the delay.
   */
  readonly withoutLinkMs: number;
}

/**
 * The delay before the visit if the mock has sent the link, in milliseconds. Within this time, the response arrives at
 * a merchant on the same machine.
 */
const withLinkMs = 100;

/**
 * Says when a visit begins. `requests` are the initiate requests for the payment so far. If the webhook must arrive
 * before the response, the customer comes at once. If not, the customer comes soon after the merchant has received the
 * link (`paymentUrl`). If the merchant does not receive the link, and sends no further request for a while, the
 * customer comes anyway, because the service might have sent the link to the customer.
 */
export function visitStart(
  requests: readonly Pick<JournalEntry, 'completed' | 'resultStatus' | 'answer'>[],
  { isWebhookBeforeResponse, withoutLinkMs }: StartTimes,
): VisitStart {
  if (isWebhookBeforeResponse) return 'now';
  // The visit is planned again when the response is sent.
  if (requests.some(({ completed }) => !completed)) return 'not-yet';
  const hasLink = requests.some(
    ({ resultStatus, answer }) => resultStatus === 'APPROVED' && answer === 'sent',
  );
  return hasLink ? withLinkMs : withoutLinkMs;
}

/**
 * A visit: all actions of the customer of one payment, such as paying. Until the visit begins, each new plan replaces
 * the earlier plan. A visit that has begun cannot be planned again.
 */
export class Visit {
  #timer: NodeJS.Timeout | undefined;
  #hasBegun = false;

  constructor(
    private readonly runSteps: () => Promise<void>,
    /** Resolves once the checkout has returned the link. */
    private readonly untilLinkShown: () => Promise<void> | undefined,
    private readonly onEnd: () => void,
  ) {}

  plan(start: VisitStart): void {
    if (this.#hasBegun) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (start === 'now') this.#begin();
    else if (start !== 'not-yet') this.#timer = setTimeout(() => void this.#beginOnceShown(), start);
  }

  /**
   * Begins once the checkout has returned the link. If a response of the checkout contains no link, the `Shopper`
   * repeats the call. The customer pays only after the repeated call, so that the order is still unpaid in that call.
   */
  async #beginOnceShown(): Promise<void> {
    const timer = this.#timer;
    await this.untilLinkShown();
    // If the visit was planned again meanwhile, this plan no longer counts.
    if (this.#timer === timer) this.#begin();
  }

  #begin(): void {
    this.#hasBegun = true;
    void this.runSteps().finally(this.onEnd);
  }
}

/**
 * The customers of a run, one for each payment. `onChange` must be called with each change of the mock, with two
 * exceptions: a change for a reference of an earlier scenario (see `LateRequestTracker`), and a change of a request
 * whose body has not been read yet.
 */
export class Customers {
  readonly #steps: readonly StepName[];
  readonly #times: StartTimes;
  readonly #visits = new Map<string, Visit>();
  /** The results of the steps that happen once in a run. */
  readonly #sharedResults = new Map<StepName, unknown>();
  /** True once a customer checks out again. The payments that the shop creates after that get no customer. */
  #hasSecondCheckout = false;

  constructor(
    private readonly context: VisitContext,
    /**
     * The maximum number of payments that get a customer. Without a maximum, a run would not end if a shop creates
     * another payment each time that a payment is declined.
     */
    private readonly maxVisits: number,
  ) {
    const scenario = context.mock.scenario();
    this.#steps = stepsOf(scenario, context.customer, context.isBaseline);
    // During an outage, no merchant gets a link, so the customers wait until the outage is over.
    const { outageMs = 0 } = networks[scenario.network];
    this.#times = {
      isWebhookBeforeResponse: webhookPlans[scenario.notification].responseWaitsMs !== undefined,
      withoutLinkMs: context.patienceMs + outageMs,
    };
  }

  onChange(change: MockChange): void {
    if (this.#steps.length === 0) return;
    if (change.kind === 'payment') this.#planVisits(change);
    if (change.kind === 'request' && change.entry.operation === 'initiatePayment')
      this.#planVisits(change.entry);
  }

  #planVisits(changed: PaymentRelated): void {
    for (const payment of recordsFor(changed, this.context.mock.payments.all())) this.#planVisit(payment);
  }

  #planVisit(payment: MockPayment): void {
    if (this.#hasSecondCheckout || payment.status !== 'pending') return;
    const { referenceId, merchantId } = payment;
    const requests = { operation: 'initiatePayment', referenceId, merchantId } as const;
    this.#visitOf(payment)?.plan(visitStart(this.context.mock.journal.filter(requests), this.#times));
  }

  /** Returns the visit of a payment; undefined if there are too many visits. */
  #visitOf(payment: MockPayment): Visit | undefined {
    const { shopper, watch } = this.context;
    const key = paymentKey(payment);
    const known = this.#visits.get(key);
    if (known || this.#visits.size >= this.maxVisits) return known;
    const visit = new Visit(
      () => this.#runSteps(payment),
      () => shopper?.untilLinkShown(payment),
      watch.beginVisit(),
    );
    this.#visits.set(key, visit);
    return visit;
  }

  async #runSteps(payment: MockPayment): Promise<void> {
    for (const name of this.#steps) {
      if (this.context.signal.aborted) return;
      if (secondCheckouts.has(name)) this.#hasSecondCheckout = true;
      if ((await this.#runStep(name, payment)) === false) return;
    }
  }

  #runStep(name: StepName, payment: MockPayment): unknown {
    if (!sharedSteps.has(name)) return visitSteps[name](payment, this.context);
    if (!this.#sharedResults.has(name))
      this.#sharedResults.set(name, visitSteps[name](payment, this.context));
    return this.#sharedResults.get(name);
  }
}
