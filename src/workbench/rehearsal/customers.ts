import { recordsFor } from '../findings/journal-queries.js';
import { type JournalEntry, type MockChange, type MockPayment, paymentKey } from '../../mock/observation.js';
import { networks } from '../../mock/scenarios/network.js';
import { webhookPlans } from '../../mock/scenarios/webhook-plans.js';
import {
  lastClicks,
  sharedSteps,
  stepsOf,
  visitSteps,
  type StepName,
  type VisitContext,
} from './visit-steps.js';

/** When a visit begins: now, not yet (a request has no response), or after a delay in milliseconds. */
type VisitStart = 'now' | 'not-yet' | number;

interface StartTimes {
  /** True if the webhook comes before the response, so that the customer cannot wait for the link. */
  readonly isBeforeResponse: boolean;
  /** The time for which a merchant without the link must send nothing before the customer comes, in milliseconds. */
  readonly withoutLinkMs: number;
}

/** A response to a request takes less time than this on one machine. */
const withLinkMs = 100;

/**
 * The start of a visit, from the initiate requests for the payment so far: soon after the merchant received its
 * `paymentUrl`. If the merchant did not receive it and has stopped asking, the customer has the link from the service
 * itself.
 */
export function startDelay(
  requests: readonly Pick<JournalEntry, 'completed' | 'resultStatus' | 'answer'>[],
  { isBeforeResponse, withoutLinkMs }: StartTimes,
): VisitStart {
  if (isBeforeResponse) return 'now';
  // A merchant that waits for a response has not stopped asking. The response is another change of the mock.
  if (requests.some(({ completed }) => !completed)) return 'not-yet';
  const hasLink = requests.some(
    ({ resultStatus, answer }) => resultStatus === 'APPROVED' && answer === 'sent',
  );
  return hasLink ? withLinkMs : withoutLinkMs;
}

/** One customer's visit to one payment. It begins only once. Until then, a new plan replaces the earlier plan. */
export class Visit {
  #timer: NodeJS.Timeout | undefined;
  #hasBegun = false;

  constructor(
    private readonly act: () => Promise<void>,
    /** Resolves once the shop has shown the link. */
    private readonly untilShown: () => Promise<void> | undefined,
    private readonly end: () => void,
  ) {}

  plan(start: VisitStart): void {
    if (this.#hasBegun) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (start === 'now') this.#begin();
    else if (start !== 'not-yet') this.#timer = setTimeout(() => void this.#beginOnceShown(), start);
  }

  /**
   * Begins once the shop has shown the link. If a customer paid earlier, the reaction of the shop to the next click
   * would not be seen.
   */
  async #beginOnceShown(): Promise<void> {
    const timer = this.#timer;
    await this.untilShown();
    if (this.#timer === timer) this.#begin();
  }

  #begin(): void {
    this.#hasBegun = true;
    void this.act().finally(this.end);
  }
}

/**
 * The customers of a run. Each payment has its own customer. `onChange` must be called with each change of the mock.
 */
export class Customers {
  readonly #steps: readonly StepName[];
  readonly #times: StartTimes;
  readonly #visits = new Map<string, Visit>();
  /** The results of the steps that happen once for all customers. */
  readonly #shared = new Map<StepName, unknown>();
  #isClosed = false;

  constructor(
    private readonly context: VisitContext,
    /**
     * The maximum number of payments that get a customer. A shop could create another payment whenever a payment is
     * declined.
     */
    private readonly mostVisits: number,
  ) {
    const scenario = context.mock.scenario();
    this.#steps = stepsOf(scenario, context.customer, context.isBaseline);
    // During an outage, a merchant gets no response however often it asks.
    const { outageMs = 0 } = networks[scenario.network];
    this.#times = {
      isBeforeResponse: webhookPlans[scenario.notification].responseWaitsMs !== undefined,
      withoutLinkMs: context.patienceMs + outageMs,
    };
  }

  onChange(change: MockChange): void {
    if (this.#steps.length === 0) return;
    const isInitiated = change.kind === 'request' && change.entry.operation === 'initiatePayment';
    const changed = isInitiated ? change.entry : change.kind === 'payment' ? change : undefined;
    if (!changed) return;
    for (const payment of recordsFor(changed, this.context.mock.payments.all())) this.#approach(payment);
  }

  #approach(payment: MockPayment): void {
    if (this.#isClosed || payment.status !== 'pending') return;
    const { referenceId, merchantId } = payment;
    const requests = { operation: 'initiatePayment', referenceId, merchantId } as const;
    this.#visitOf(payment)?.plan(startDelay(this.context.mock.journal.filter(requests), this.#times));
  }

  /** The visit of a payment; undefined if there are too many. */
  #visitOf(payment: MockPayment): Visit | undefined {
    const { shopper, watch } = this.context;
    const key = paymentKey(payment);
    const known = this.#visits.get(key);
    if (known || this.#visits.size >= this.mostVisits) return known;
    const visit = new Visit(
      () => this.#act(payment),
      () => shopper?.untilShown(payment),
      watch.begin(),
    );
    this.#visits.set(key, visit);
    return visit;
  }

  async #act(payment: MockPayment): Promise<void> {
    for (const name of this.#steps) {
      if (this.context.signal.aborted) return;
      if (lastClicks.has(name)) this.#isClosed = true;
      if ((await this.#take(name, payment)) === false) return;
    }
  }

  #take(name: StepName, payment: MockPayment): unknown {
    if (!sharedSteps.has(name)) return visitSteps[name](payment, this.context);
    if (!this.#shared.has(name)) this.#shared.set(name, visitSteps[name](payment, this.context));
    return this.#shared.get(name);
  }
}
