import { once, setMaxListeners } from 'node:events';
import type { Referring } from '../findings/journal-queries.js';
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
import { isNeverCounted, PageChecks } from './order-page-checks.js';
import type { Rehearsal } from './rehearsal-settings.js';
import { Shopper } from './shopper.js';
import { Watch } from './watch.js';

/** The record of a run that has ended. */
export interface FinishedRun extends RunRecord {
  /** The reason why the merchant's code failed, or why the run was stopped. */
  readonly failure: string | undefined;
  /** True if the run was stopped. Then its orders were not checked. */
  readonly wasStopped: boolean;
  readonly durationMs: number;
  /**
   * The time between the moment when everything was quiet and the moment when the merchant counted the last paid
   * order.
   */
  readonly delayMs: number;
  /** The reason why the shop was not restarted, although a restart was due. */
  readonly restartProblem: string | undefined;
  /** The order that only the changed checkout placed. */
  readonly changedOrder: string | undefined;
  /** False if payments began or ended each time that the order page was read. The last payments were not checked. */
  readonly isAtRest: boolean;
  /** The requests of earlier scenarios that arrived only now. They are not counted. */
  readonly lateRequests: LateRequests | undefined;
  /** The references among them whose invoices arrived late. */
  readonly lateUploads: readonly string[];
}

const shortestWaitMs = 100;
const shortestCountMs = 1000;
// A shop that begins a payment whenever its order page is read is never at rest.
const mostRounds = 5;
const longestDelayMs = 15_000;
const baselineLimitMs = 10 * 60_000;
const shortestLimitMs = 60_000;
// This is far above the limit of the rule `repeats-for-ever`, so that only an endless repeat is stopped.
const mostRequestsForOne = 60;
// The assumed number of orders of a command in the baseline, whose real number is unknown.
const mostOrders = 100;

class RunEnded extends Error {}

/**
 * Runs a merchant's code, or clicks in its shop, until nothing more arrives. The caller must have reset the mock to
 * the scenario.
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
  readonly #watch: Watch;
  readonly #pageChecks: PageChecks;
  readonly #shopper: Shopper | undefined;
  readonly #customers: Customers;
  /**
   * Resolves once all orders are placed, to the reason why the merchant's code failed, if it failed. Resolves to
   * undefined if the run was stopped.
   */
  readonly #placed: Promise<string | undefined>;
  /** Each payment at the time when it ended. */
  readonly #ends = new Map<string, MockPayment>();
  #restartProblem: string | undefined;
  #countedAfterMs = 0;
  #isAtRest = false;

  constructor(
    private readonly rehearsal: Rehearsal,
    private readonly scenario: string,
    private readonly baseline: FinishedRun | undefined,
  ) {
    const { merchant, mock, settleMs, page, late } = rehearsal;
    // Each waiting customer listens to the signal.
    setMaxListeners(0, this.#signal);
    this.#watch = new Watch(mock, settleMs);
    this.#pageChecks = new PageChecks(mock, page);
    if (typeof merchant !== 'function') this.#shopper = new Shopper(mock, merchant, this.#signal, !baseline);
    late.beginScenario(this.#shopper?.orderNames ?? []);
    this.#placed = this.#placeOrders();
    this.#customers = this.#createCustomers();
  }

  async run(): Promise<FinishedRun> {
    const end = this.#begin();
    try {
      const failure = await this.#placed;
      await this.#checkOrders();
      return this.#record(failure);
    } finally {
      end();
    }
  }

  /** Starts to watch the mock and the time. @returns a function that stops both */
  #begin(): () => void {
    const { mock, late } = this.rehearsal;
    const limitMs = this.baseline
      ? Math.max(shortestLimitMs, 10 * this.baseline.durationMs)
      : baselineLimitMs;
    const unwatch = watchLimit(limitMs, this.rehearsal.signal, (reason) => {
      if (reason === 'timeout') this.#stop(`was still at work after ${Math.round(limitMs / 1000)} s`);
      else this.#stopped.abort(this.rehearsal.signal.reason);
    });
    const unsubscribe = mock.subscribe((change) => this.#onChange(change));
    return () => {
      late.endScenario(mock.journal.all());
      unwatch();
      unsubscribe();
    };
  }

  #stop(why: string): void {
    this.#stopped.abort(new RunEnded(`the run was ended, because it ${why}`));
  }

  /** Runs the code. Code that ignores its signal is not awaited. */
  async #placeOrders(): Promise<string | undefined> {
    const { merchant, mock } = this.rehearsal;
    const signal = this.#signal;
    // The code starts in the next turn, when the customers watch the mock.
    const work = Promise.resolve().then(() =>
      typeof merchant === 'function'
        ? merchant({ mock, scenario: this.scenario, signal })
        : this.#shopper?.placeOrders(),
    );
    return Promise.race([work.then(() => undefined, messageOf), once(signal, 'abort').then(() => undefined)]);
  }

  #createCustomers(): Customers {
    const { rehearsal, baseline } = this;
    const orders = this.#shopper?.orders ?? baseline?.payments.length ?? mostOrders;
    const context = {
      ...rehearsal,
      watch: this.#watch,
      pageChecks: this.#pageChecks,
      shopper: this.#shopper,
      allPlaced: this.#placed,
      restart: (referenceId: string) => this.#restart(referenceId),
      delayMs: this.#delayMs,
      signal: this.#signal,
      isBaseline: baseline === undefined,
      patienceMs: Math.max(rehearsal.settleMs, shortestWaitMs),
    };
    return new Customers(context, 10 + 3 * orders);
  }

  /** The additional time for a shop that counted orders late in the baseline: 1.5 times as long as it needed there. */
  get #delayMs(): number {
    return Math.min(1.5 * (this.baseline?.delayMs ?? 0), longestDelayMs);
  }

  async #restart(referenceId: string): Promise<boolean> {
    await this.rehearsal.restart?.(referenceId, this.#signal).catch((error: unknown) => {
      this.#restartProblem = reasonOf(error);
    });
    return this.#restartProblem === undefined;
  }

  #onChange(change: MockChange): void {
    const { mock, late } = this.rehearsal;
    const { referenceId, body } = recordIn(change, mock) ?? {};
    if (referenceId !== undefined) late.note(referenceId, body);
    // Late requests get no customers and do not delay the end of the run, because they might never stop. A request
    // that has just arrived is not read yet.
    const isUnread = change.kind === 'request' && !change.entry.completed && referenceId === undefined;
    if (isUnread || (referenceId !== undefined && late.isLate(referenceId, mock.journal.all()))) {
      this.#watch.wake();
      return;
    }
    this.#watch.note(change);
    this.#customers.onChange(change);
    for (const payment of mock.payments.all())
      if (payment.status !== 'pending') this.#ends.set(`${paymentKey(payment)} ${payment.status}`, payment);
    if (change.kind === 'request' && change.entry.completed) this.#stopIfEndless(change.entry);
  }

  #stopIfEndless({ operation, referenceId }: JournalEntry): void {
    if (operation === undefined || referenceId === undefined) return;
    const { length } = this.rehearsal.mock.journal.filter({ operation, referenceId });
    if (length > mostRequestsForOne) this.#stop(`repeated ${operation} for ${referenceId} ${length} times`);
  }

  /**
   * Checks each order on the merchant's order page once everything is quiet. A payment that began or ended meanwhile
   * gets its customer and its check in another round.
   */
  async #checkOrders(): Promise<void> {
    const { mock, late } = this.rehearsal;
    for (let round = 0; round < mostRounds && !this.#isAtRest && !this.#signal.aborted; round += 1) {
      await this.#watch.untilQuiet(this.#signal);
      // A webhook that waits for its next attempt is sent now: otherwise it would be accepted only after the check.
      await mock.webhooks.resendWaiting?.();
      await this.#watch.untilQuiet(this.#signal);
      const before = this.#orderStates();
      await pause(this.#delayMs, this.#signal);
      const references = late.inTime(mock.journal.all());
      const countedAfterMs = await this.#pageChecks.checkAtTheEnd(references, this.#countMs, this.#signal);
      this.#countedAfterMs = Math.max(this.#countedAfterMs, countedAfterMs);
      this.#isAtRest = this.#orderStates() === before;
    }
  }

  /**
   * The time limit for counting a paid order. It is short if the shop counts none, or rightly does not count a payment
   * for an old basket.
   */
  get #countMs(): number {
    const isCounting =
      this.rehearsal.mock.scenario().customer !== 'changes-basket' &&
      !(this.baseline && isNeverCounted(this.baseline));
    return isCounting ? longestDelayMs : shortestCountMs;
  }

  /**
   * The payments of this run with their states, and whether a request still has no response: it might create another
   * payment.
   */
  #orderStates(): string {
    const { mock, late } = this.rehearsal;
    const requests = mock.journal.all();
    const payments = mock.payments.all().filter(({ referenceId }) => !late.isLate(referenceId, requests));
    const states = payments.map((payment) => [paymentKey(payment), payment.status]);
    return JSON.stringify([states, late.inTime(requests), requests.some(({ completed }) => !completed)]);
  }

  #record(failure: string | undefined): FinishedRun {
    const { mock, mockOptions, late } = this.rehearsal;
    const shopper = this.#shopper;
    // Requests of an earlier scenario can have arrived while the order page was read.
    const lateRequests = late.lateIn(mock.journal.all());
    const lateReferences = lateRequests?.references ?? [];
    const uploads = mock.journal.filter({ operation: 'uploadInvoice' });
    const observed = {
      ends: [...this.#ends.values()],
      pageChecks: this.#pageChecks.all,
      orders: shopper?.orders,
      clicks: shopper?.clicks ?? [],
      orderNames: shopper?.orderNames ?? [],
      changedAmount: this.baseline ? undefined : shopper?.changedAmount,
    };
    const { wire } = parseMockOptions(mockOptions);
    const wasStopped = this.#signal.reason instanceof RunEnded;
    return {
      ...recordOf(mock, { hasWebhook: mockOptions.webhook !== undefined, wire }, observed, lateReferences),
      lateRequests,
      lateUploads: uploads.flatMap(({ referenceId = '' }) =>
        lateReferences.includes(referenceId) ? referenceId : [],
      ),
      restartProblem: this.#restartProblem,
      isAtRest: this.#isAtRest,
      changedOrder: shopper?.changedOrder,
      wasStopped,
      failure: wasStopped ? messageOf(this.#signal.reason) : failure,
      delayMs: this.#countedAfterMs,
      durationMs: performance.now() - this.#startedMs,
    };
  }
}

/** The record of a change, if it has a reference. */
function recordIn(change: MockChange, mock: MockService): Referring | undefined {
  if (change.kind === 'request') return change.entry;
  if (change.kind === 'webhook') return mock.webhooks.get(change.id);
  return change.kind === 'payment' ? change : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
