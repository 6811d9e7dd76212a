import {
  genuineSent,
  isAccepted,
  isRedirect,
  isRefusedForNow,
  orderOf,
  paymentKeyOf,
  paidIn,
} from '../findings/journal-queries.js';
import { reasonOfRefusal } from '../findings/wording.js';
import type { JournalEntry } from '../../mock/observation.js';
import type { NamedScenario } from '../../mock/scenarios/named-scenarios.js';
import { groupBy } from '../../values/collections.js';
import { toUrl } from '../../protocol/urls.js';
import { canBeOpened } from './redirects.js';
import { isNeverCounted, isUnread } from './order-page-checks.js';
import type { Rehearsal } from './rehearsal-settings.js';
import type { FinishedRun } from './run-scenario.js';

/** The reason why the absence of findings in a scenario proves nothing. */
export type NotJudged =
  /**
   * It cannot happen without this: a flag of the command line such as `--webhook`, or an upload.
   */
  | { readonly flag: string }
  /** It was run without a result, or could not be run. */
  | { readonly reason: string };

export function reasonText(why: NotJudged): string {
  return 'flag' in why ? `without ${why.flag}` : why.reason;
}

/** The reason not to run a scenario after the baseline, because it could not happen. Undefined if it must be run. */
export function reasonNotToRun(
  { needs, scenario }: NamedScenario,
  { merchant, mockOptions, page, origins, customer, restart }: Rehearsal,
  baseline: FinishedRun,
): NotJudged | undefined {
  const given = {
    '--webhook': mockOptions.webhook !== undefined,
    '--order-url': page !== undefined,
    '--checkout': typeof merchant !== 'function',
    '--checkout-changed': typeof merchant !== 'function' && merchant.changed !== undefined,
    '--restart': restart !== undefined,
  };
  if (needs !== undefined && !given[needs]) return { flag: needs };
  // Neither a customer nor the command has ended a payment, so there is no webhook.
  if (needs === '--webhook' && customer === 'none' && baseline.webhooks.length === 0)
    return { flag: '--customer' };
  if (needs === '--webhook' && isNeverAccepted(baseline))
    return { reason: 'because the shop accepted no webhook in the baseline' };
  const { requests } = baseline;
  if (scenario.uploads !== undefined && !requests.some(({ operation }) => operation === 'uploadInvoice'))
    return { flag: 'an upload in the baseline' };
  // With a checkout, the rehearsal places an order that is refused.
  if (scenario.refusals !== undefined && !given['--checkout'] && requests.every(isApproved))
    return { flag: 'a refused request in the baseline' };
  if (scenario.customer === 'changes-basket')
    return page ? notMoreExpensive(baseline) : { flag: '--order-url' };
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
          'because the order page counts no paid order in the baseline, so it cannot show the effect of a forged webhook',
      }
    : undefined;
}

/** The reason not to run the scenario of a changed basket, if the changed basket does not cost more. */
function notMoreExpensive({ payments, changedAmount = 0 }: FinishedRun): NotJudged | undefined {
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

/** True if the shop accepted none of its webhooks. Then a refusal in another scenario proves nothing. */
function isNeverAccepted(run: FinishedRun): boolean {
  const sent = genuineSent(run);
  return sent.length > 0 && !sent.some(({ tries }) => tries.some(isAccepted));
}

/** The reason why the absence of findings in a run proves nothing. Undefined if it proves something. */
export function inconclusiveReason(
  named: NamedScenario,
  run: FinishedRun,
  { customer }: Rehearsal,
  baseline?: FinishedRun,
): NotJudged | undefined {
  const reason = baseline ? problemOf(run, baseline) : problemOfBaseline(run);
  if (reason !== undefined) return { reason };
  if (named.scenario.refusals !== undefined && run.requests.every(isApproved))
    return { reason: 'no request was refused' };
  if (named.scenario.customer === 'older-link' && !hasSecondPayment(run))
    return { flag: 'a second payment of an order' };
  const missed = baseline && !run.wasStopped && missedPoint(named, run);
  if (missed === undefined || missed === false) return undefined;
  // A test that ends its payments itself leaves no time for the webhooks before the end.
  return customer === 'none' ? { flag: '--customer' } : { reason: missed };
}

/** True if the shop has created a second payment for an order, so that there is an older link. */
function hasSecondPayment(run: FinishedRun): boolean {
  const byOrder = groupBy(run.payments, (payment) => orderOf(payment, run));
  return [...byOrder.values()].some(({ length }) => length > 1);
}

function problemOfBaseline(run: FinishedRun): string | undefined {
  return run.failure ?? nothingToCompare(run) ?? pageProblem(run) ?? unrest(run);
}

function problemOf(run: FinishedRun, baseline: FinishedRun): string | undefined {
  const { failure, wasStopped, restartProblem, requests } = run;
  // A command can rightly end with an error because an order stays open.
  if (wasStopped) return failure;
  const isSilent = requests.length === 0 && baseline.requests.length > 0;
  return (
    restartProblem ??
    fewerOrders(run, baseline) ??
    unrest(run) ??
    (isSilent ? 'the shop sent no request to the mock' : undefined)
  );
}

function unrest({ isAtRest }: FinishedRun): string | undefined {
  return isAtRest ? undefined : 'payments began or ended each time that the order page was read';
}

/**
 * Says that fewer orders were placed than in the baseline. An order that the service has turned away counts as
 * placed, because the shop does not have to send it again within the run. A shop whose payment was paid late needs no
 * further payment.
 */
function fewerOrders(run: FinishedRun, baseline: FinishedRun): string | undefined {
  const { requests, payments, ends } = run;
  const turnedAway = new Set(requests.filter(isTurnedAway).map(paymentKeyOf));
  for (const payment of payments) turnedAway.delete(paymentKeyOf(payment));
  const isPaidLate = ends.some(({ status }) => status !== 'paid') && paidIn(run) > paidIn(baseline);
  if (isPaidLate || baseline.payments.length - payments.length <= turnedAway.size) return undefined;
  return `payments created: ${payments.length}, in the baseline ${baseline.payments.length}`;
}

/** True if a request created nothing because it was rate-limited or redirected. */
function isTurnedAway(entry: JournalEntry): boolean {
  return isRefusedForNow(entry) || isRedirect(entry);
}

/** Names the event of a scenario that did not happen. */
function missedPoint(
  { needs, scenario }: NamedScenario,
  { webhooks, pageChecks }: FinishedRun,
): string | undefined {
  const sent = webhooks.filter(({ tries }) => tries.length > 0);
  if (scenario.forged && !sent.some(({ forgery }) => forgery)) return 'no forged webhook was sent';
  if (scenario.events === 'decoys' && !sent.some(({ decoy }) => decoy)) return 'no decoy was sent';
  if (needs === '--webhook' && scenario.notification !== 'never' && sent.length === 0)
    return 'no webhook was sent';
  if (scenario.customer === 'changes-basket' && !pageChecks.some(({ moment }) => moment === 'changed'))
    return 'no basket was changed before its payment had ended';
  return scenario.customer === 'opens-redirects' && !pageChecks.some(({ moment }) => moment === 'redirected')
    ? 'no redirect URL was opened before its payment had ended'
    : undefined;
}

function nothingToCompare({ requests, payments }: FinishedRun): string | undefined {
  const last = requests.at(-1);
  if (!last) return 'the command sent no request to the mock';
  // A test can script its refusals.
  const isScripted = requests.some(({ scripted, fault }) => scripted || fault !== undefined);
  if (payments.length > 0 || isScripted) return undefined;
  const reason = reasonOfRefusal(last);
  const response = `the last response was ${last.resultStatus ?? `HTTP ${last.httpStatus}`}`;
  return `the command created no payment (${response})${reason === undefined ? '' : `: ${reason}`}`;
}

/**
 * The reason why the order page does not show which orders are paid. If no order can be read, the address of the page
 * is probably wrong.
 */
function pageProblem({ pageChecks }: FinishedRun): string | undefined {
  const paid = pageChecks.filter((pageCheck) => pageCheck.paid);
  const uncounted = paid.find((pageCheck) => pageCheck.uncounted !== undefined)?.uncounted;
  if (uncounted !== undefined && paid.every(({ count }) => count === undefined)) return uncounted;
  return isUnread(pageChecks) ? `the order page could not be read: ${pageChecks.at(-1)?.problem}` : undefined;
}
