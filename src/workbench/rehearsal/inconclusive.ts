import {
  sentGenuineWebhooks,
  isAccepted,
  isRedirect,
  isRateLimited,
  orderOfPayment,
  paymentKeyOf,
  paidPaymentCount,
} from '../findings/journal-queries.js';
import { refusalReason } from '../findings/wording.js';
import type { JournalEntry } from '../../mock/observation.js';
import type { NamedScenario } from '../../mock/scenarios/named-scenarios.js';
import { groupBy } from '../../values/collections.js';
import { canBeOpened } from './redirects.js';
import { neverShowsPaid, isNeverReadable } from './order-page-checks.js';
import type { Rehearsal } from './rehearsal-settings.js';
import type { FinishedRun } from './run-scenario.js';

/** The reason why a scenario was not judged. Even without a finding, the shop can then be wrong. */
export type NotJudged =
  /**
   * What the scenario needs and lacks: a flag of the command line such as `--webhook`, or an upload. The result of the
   * rehearsal is not affected.
   */
  | { readonly flag: string }
  /** Why the scenario is inconclusive. The rehearsal is not `ok`. */
  | { readonly reason: string };

export function reasonText(notJudged: NotJudged): string {
  return 'flag' in notJudged ? `needs ${notJudged.flag}` : notJudged.reason;
}

/** Names what a scenario lacks. The property is `flag`, because in most cases a flag of the command line is missing. */
function lacks(missing: string): NotJudged {
  return { flag: missing };
}

/**
 * Returns the reason why a scenario is not run: something that it needs is missing, or the baseline shows that the
 * event of the scenario cannot happen. Returns undefined if the scenario can run.
 */
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
  if (needs !== undefined && !given[needs]) return lacks(needs);
  // Without simulated customers, the command must settle the payments. If it settles none, there is no webhook.
  if (needs === '--webhook' && customer === 'none' && baseline.webhooks.length === 0)
    return lacks('--customer');
  if (needs === '--webhook' && acceptedNoWebhook(baseline))
    return { reason: 'the shop accepted no webhook in the baseline' };
  const { requests } = baseline;
  if (scenario.uploads !== undefined && !requests.some(({ operation }) => operation === 'uploadInvoice'))
    return lacks('an upload in the baseline');
  // With a checkout, the rehearsal itself places an order that the mock refuses.
  if (scenario.refusals !== undefined && !given['--checkout'] && requests.every(isApproved))
    return lacks('a refused request in the baseline');
  if (scenario.customer === 'changes-basket')
    return page ? changedBasketProblem(baseline) : lacks('--order-url');
  if (scenario.customer === 'opens-redirects') {
    const addresses = baseline.payments.map(({ request }) => request.successRedirectUrl);
    if (!addresses.some((address) => canBeOpened(address, origins))) return lacksRedirect(addresses);
  }
  return scenario.forged === true && neverShowsPaid(baseline)
    ? {
        reason:
          'in the baseline, orders were paid, and the order page showed none of them as paid, so it cannot show the effect of a forged webhook',
      }
    : undefined;
}

/** Says that `--order-url` has the origin of none of these redirect URLs. */
function lacksRedirect([address]: readonly string[]): NotJudged {
  if (address === undefined) return lacks('a payment in the baseline');
  // The URL of an app, such as myapp://paid, has no origin: its `origin` is the text 'null'.
  const { origin, protocol } = new URL(address);
  const shown = origin === 'null' ? protocol : origin;
  return lacks(`--order-url with the same origin as the successRedirectUrl (${shown})`);
}

/** Returns the reason not to run the scenario of a changed basket; undefined if the changed basket costs more. */
function changedBasketProblem({ payments, changedAmount = 0 }: FinishedRun): NotJudged | undefined {
  const amount = Math.max(...payments.map(({ request }) => request.amount.value));
  return changedAmount > amount
    ? undefined
    : {
        reason: `--checkout-changed must request a higher amount than --checkout; in the baseline, --checkout-changed requested ${changedAmount} đồng, and --checkout ${amount} đồng`,
      };
}

function isApproved({ resultStatus }: JournalEntry): boolean {
  return resultStatus === 'APPROVED';
}

/** True if webhooks were sent, and the shop accepted none. The shop would probably refuse the later webhooks, too. */
function acceptedNoWebhook(run: FinishedRun): boolean {
  const sent = sentGenuineWebhooks(run);
  return sent.length > 0 && !sent.some(({ tries }) => tries.some(isAccepted));
}

/** Returns the reason why a run cannot be judged; undefined if it can be judged. */
export function inconclusiveReason(
  named: NamedScenario,
  run: FinishedRun,
  { customer }: Rehearsal,
  baseline?: FinishedRun,
): NotJudged | undefined {
  const reason = baseline ? problemOf(run, baseline) : problemOfBaselineRun(run);
  if (reason !== undefined) return { reason };
  if (named.scenario.refusals !== undefined && run.requests.every(isApproved))
    return { reason: 'no request was refused' };
  if (named.scenario.customer === 'older-link' && !hasSecondPayment(run))
    return lacks('a second payment of an order');
  const missed = baseline && !run.wasStopped ? missedEvent(named, run) : undefined;
  if (missed === undefined) return undefined;
  // A test that settles the payments itself might settle them before the event can happen.
  return customer === 'none' ? lacks('--customer') : { reason: missed };
}

/** True if the shop has created a second payment for an order. Without a second payment, there is no older link. */
function hasSecondPayment(run: FinishedRun): boolean {
  const byOrder = groupBy(run.payments, (payment) => orderOfPayment(payment, run));
  return [...byOrder.values()].some(({ length }) => length > 1);
}

function problemOfBaselineRun(run: FinishedRun): string | undefined {
  return run.failure ?? nothingToCompare(run) ?? pageProblem(run) ?? instability(run);
}

function problemOf(run: FinishedRun, baseline: FinishedRun): string | undefined {
  const { failure, wasStopped, restartProblem, requests } = run;
  // A stopped run cannot be judged. Any other failure is ignored here, because a command can be right to fail, for
  // example if an order is not paid yet.
  if (wasStopped) return failure;
  const hasNoRequest = requests.length === 0 && baseline.requests.length > 0;
  return (
    restartProblem ??
    fewerPayments(run, baseline) ??
    instability(run) ??
    (hasNoRequest ? 'the shop sent no request to the mock' : undefined)
  );
}

function instability({ isStable }: FinishedRun): string | undefined {
  return isStable ? undefined : 'payments were created or settled each time that the order page was read';
}

/**
 * Says that fewer payments were created than in the baseline; undefined if as many or more were created. The result is
 * also undefined if these cases explain the missing payments, because a correct shop then creates fewer payments:
 *
 * - A request was rate-limited. The shop can send the request again after the run.
 * - A request was redirected. The shop should then look the payment up.
 * - A payment was paid after it had been declined. The shop needs no further payment for that order.
 */
function fewerPayments(run: FinishedRun, baseline: FinishedRun): string | undefined {
  const { requests, payments, settledPayments } = run;
  const turnedAway = new Set(requests.filter(isTurnedAway).map(paymentKeyOf));
  for (const payment of payments) turnedAway.delete(paymentKeyOf(payment));
  const isPaidLate =
    settledPayments.some(({ status }) => status !== 'paid') &&
    paidPaymentCount(run) > paidPaymentCount(baseline);
  if (isPaidLate || baseline.payments.length - payments.length <= turnedAway.size) return undefined;
  return `fewer payments (${payments.length}) were created than in the baseline (${baseline.payments.length})`;
}

function isTurnedAway(entry: JournalEntry): boolean {
  return isRateLimited(entry) || isRedirect(entry);
}

/** Says which event of a scenario did not happen; undefined if the event happened. */
function missedEvent(
  { needs, scenario }: NamedScenario,
  { webhooks, pageChecks }: FinishedRun,
): string | undefined {
  const sent = webhooks.filter(({ tries }) => tries.length > 0);
  if (scenario.forged && !sent.some(({ forgery }) => forgery)) return 'no forged webhook was sent';
  if (scenario.events === 'decoys' && !sent.some(({ decoy }) => decoy)) return 'no decoy was sent';
  if (needs === '--webhook' && scenario.notification !== 'never' && sent.length === 0)
    return 'no webhook was sent';
  if (scenario.customer === 'changes-basket' && !pageChecks.some(({ moment }) => moment === 'changed'))
    return 'no basket was changed before its payment was settled';
  return scenario.customer === 'opens-redirects' &&
    !pageChecks.some(({ moment }) => moment === 'redirect-opened')
    ? 'no redirect URL was opened before its payment was settled'
    : undefined;
}

function nothingToCompare({ requests, payments }: FinishedRun): string | undefined {
  const last = requests.at(-1);
  if (!last) return 'the shop sent no request to the mock';
  // A test can script refusals on purpose.
  const isScripted = requests.some(({ scripted, fault }) => scripted || fault !== undefined);
  if (payments.length > 0 || isScripted) return undefined;
  const reason = refusalReason(last);
  const response = `the last response was ${last.resultStatus ?? `HTTP ${last.httpStatus}`}`;
  return `the shop created no payment (${response})${reason === undefined ? '' : `: ${reason}`}`;
}

/**
 * Returns the reason why the order page cannot be used: it could never be read, or `--once` captures no number on the
 * page of any paid order.
 */
function pageProblem({ pageChecks }: FinishedRun): string | undefined {
  const paid = pageChecks.filter((pageCheck) => pageCheck.showsPaid);
  const onceProblem = paid.find((pageCheck) => pageCheck.onceProblem !== undefined)?.onceProblem;
  if (onceProblem !== undefined && paid.every(({ onceNumber }) => onceNumber === undefined))
    return onceProblem;
  return isNeverReadable(pageChecks)
    ? `the order page could not be read: ${pageChecks.at(-1)?.problem}`
    : undefined;
}
