import { once, setMaxListeners } from 'node:events';
import { pause, watchLimit } from '../../values/time-limit.js';
import type { Referring } from '../findings/evidence.js';
import { recordOf, type RunRecord } from '../findings/record.js';
import { reasonOf } from '../../values/reason-of.js';
import {
  type MockChange,
  type MockOptions,
  type MockPayment,
  parseMockOptions,
  paymentKey,
} from '../../mock/observation.js';
import type { MockService } from '../types.js';
import { actForCustomers, type RehearsedCustomer } from './customers.js';
import type { KnownReferences, LateRequests } from './known-references.js';
import { PageChecks, type OrderPage } from './page-checks.js';
import type { Browser } from './redirects.js';
import { Shopper, type Checkout } from './shopper.js';
import { Watch } from './watch.js';

/** The arguments of a merchant's code in each scenario. */
export interface RehearsalContext {
  /** The service, in this scenario. */
  readonly mock: MockService;
  /** The name of the scenario. */
  readonly scenario: string;
  /** Aborted if the run is stopped: its requests repeat for ever, it takes too long, or the rehearsal is interrupted. */
  readonly signal: AbortSignal;
}

/** A merchant's own test: it takes orders, and ends when it has. */
export type RehearsedMerchant = (context: RehearsalContext) => unknown;

/** Everything that all runs of a rehearsal have in common. */
export interface Rehearsal extends Browser {
  readonly merchant: RehearsedMerchant | Checkout;
  readonly mock: MockService;
  readonly mockOptions: MockOptions;
  readonly customer: RehearsedCustomer;
  readonly settleMs: number;
  readonly page?: OrderPage | undefined;
  /** Restarts the shop; rejects with the reason if the order page of this reference does not respond again. */
  readonly restart?: ((referenceId: string, signal: AbortSignal) => Promise<void>) | undefined;
  /** The references of all scenarios. */
  readonly known: KnownReferences;
  readonly signal: AbortSignal;
}

export interface ScenarioRun extends RunRecord {
  /** Why the merchant's code failed, or why it was stopped. */
  readonly failure: string | undefined;
  /** Whether it was stopped: then nobody has looked at its orders. */
  readonly wasStopped: boolean;
  readonly durationMs: number;
  /** How long after everything was quiet the merchant counted the last paid order. */
  readonly delayMs: number;
  /** Why the shop was not restarted, where it was to be. */
  readonly restartProblem: string | undefined;
  /** The order that was placed with a changed basket alone. */
  readonly changedOrder: string | undefined;
  /** False if payments began or ended each time that the order page was asked: nobody has looked at the last ones. */
  readonly isAtRest: boolean;
  /** Requests of earlier scenarios that came only now, and count nowhere. */
  readonly lateRequests: LateRequests | undefined;
  /** Those of them whose invoices came late. */
  readonly lateUploads: readonly string[];
}

const shortestWaitMs = 100;
const shortestCountMs = 1000;
// A shop that begins a payment whenever its order page is asked is never at rest.
const mostRounds = 5;
const longestDelayMs = 15_000;
const baselineLimitMs = 10 * 60_000;
const shortestLimitMs = 60_000;
// Far above the rule, so that nothing but an endless repeat is ended.
const mostRequestsForOne = 60;
// Of a command in the baseline, where nothing tells their number.
const mostOrders = 100;

class RunEnded extends Error {}

/** Runs a merchant's code, or clicks in its shop, until nothing more arrives. The mock was reset to the scenario. */
export async function runScenario(
  rehearsal: Rehearsal,
  scenario: string,
  baseline?: ScenarioRun,
): Promise<ScenarioRun> {
  const { merchant, mock, mockOptions, settleMs, known } = rehearsal;
  const { wire } = parseMockOptions(mockOptions);
  const started = performance.now();
  const stop = new AbortController();
  const { signal } = stop;
  // Each customer who waits listens to it.
  setMaxListeners(0, signal);
  const end = (why: string) => {
    stop.abort(new RunEnded(`the run was ended, because it ${why}`));
  };
  const limitMs = baseline ? Math.max(shortestLimitMs, 10 * baseline.durationMs) : baselineLimitMs;
  const unwatch = watchLimit(limitMs, rehearsal.signal, (reason) => {
    if (reason === 'timeout') end(`was still at work after ${Math.round(limitMs / 1000)} s`);
    else stop.abort(rehearsal.signal.reason);
  });
  const watch = new Watch(mock, settleMs);
  const pageChecks = new PageChecks(mock, rehearsal.page);
  const shopper = typeof merchant === 'function' ? undefined : new Shopper(mock, merchant, signal, !baseline);
  known.beginScenario(shopper?.orderNames ?? []);
  // In the next turn: the customers are there first. Code that ignores its signal is left to itself.
  const work = Promise.resolve().then(() =>
    typeof merchant === 'function' ? merchant({ mock, scenario, signal }) : shopper?.placeOrders(),
  );
  const allPlaced = Promise.race([
    work.then(() => undefined, messageOf),
    once(signal, 'abort').then(() => undefined),
  ]);
  let restartProblem: string | undefined;
  const restart = async (referenceId: string) => {
    await rehearsal.restart?.(referenceId, signal).catch((error: unknown) => {
      restartProblem = reasonOf(error);
    });
    return restartProblem === undefined;
  };
  // A shop that counts late has half as much time again.
  const delayMs = Math.min(1.5 * (baseline?.delayMs ?? 0), longestDelayMs);
  const orders = shopper?.orders;
  const onChange = actForCustomers({
    ...rehearsal,
    watch,
    pageChecks,
    shopper,
    allPlaced,
    restart,
    delayMs,
    signal,
    isBaseline: baseline === undefined,
    patienceMs: Math.max(settleMs, shortestWaitMs),
    mostVisits: 10 + 3 * (orders ?? baseline?.payments.length ?? mostOrders),
  });
  const ends = new Map<string, MockPayment>();
  const unsubscribe = mock.subscribe((change) => {
    const { referenceId: changed, body } = recordIn(change, mock) ?? {};
    if (changed !== undefined) known.note(changed, body);
    // What an earlier scenario has left behind, for ever perhaps, neither has customers nor keeps the run from its end. A
    // request that has just arrived is not read yet.
    const isUnread = change.kind === 'request' && !change.entry.completed && changed === undefined;
    if (isUnread || (changed !== undefined && known.isLate(changed, mock.journal.all()))) {
      watch.wake();
      return;
    }
    watch.note(change);
    onChange(change);
    for (const payment of mock.payments.all())
      if (payment.status !== 'pending') ends.set(`${paymentKey(payment)} ${payment.status}`, payment);
    if (change.kind !== 'request' || !change.entry.completed) return;
    const { operation, referenceId } = change.entry;
    if (operation === undefined || referenceId === undefined) return;
    const { length } = mock.journal.filter({ operation, referenceId });
    if (length > mostRequestsForOne) end(`repeated ${operation} for ${referenceId} ${length} times`);
  });
  try {
    const failure = await allPlaced;
    // A shop is right not to count what was paid for the basket before.
    const isVain = mock.scenario().customer === 'changes-basket' || (baseline && isNeverCounted(baseline));
    const countMs = isVain ? shortestCountMs : longestDelayMs;
    let countedAfterMs = 0;
    // A payment that began or ended while the shop was asked has its customer and its look too, in another round.
    let isAtRest = false;
    for (let round = 0; round < mostRounds && !isAtRest && !signal.aborted; round += 1) {
      await watch.untilQuiet(signal);
      // A notification that waits for its next try would be accepted later, or refused for good.
      await mock.webhooks.resendWaiting?.();
      await watch.untilQuiet(signal);
      const before = orderStates(mock, known);
      await pause(delayMs, signal);
      const references = known.inTime(mock.journal.all());
      countedAfterMs = Math.max(countedAfterMs, await pageChecks.checkAtTheEnd(references, countMs, signal));
      isAtRest = orderStates(mock, known) === before;
    }
    // Requests of an earlier scenario may have come while the shop was asked.
    const lateRequests = known.lateIn(mock.journal.all());
    const clicked = { orders, clicks: shopper?.clicks ?? [], orderNames: shopper?.orderNames ?? [] };
    const changedAmount = baseline ? undefined : shopper?.changedAmount;
    const wasStopped = signal.reason instanceof RunEnded;
    const seen = { ends: [...ends.values()], pageChecks: pageChecks.all, changedAmount, ...clicked };
    return {
      ...recordOf(
        mock,
        { hasWebhook: mockOptions.webhook !== undefined, wire },
        seen,
        lateRequests?.references,
      ),
      lateUploads: mock.journal
        .filter({ operation: 'uploadInvoice' })
        .flatMap(({ referenceId = '' }) =>
          lateRequests?.references.includes(referenceId) ? referenceId : [],
        ),
      lateRequests,
      restartProblem,
      isAtRest,
      changedOrder: shopper?.changedOrder,
      wasStopped,
      failure: wasStopped ? messageOf(signal.reason) : failure,
      delayMs: countedAfterMs,
      durationMs: performance.now() - started,
    };
  } finally {
    known.endScenario(mock.journal.all());
    unwatch();
    unsubscribe();
  }
}

/** The payments of a run with their states, and whether a request is being answered that may begin another one. */
function orderStates(mock: MockService, known: KnownReferences): string {
  const requests = mock.journal.all();
  const payments = mock.payments.all().filter(({ referenceId }) => !known.isLate(referenceId, requests));
  const states = payments.map((payment) => [paymentKey(payment), payment.status]);
  return JSON.stringify([states, known.inTime(requests), requests.some(({ completed }) => !completed)]);
}

/** What has changed, if it has a reference. */
function recordIn(change: MockChange, mock: MockService): Referring | undefined {
  if (change.kind === 'request') return change.entry;
  if (change.kind === 'webhook') return mock.webhooks.get(change.id);
  return change.kind === 'payment' ? change : undefined;
}

/** True if the order page counts no order as paid, although some are: then it would be asked in vain in each scenario. */
export function isNeverCounted({ pageChecks }: Pick<RunRecord, 'pageChecks'>): boolean {
  const paid = pageChecks.filter(({ moment, isPaid }) => moment === 'end' && isPaid);
  return paid.length > 0 && paid.every((pageCheck) => !pageCheck.paid);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
