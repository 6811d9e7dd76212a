import { once, setMaxListeners } from 'node:events';
import type { PaymentRelated } from '../findings/journal-queries.js';
import { recordOf, type RunRecord } from '../findings/record.js';
import { reasonOf } from '../../values/reason-of.js';
import { pause, watchLimit } from '../../values/time-limit.js';
import {
  type JournalEntry,
  type MockChange,
  type MockPayment,
  parseMockOptions,
  paymentKey,
} from '../../mock/observation.js';
import type { MockService } from '../workbench-types.js';
import { Customers } from './customers.js';
import type { LateRequests } from './late-requests.js';
import { neverShowsPaid, PageChecks } from './order-page-checks.js';
import type { Rehearsal } from './rehearsal-settings.js';
import { Shopper } from './shopper.js';
import { ActivityWatch } from './watch.js';

/** The record of a run that has ended. */
export interface FinishedRun extends RunRecord {
  /** The reason why the merchant's code failed or why the run was stopped; undefined if neither happened. */
  readonly failure: string | undefined;
  /** True if the run was stopped. Its orders might then not have been checked. */
  readonly wasStopped: boolean;
  readonly durationMs: number;
  /**
   * The longest time that the page of a paid order needed in the final checks, in milliseconds, until it was complete:
   * until it showed the order as paid, and the number for `--once`. 0 if each page was complete at the first read.
   */
  readonly orderDelayMs: number;
  /** The reason why a restart of the shop failed; undefined if no restart failed. */
  readonly restartProblem: string | undefined;
  /** The order that was placed with `--checkout-changed`; undefined except in the baseline. */
  readonly changedBasketOrder: string | undefined;
  /** False if payments began or ended each time the order page was read, so that not all payments were checked. */
  readonly isStable: boolean;
  /** The requests of earlier scenarios that arrived in this run. They are not part of the record. */
  readonly lateRequests: LateRequests | undefined;
  /** The references of the uploads among the late requests. */
  readonly lateUploadReferences: readonly string[];
}

const minPatienceMs = 100;
const shortPageLimitMs = 1000;
// Without this limit, the checks would not end if a shop begins a payment each time that its order page is read.
const maxCheckRounds = 5;
const maxOrderDelayMs = 15_000;
const baselineLimitMs = 10 * 60_000;
const minScenarioLimitMs = 60_000;
// This maximum is far above the limit of the rule `repeats-for-ever`, so that only endless repetition is stopped.
const maxRequestsPerReference = 60;
// In the baseline, the number of orders that a command places is unknown.
const assumedOrderCount = 100;

class RunStopped extends Error {}

/**
 * Runs a merchant's code, or calls the checkout of the merchant's shop, until no more requests arrive. The caller must
 * have reset the mock to the scenario.
 */
export async function runScenario(
  rehearsal: Rehearsal,
  scenario: string,
  baseline?: FinishedRun,
): Promise<FinishedRun> {
  return new ScenarioRun(rehearsal, scenario, baseline).run();
}

class ScenarioRun {
  readonly #startedMs = performance.now();
  readonly #stopped = new AbortController();
  readonly #signal = this.#stopped.signal;
  readonly #watch: ActivityWatch;
  readonly #pageChecks: PageChecks;
  readonly #shopper: Shopper | undefined;
  readonly #customers: Customers;
  /**
   * Resolves once the merchant's code has placed all orders, has failed, or was stopped. Resolves to the reason if the
   * code has failed, and to undefined if not.
   */
  readonly #ordersPlaced: Promise<string | undefined>;
  /** Each payment as it was when it was settled, by its key and status. */
  readonly #settledPayments = new Map<string, MockPayment>();
  #restartProblem: string | undefined;
  #orderDelayMs = 0;
  #isStable = false;

  constructor(
    private readonly rehearsal: Rehearsal,
    private readonly scenario: string,
    private readonly baseline: FinishedRun | undefined,
  ) {
    const { merchant, mock, settleMs, page, lateTracker } = rehearsal;
    // Each customer that waits listens to the signal, and Node would warn about more than ten listeners.
    setMaxListeners(0, this.#signal);
    this.#watch = new ActivityWatch(mock, settleMs);
    this.#pageChecks = new PageChecks(mock, page);
    if (typeof merchant !== 'function') this.#shopper = new Shopper(mock, merchant, this.#signal, !baseline);
    lateTracker.beginScenario(this.#shopper?.orderNames ?? []);
    this.#ordersPlaced = this.#placeOrders();
    this.#customers = this.#createCustomers();
  }

  async run(): Promise<FinishedRun> {
    const stopWatching = this.#startWatching();
    try {
      const failure = await this.#ordersPlaced;
      await this.#checkOrders();
      return this.#record(failure);
    } finally {
      stopWatching();
    }
  }

  /** Watches the mock and the time limit of the run. @returns a function that stops watching, and ends the scenario */
  #startWatching(): () => void {
    const { mock, lateTracker } = this.rehearsal;
    const limitMs = this.baseline
      ? Math.max(minScenarioLimitMs, 10 * this.baseline.durationMs)
      : baselineLimitMs;
    const unwatch = watchLimit(limitMs, this.rehearsal.signal, (reason) => {
      if (reason === 'timeout') this.#stop(`took longer than ${Math.round(limitMs / 1000)} s`);
      else this.#stopped.abort(this.rehearsal.signal.reason);
    });
    const unsubscribe = mock.subscribe((change) => this.#onChange(change));
    return () => {
      lateTracker.endScenario(mock.journal.all());
      unwatch();
      unsubscribe();
    };
  }

  #stop(reason: string): void {
    this.#stopped.abort(new RunStopped(`the run was stopped, because it ${reason}`));
  }

  /** Runs the merchant's code until it has placed its orders, or until the run is stopped. */
  async #placeOrders(): Promise<string | undefined> {
    const { merchant, mock } = this.rehearsal;
    const signal = this.#signal;
    // The code starts in a microtask, so that the customers are already watching the mock.
    const work = Promise.resolve().then(() =>
      typeof merchant === 'function'
        ? merchant({ mock, scenario: this.scenario, signal })
        : this.#shopper?.placeOrders(),
    );
    return Promise.race([work.then(() => undefined, messageOf), once(signal, 'abort').then(() => undefined)]);
  }

  #createCustomers(): Customers {
    const { rehearsal, baseline } = this;
    const orderCount = this.#shopper?.orderCount ?? baseline?.payments.length ?? assumedOrderCount;
    const context = {
      ...rehearsal,
      watch: this.#watch,
      pageChecks: this.#pageChecks,
      shopper: this.#shopper,
      allPlaced: this.#ordersPlaced,
      restart: (referenceId: string) => this.#restart(referenceId),
      expectedDelayMs: this.#expectedDelayMs,
      signal: this.#signal,
      isBaseline: baseline === undefined,
      patienceMs: Math.max(rehearsal.settleMs, minPatienceMs),
    };
    return new Customers(context, 10 + 3 * orderCount);
  }

  /** The time that the shop is expected to need to show an order as paid: 1.5 times the time in the baseline. */
  get #expectedDelayMs(): number {
    return Math.min(1.5 * (this.baseline?.orderDelayMs ?? 0), maxOrderDelayMs);
  }

  async #restart(referenceId: string): Promise<boolean> {
    await this.rehearsal.restart?.(referenceId, this.#signal).catch((error: unknown) => {
      this.#restartProblem = reasonOf(error);
    });
    return this.#restartProblem === undefined;
  }

  #onChange(change: MockChange): void {
    const { mock, lateTracker } = this.rehearsal;
    const { referenceId, body } = recordOfChange(change, mock) ?? {};
    if (referenceId !== undefined) lateTracker.record(referenceId, body);
    // A late request gets no customer and does not extend the run, because late requests might never stop. The
    // reference of a request is unknown until its body has been read. Until then, the request could be late, so it
    // does not extend the run either.
    const isUnread = change.kind === 'request' && !change.entry.completed && referenceId === undefined;
    if (
      isUnread ||
      (referenceId !== undefined && lateTracker.isLateReference(referenceId, mock.journal.all()))
    ) {
      this.#watch.recheck();
      return;
    }
    this.#watch.onChange(change);
    this.#customers.onChange(change);
    for (const payment of mock.payments.all())
      if (payment.status !== 'pending')
        this.#settledPayments.set(`${paymentKey(payment)} ${payment.status}`, payment);
    if (change.kind === 'request' && change.entry.completed) this.#stopIfEndless(change.entry);
  }

  #stopIfEndless({ operation, referenceId }: JournalEntry): void {
    if (operation === undefined || referenceId === undefined) return;
    const { length } = this.rehearsal.mock.journal.filter({ operation, referenceId });
    if (length > maxRequestsPerReference)
      this.#stop(`repeated ${operation} for ${referenceId} ${length} times`);
  }

  /**
   * Checks each order on the merchant's order page once the run is idle. If a payment began or ended during the check,
   * there is another round, in which the customer of that payment acts and all orders are checked again.
   */
  async #checkOrders(): Promise<void> {
    const { mock, lateTracker } = this.rehearsal;
    for (let round = 0; round < maxCheckRounds && !this.#isStable && !this.#signal.aborted; round += 1) {
      await this.#watch.untilIdle(this.#signal);
      // Webhooks that wait for their next try are sent now, so that they can be accepted before the check.
      await mock.webhooks.resendWaiting?.();
      await this.#watch.untilIdle(this.#signal);
      const before = this.#stateOfRun();
      await pause(this.#expectedDelayMs, this.#signal);
      const references = lateTracker.referencesNotLate(mock.journal.all());
      const delayMs = await this.#pageChecks.runFinalChecks(references, this.#pageLimitMs, this.#signal);
      this.#orderDelayMs = Math.max(this.#orderDelayMs, delayMs);
      this.#isStable = this.#stateOfRun() === before;
    }
  }

  /**
   * The time within which the order page must show a paid order as paid, in milliseconds. This time is short if the
   * page is not expected to show that: because it never did in the baseline, or because the customers pay for an
   * earlier basket.
   */
  get #pageLimitMs(): number {
    const isExpected =
      this.rehearsal.mock.scenario().customer !== 'changes-basket' &&
      !(this.baseline && neverShowsPaid(this.baseline));
    return isExpected ? maxOrderDelayMs : shortPageLimitMs;
  }

  /**
   * Describes the payments of this run and their statuses as text. The text also says whether a request has no response
   * yet, because such a request might create another payment.
   */
  #stateOfRun(): string {
    const { mock, lateTracker } = this.rehearsal;
    const requests = mock.journal.all();
    const payments = mock.payments
      .all()
      .filter(({ referenceId }) => !lateTracker.isLateReference(referenceId, requests));
    const statuses = payments.map((payment) => [paymentKey(payment), payment.status]);
    return JSON.stringify([
      statuses,
      lateTracker.referencesNotLate(requests),
      requests.some(({ completed }) => !completed),
    ]);
  }

  #record(failure: string | undefined): FinishedRun {
    const { mock, mockOptions, lateTracker } = this.rehearsal;
    const shopper = this.#shopper;
    // Requests of an earlier scenario can have arrived while the order page was read.
    const lateRequests = lateTracker.lateRequestsIn(mock.journal.all());
    const lateReferences = lateRequests?.references ?? [];
    const uploads = mock.journal.filter({ operation: 'uploadInvoice' });
    const observed = {
      settledPayments: [...this.#settledPayments.values()],
      pageChecks: this.#pageChecks.all,
      orderCount: shopper?.orderCount,
      shownLinks: shopper?.shownLinks ?? [],
      orderNames: shopper?.orderNames ?? [],
      changedAmount: this.baseline ? undefined : shopper?.changedAmount,
    };
    const { wire } = parseMockOptions(mockOptions);
    const wasStopped = this.#signal.reason instanceof RunStopped;
    return {
      ...recordOf(mock, { hasWebhook: mockOptions.webhook !== undefined, wire }, observed, lateReferences),
      lateRequests,
      lateUploadReferences: uploads.flatMap(({ referenceId = '' }) =>
        lateReferences.includes(referenceId) ? referenceId : [],
      ),
      restartProblem: this.#restartProblem,
      isStable: this.#isStable,
      changedBasketOrder: shopper?.changedBasketOrder,
      wasStopped,
      failure: wasStopped ? messageOf(this.#signal.reason) : failure,
      orderDelayMs: this.#orderDelayMs,
      durationMs: performance.now() - this.#startedMs,
    };
  }
}

/** The request, webhook or payment that changed; undefined for a change of anything else. */
function recordOfChange(change: MockChange, mock: MockService): PaymentRelated | undefined {
  if (change.kind === 'request') return change.entry;
  if (change.kind === 'webhook') return mock.webhooks.get(change.id);
  return change.kind === 'payment' ? change : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
