import {
  genuineSent,
  isAccepted,
  isRedirect,
  isRefusedForNow,
  orderOf,
  paymentKeyOf,
  paidIn,
} from '../findings/evidence.js';
import type { PageCheck } from '../findings/record.js';
import type { JournalEntry } from '../../mock/observation.js';
import type { NamedScenario } from '../../mock/scenarios/named-scenarios.js';
import { groupBy } from '../../values/collections.js';
import { toUrl } from '../../protocol/urls.js';
import { canBeOpened } from './redirects.js';
import { isNeverCounted, type Rehearsal, type ScenarioRun } from './run-scenario.js';

/** Why the absence of findings in a scenario proves nothing. */
export type NotJudged =
  /** It was not run: its point cannot arise without this, a flag of the command line such as `--webhook`, or an upload. */
  | { readonly flag: string }
  /** It was run, or could not be. */
  | { readonly reason: string };

export function wordsOf(why: NotJudged): string {
  return 'flag' in why ? `without ${why.flag}` : why.reason;
}

/** Why a scenario need not be run after the baseline; undefined if it must be. Its point could not arise. */
export function reasonNotToRun(
  { needs, scenario }: NamedScenario,
  { merchant, mockOptions, page, origins, customer, restart }: Rehearsal,
  baseline: ScenarioRun,
): NotJudged | undefined {
  const given = {
    '--webhook': mockOptions.webhook !== undefined,
    '--order-url': page !== undefined,
    '--checkout': typeof merchant !== 'function',
    '--checkout-changed': typeof merchant !== 'function' && merchant.changed !== undefined,
    '--restart': restart !== undefined,
  };
  if (needs !== undefined && !given[needs]) return { flag: needs };
  // Neither a customer nor the command has ended a payment, so there is nothing to notify of.
  if (needs === '--webhook' && customer === 'none' && baseline.webhooks.length === 0)
    return { flag: '--customer' };
  if (needs === '--webhook' && isNeverAccepted(baseline))
    return { reason: 'because the shop accepted no notification in the baseline' };
  const { requests } = baseline;
  if (scenario.uploads !== undefined && !requests.some(({ operation }) => operation === 'uploadInvoice'))
    return { flag: 'an upload in the baseline' };
  // The rehearsal places an order that is refused by itself.
  if (scenario.refusals !== undefined && !given['--checkout'] && requests.every(isApproved))
    return { flag: 'a refused request in the baseline' };
  if (scenario.customer === 'changes-basket') return page ? notDearer(baseline) : { flag: '--order-url' };
  const addresses = baseline.payments.map(({ request }) => request.successRedirectUrl);
  if (
    scenario.customer === 'opens-redirects' &&
    !addresses.some((address) => canBeOpened(address, origins))
  ) {
    const origin = toUrl(addresses[0] ?? '')?.origin ?? 'there is none';
    return { flag: `--order-url at the origin of a redirect URL (${origin})` };
  }
  return scenario.forged === true && isNeverCounted(baseline)
    ? {
        reason:
          'because the order page counts no paid order in the baseline, so it cannot show what a forged notification does',
      }
    : undefined;
}

/** A basket must cost more once it was changed: only then is its first link worth too little. */
function notDearer({ payments, changedAmount = 0 }: ScenarioRun): NotJudged | undefined {
  const usual = Math.max(...payments.map(({ request }) => request.amount.value));
  return changedAmount > usual
    ? undefined
    : {
        reason: `because --checkout-changed asked for ${changedAmount} đồng in the baseline, and --checkout for ${usual}`,
      };
}

function isApproved({ resultStatus }: JournalEntry): boolean {
  return resultStatus === 'APPROVED';
}

/** True if the shop was told of ends, and accepted none of it: then nothing is shown by what it refuses elsewhere. */
function isNeverAccepted(run: ScenarioRun): boolean {
  const sent = genuineSent(run);
  return sent.length > 0 && !sent.some(({ tries }) => tries.some(isAccepted));
}

/** Why the absence of findings in a run proves nothing; undefined if it does. */
export function reasonNotJudged(
  named: NamedScenario,
  run: ScenarioRun,
  { customer }: Rehearsal,
  baseline?: ScenarioRun,
): NotJudged | undefined {
  const reason = baseline ? problemOf(run, baseline) : problemOfBaseline(run);
  if (reason !== undefined) return { reason };
  if (named.scenario.refusals !== undefined && run.requests.every(isApproved))
    return { reason: 'no request was refused' };
  if (named.scenario.customer === 'older-link' && !hasSecondPayment(run))
    return { flag: 'a second payment of an order' };
  const missed = baseline && !run.wasStopped && missedPoint(named, run);
  if (missed === undefined || missed === false) return undefined;
  // A test that ends its payments itself leaves no time for what comes before.
  return customer === 'none' ? { flag: '--customer' } : { reason: missed };
}

/** True if the shop has offered another payment for an order: only then is there an older link. */
function hasSecondPayment(run: ScenarioRun): boolean {
  const byOrder = groupBy(run.payments, (payment) => orderOf(payment, run));
  return [...byOrder.values()].some(({ length }) => length > 1);
}

function problemOfBaseline(run: ScenarioRun): string | undefined {
  return run.failure ?? nothingToCompare(run) ?? pageProblem(run) ?? restlessness(run);
}

function problemOf(run: ScenarioRun, baseline: ScenarioRun): string | undefined {
  const { failure, wasStopped, restartProblem, requests } = run;
  // A command may end with an error because an order stays open, which is right.
  if (wasStopped) return failure;
  const isSilent = requests.length === 0 && baseline.requests.length > 0;
  return (
    restartProblem ??
    fewerOrders(run, baseline) ??
    restlessness(run) ??
    (isSilent ? 'the shop sent no request to the mock' : undefined)
  );
}

function restlessness({ isAtRest }: ScenarioRun): string | undefined {
  return isAtRest ? undefined : 'payments began or ended each time that the order page was asked';
}

/**
 * Orders that were not taken. Those that the service has turned away count as taken: it depends on the shop whether it sends
 * them again within the run. Who was paid late needs no further payment.
 */
function fewerOrders(run: ScenarioRun, baseline: ScenarioRun): string | undefined {
  const { requests, payments, ends } = run;
  const turnedAway = new Set(requests.filter(isTurnedAway).map(paymentKeyOf));
  for (const payment of payments) turnedAway.delete(paymentKeyOf(payment));
  const isPaidLate = ends.some(({ status }) => status !== 'paid') && paidIn(run) > paidIn(baseline);
  if (isPaidLate || baseline.payments.length - payments.length <= turnedAway.size) return undefined;
  return `payments created: ${payments.length}, in the baseline ${baseline.payments.length}`;
}

/** True if nothing was created, whatever the order: the request was refused for now, or redirected. */
function isTurnedAway(entry: JournalEntry): boolean {
  return isRefusedForNow(entry) || isRedirect(entry);
}

/** What should have come to the shop in this scenario and did not. */
function missedPoint(
  { needs, scenario }: NamedScenario,
  { webhooks, pageChecks }: ScenarioRun,
): string | undefined {
  const sent = webhooks.filter(({ tries }) => tries.length > 0);
  if (scenario.forged && !sent.some(({ forgery }) => forgery)) return 'no forged notification was sent';
  if (scenario.events === 'decoys' && !sent.some(({ decoy }) => decoy)) return 'no decoy was sent';
  if (needs === '--webhook' && scenario.notification !== 'never' && sent.length === 0)
    return 'no notification was sent';
  if (scenario.customer === 'changes-basket' && !pageChecks.some(({ moment }) => moment === 'changed'))
    return 'no basket was changed before its payment had ended';
  return scenario.customer === 'opens-redirects' && !pageChecks.some(({ moment }) => moment === 'redirected')
    ? 'no redirect URL was opened before its payment had ended'
    : undefined;
}

function nothingToCompare({ requests, payments }: ScenarioRun): string | undefined {
  const last = requests.at(-1);
  if (!last) return 'the command sent no request to the mock';
  // A test may script its refusals.
  const isScripted = requests.some(({ scripted, fault }) => scripted || fault !== undefined);
  return payments.length > 0 || isScripted
    ? undefined
    : `the command created no payment (the last response was ${last.resultStatus ?? `HTTP ${last.httpStatus}`})`;
}

/** Why the order page cannot tell which orders are paid. Where it shows none, its address is wrong rather than each order. */
function pageProblem({ pageChecks }: ScenarioRun): string | undefined {
  const paid = pageChecks.filter((pageCheck) => pageCheck.paid);
  const uncounted = paid.find((pageCheck) => pageCheck.uncounted !== undefined)?.uncounted;
  if (uncounted !== undefined && paid.every(({ count }) => count === undefined)) return uncounted;
  return isUnread(pageChecks) ? `the order page could not be read: ${pageChecks.at(-1)?.problem}` : undefined;
}

export function isUnread(pageChecks: readonly PageCheck[]): boolean {
  return pageChecks.length > 0 && pageChecks.every(({ problem }) => problem !== undefined);
}
