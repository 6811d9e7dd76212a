import { groupBy } from '../../values/group-by.js';
import {
  byReference,
  isRefusedForNow,
  leavesOpen,
  named,
  nameOf,
  of,
  paidIn,
  requestsFor,
} from '../findings/evidence.js';
import { answerAbandoned, orderIn, stemOf } from '../findings/payment-rules.js';
import type { JournalEntry } from '../state/journal-types.js';
import type { WorldRun } from './run-world.js';

/**
 * Why the absence of findings in a run proves nothing; undefined if it does.
 *
 * @param plain - Absent for the plain world itself.
 * @param paysLate - Payments that were declined may still be paid in this world.
 */
export function notJudged(run: WorldRun, plain: WorldRun | undefined, paysLate: boolean): string | undefined {
  const failed = run.failure === undefined ? undefined : `the command ${run.failure}`;
  if (plain) {
    // A command may end with an error because an order stays open, which is right.
    const fewer = fewerPayments(run, plain, paysLate) ?? orderAgain(run, plain);
    return fewer === undefined ? run.pageProblem : [failed ?? [], fewer].flat().join('; ');
  }
  return failed ?? nothingToCompare(run) ?? unreadPage(run) ?? run.pageProblem;
}

function nothingToCompare({ requests, payments }: WorldRun): string | undefined {
  const last = requests.at(-1);
  if (!last) return 'the command sent no request to the mock';
  // A test may script its refusals.
  if (payments.length > 0 || requests.some(({ scripted, fault }) => scripted || fault !== undefined))
    return undefined;
  return `the command created no payment (the last answer was ${last.resultStatus ?? `HTTP ${last.httpStatus}`})`;
}

/** The service may refuse for now, and who was paid late needs no further attempt: both leave fewer payments. */
function fewerPayments(run: WorldRun, plain: WorldRun, paysLate: boolean): string | undefined {
  const fewer = plain.payments.length - run.payments.length;
  const refused = new Set(run.requests.filter(isRefusedForNow).map(nameOf));
  for (const payment of run.payments) refused.delete(nameOf(payment));
  if (fewer <= refused.size || (paysLate && paidIn(run) > paidIn(plain))) return undefined;
  return `payments created: ${run.payments.length}, in the plain world ${plain.payments.length}`;
}

/**
 * After a lost answer that nothing asked for, the same order under another reference in place of another order: then there
 * are no more payments than in the plain world. Orders that are alike there show nothing.
 */
function orderAgain(run: WorldRun, plain: WorldRun): string | undefined {
  const firstsOf = (some: WorldRun) =>
    [...byReference(of('initiatePayment', some)).values()].flatMap(([first]) => first ?? []);
  const [firsts, known] = [firstsOf(run), firstsOf(plain)];
  if (firsts.length > known.length) return undefined;
  const abandoned = answerAbandoned(run).flatMap(({ requests }) => requests);
  const byName = (entry: JournalEntry) => `${stemOf(entry.referenceId)} ${orderIn(entry)}`;
  const keys = [orderIn, byName].filter((keyOf) => groupBy(known, keyOf).size === known.length);
  for (const lost of run.requests.filter((entry) => abandoned.includes(entry.id) && leavesOpen(entry))) {
    const isSame = (next: JournalEntry) => keys.some((keyOf) => keyOf(next) === keyOf(lost));
    const next = firsts.find((entry) => entry.id > lost.id && isSame(entry));
    if (next) return `${named([lost, next])} are for one order, as it seems, and another order is missing`;
  }
  return undefined;
}

/** The page of no paid order was found: its address is wrong rather than each order. */
export function unreadPage(run: WorldRun): string | undefined {
  const pages = run.payments
    .filter(({ status }) => status === 'paid')
    .flatMap((payment) => requestsFor(payment, run.probes).slice(-1));
  const isWrong = pages.length > 0 && pages.every(({ isRefused }) => isRefused);
  return isWrong
    ? `the page of no paid order could be read: ${pages[0]?.seen ?? 'it was refused'}`
    : undefined;
}
