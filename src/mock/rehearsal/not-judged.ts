import { groupBy } from '../../values/group-by.js';
import {
  byReference,
  isRefusedForNow,
  leavesOpen,
  orderIn,
  orderKey,
  paidIn,
  requestNumbers,
  requestsOf,
  stemOf,
} from '../findings/evidence.js';
import { answerAbandoned } from '../findings/payment-rules.js';
import type { JournalEntry } from '../state/journal-types.js';
import type { World } from '../worlds/dimensions.js';
import type { RehearsalFlag } from '../worlds/named-worlds.js';
import { canBeOpened } from './customers.js';
import type { WorldRun } from './run-world.js';

/** Why a world need not be run after the plain one; undefined if it must be. Its point could not arise. */
export function notRun(
  { needs, world }: { readonly needs?: RehearsalFlag | undefined; readonly world: Partial<World> },
  given: ReadonlySet<RehearsalFlag>,
  plain: WorldRun,
  origins: readonly string[],
): string | undefined {
  if (needs !== undefined && !given.has(needs)) return needs;
  const addresses = plain.payments.map(({ request }) => request.successRedirectUrl);
  const canOpen = addresses.some((address) => canBeOpened(address, origins));
  if (world.customer === 'opens-redirects' && !canOpen) return '--order-url';
  const paid = plain.looks.filter(({ moment, isPaid }) => moment === 'end' && isPaid);
  const isNeverCounted = paid.length > 0 && paid.every((look) => !look.paid);
  return world.forged === true && isNeverCounted
    ? 'the order page counts no paid order in the plain world, so it cannot show what a forged notification does'
    : undefined;
}

/**
 * Why the absence of findings in a run proves nothing; undefined if it does.
 *
 * @param plain - Absent for the plain world itself.
 */
export function notJudged(run: WorldRun, plain: WorldRun | undefined): string | undefined {
  const failed = run.failure === undefined ? undefined : `the command ${run.failure}`;
  if (plain) {
    // A command may end with an error because an order stays open, which is right.
    const fewer = fewerPayments(run, plain) ?? orderAgain(run, plain);
    return fewer === undefined ? pageProblem(run) : [failed ?? [], fewer].flat().join('; ');
  }
  return failed ?? nothingToCompare(run) ?? unreadPage(run) ?? pageProblem(run);
}

function nothingToCompare({ requests, payments }: WorldRun): string | undefined {
  const last = requests.at(-1);
  if (!last) return 'the command sent no request to the mock';
  // A test may script its refusals.
  if (payments.length > 0 || requests.some(({ scripted, fault }) => scripted || fault !== undefined))
    return undefined;
  return `the command created no payment (the last response was ${last.resultStatus ?? `HTTP ${last.httpStatus}`})`;
}

/** The service may refuse for now, and who was paid late needs no further attempt: both leave fewer payments. */
function fewerPayments(run: WorldRun, plain: WorldRun): string | undefined {
  const fewer = plain.payments.length - run.payments.length;
  const refused = new Set(run.requests.filter(isRefusedForNow).map(orderKey));
  for (const payment of run.payments) refused.delete(orderKey(payment));
  const isPaidLate = run.ends.some(({ status }) => status !== 'paid') && paidIn(run) > paidIn(plain);
  if (fewer <= refused.size || isPaidLate) return undefined;
  return `payments created: ${run.payments.length}, in the plain world ${plain.payments.length}`;
}

/**
 * After a lost answer that nothing asked for, the same order under another reference in place of another order: then there
 * are no more payments than in the plain world. Orders that are alike there show nothing.
 */
function orderAgain(run: WorldRun, plain: WorldRun): string | undefined {
  const firstsOf = (some: WorldRun) =>
    [...byReference(requestsOf('initiatePayment', some)).values()].flatMap(([first]) => first ?? []);
  const [firsts, known] = [firstsOf(run), firstsOf(plain)];
  if (firsts.length > known.length) return undefined;
  const abandoned = answerAbandoned(run).flatMap(({ requests }) => requests);
  const byName = (entry: JournalEntry) => `${stemOf(entry.referenceId)} ${orderIn(entry)}`;
  const keys = [orderIn, byName].filter((keyOf) => groupBy(known, keyOf).size === known.length);
  for (const lost of run.requests.filter((entry) => abandoned.includes(entry.id) && leavesOpen(entry))) {
    const isSame = (next: JournalEntry) => keys.some((keyOf) => keyOf(next) === keyOf(lost));
    const next = firsts.find((entry) => entry.id > lost.id && isSame(entry));
    if (next)
      return `${requestNumbers([lost, next])} are for one order, as it seems, and another order is missing`;
  }
  return undefined;
}

/** The page of no paid order was found: its address is wrong rather than each order. */
export function unreadPage({ looks }: WorldRun): string | undefined {
  const paid = looks.filter(({ moment, isPaid }) => moment === 'end' && isPaid);
  const isWrong = paid.length > 0 && paid.every(({ refused }) => refused !== undefined);
  return isWrong
    ? `the page of no paid order could be read: ${paid[0]?.seen ?? 'it was refused'}`
    : undefined;
}

/** Why the order page cannot tell which orders are paid. */
function pageProblem({ looks }: WorldRun): string | undefined {
  const early = looks.find(({ moment, paid, isPaid }) => moment === 'untouched' && paid && !isPaid);
  if (early) {
    const { referenceId, seen } = early;
    return `the order ${referenceId} counts as paid before its customer has paid${seen === undefined ? '' : `: ${seen}`}`;
  }
  return looks.find(({ moment, problem }) => moment === 'end' && problem !== undefined)?.problem;
}
