import { setTimeout as pause } from 'node:timers/promises';
import { toldAt, type Evidence, type Recorded } from '../findings/evidence.js';
import type { MockService } from '../types.js';
import { playCustomers, type RehearsedCustomer } from './customer.js';
import { Probe, type OrderPage } from './probe.js';

/** The arguments of a merchant's code in each world. */
export interface RehearsalContext {
  /** The service, in this world. */
  readonly mock: MockService;
  /** The name of the world. */
  readonly world: string;
  /** Aborted if the run is ended, because its requests repeat for ever. */
  readonly signal: AbortSignal;
}

/** A merchant's own test: it takes orders, and ends when it has. */
export type RehearsedMerchant = (context: RehearsalContext) => unknown;

/** How each run goes, whatever its world. */
export interface RunSettings {
  readonly customer: RehearsedCustomer;
  readonly settleMs: number;
  readonly page: OrderPage | undefined;
  /** The mock's clock. @default the system's */
  readonly now?: (() => Date) | undefined;
  /** The longest run, in milliseconds. */
  readonly limitMs: number;
  /** Ends the rehearsal. */
  readonly signal?: AbortSignal | undefined;
}

/** The record of one run. */
export interface WorldRun extends Evidence {
  /** Why the merchant's code failed, or why it was ended. */
  readonly failure?: string;
  /** Why the order page cannot tell which orders are paid. */
  readonly pageProblem?: string;
  readonly durationMs: number;
}

/** The world of a run. */
interface WorldToRun extends Omit<RehearsalContext, 'signal'> {
  readonly paysLate: boolean;
  readonly isPlain: boolean;
}

const pollMs = 25;
const shortestLinkMs = 100;
// Far above the rule, so that nothing but an endless repeat is ended.
const mostRequestsForOne = 60;

/** Runs a merchant's code against a mock that was reset to a world, until nothing more arrives. */
export async function runWorld(
  merchant: RehearsedMerchant,
  { mock, world, paysLate, isPlain }: WorldToRun,
  { customer, settleMs, page, now = () => new Date(), limitMs, signal }: RunSettings,
  evidence: () => Recorded,
): Promise<WorldRun> {
  const started = performance.now();
  const ended = new AbortController();
  const probe = new Probe(
    mock,
    page,
    isPlain,
    (order) => Number.isFinite(toldAt(order, evidence())),
    settleMs,
  );
  const linkAfterMs = Math.max(settleMs, shortestLinkMs);
  const beforeEnd = (referenceId: string) => probe.askBefore(referenceId);
  const customers = playCustomers(mock, { customer, paysLate, linkAfterMs, beforeEnd });
  let lastMs = started;
  const counts = new Map<string, number>();
  const unsubscribe = mock.subscribe((change) => {
    lastMs = performance.now();
    if (change.kind !== 'request' || !change.entry.completed) return;
    const { operation, referenceId } = change.entry;
    if (operation === undefined || referenceId === undefined) return;
    const count = (counts.get(`${operation} ${referenceId}`) ?? 0) + 1;
    counts.set(`${operation} ${referenceId}`, count);
    if (count > mostRequestsForOne) {
      ended.abort(new Error(`ended, because it repeated ${operation} for ${referenceId} ${count} times`));
    }
  });
  const limit = setTimeout(() => {
    ended.abort(new Error(`ended, because it was still at work after ${Math.round(limitMs / 1000)} s`));
  }, limitMs);
  const interrupt = () => {
    probe.stop();
    ended.abort();
  };
  signal?.addEventListener('abort', interrupt);

  const isQuiet = () =>
    performance.now() - lastMs >= settleMs &&
    !customers.isBusy() &&
    !probe.isBusy() &&
    !isAnswering(mock, now().getTime() + settleMs);

  try {
    const failure = await outcomeOf(merchant, { mock, world, signal: ended.signal });
    while (!isQuiet() && !ended.signal.aborted) await pause(pollMs);
    const seen = evidence();
    await probe.ask(new Set(seen.requests.flatMap(({ referenceId }) => referenceId ?? [])));
    const problem = ended.signal.aborted ? messageOf(ended.signal.reason) : failure;
    return {
      ...seen,
      probes: probe.answers,
      durationMs: performance.now() - started,
      ...(problem !== undefined && { failure: problem }),
      ...(probe.problem !== undefined && { pageProblem: probe.problem }),
    };
  } finally {
    clearTimeout(limit);
    signal?.removeEventListener('abort', interrupt);
    unsubscribe();
    customers.stop();
    probe.stop();
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Why the merchant's code failed; undefined if it did not. Code that ignores its signal is left to itself. */
async function outcomeOf(
  merchant: RehearsedMerchant,
  context: RehearsalContext,
): Promise<string | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    context.signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const work = (async () => {
    await merchant(context);
  })().then(() => undefined, messageOf);
  return Promise.race([work, aborted]);
}

/** True while a request is being answered, or a notification is sent or will be by then. */
function isAnswering(mock: MockService, soon: number): boolean {
  return (
    mock.journal.find((entry) => !entry.completed) !== undefined ||
    mock.webhooks
      .all()
      .some(({ status, nextTryAt }) => status === 'pending' && (nextTryAt?.getTime() ?? 0) <= soon)
  );
}
