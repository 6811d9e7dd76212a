import {
  genuineSent,
  isAccepted,
  isRedirect,
  isRefusedForNow,
  orderOf,
  paymentKeyOf,
  paidIn,
} from '../findings/evidence.js';
import type { Look } from '../findings/record.js';
import type { JournalEntry } from '../../mock/observation.js';
import type { NamedWorld } from '../../mock/worlds/named-worlds.js';
import { groupBy } from '../../values/group-by.js';
import { toUrl } from '../../protocol/urls.js';
import { canBeOpened } from './redirects.js';
import { isNeverCounted, type Rehearsal, type WorldRun } from './run-world.js';

/** Why the absence of findings in a world proves nothing. */
export type NotJudged =
  /** It was not run: its point cannot arise without this, a flag of the command line such as `--webhook`, or an upload. */
  | { readonly flag: string }
  /** It was run, or could not be. */
  | { readonly reason: string };

export function wordsOf(why: NotJudged): string {
  return 'flag' in why ? `without ${why.flag}` : why.reason;
}

/** Why a world need not be run after the plain one; undefined if it must be. Its point could not arise. */
export function reasonNotToRun(
  { needs, world }: NamedWorld,
  { merchant, mockOptions, page, origins, customer, restart }: Rehearsal,
  plain: WorldRun,
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
  if (needs === '--webhook' && customer === 'none' && plain.webhooks.length === 0)
    return { flag: '--customer' };
  if (needs === '--webhook' && isNeverAccepted(plain))
    return { reason: 'because the shop accepted no notification in the plain world' };
  const { requests } = plain;
  if (world.uploads !== undefined && !requests.some(({ operation }) => operation === 'uploadInvoice'))
    return { flag: 'an upload in the plain world' };
  // The rehearsal places an order that is refused by itself.
  if (world.refusals !== undefined && !given['--checkout'] && requests.every(isApproved))
    return { flag: 'a refused request in the plain world' };
  if (world.customer === 'changes-basket') return page ? notDearer(plain) : { flag: '--order-url' };
  const addresses = plain.payments.map(({ request }) => request.successRedirectUrl);
  if (world.customer === 'opens-redirects' && !addresses.some((address) => canBeOpened(address, origins))) {
    const origin = toUrl(addresses[0] ?? '')?.origin ?? 'there is none';
    return { flag: `--order-url at the origin of a redirect URL (${origin})` };
  }
  return world.forged === true && isNeverCounted(plain)
    ? {
        reason:
          'because the order page counts no paid order in the plain world, so it cannot show what a forged notification does',
      }
    : undefined;
}

/** A basket must cost more once it was changed: only then is its first link worth too little. */
function notDearer({ payments, changedAmount = 0 }: WorldRun): NotJudged | undefined {
  const usual = Math.max(...payments.map(({ request }) => request.amount.value));
  return changedAmount > usual
    ? undefined
    : {
        reason: `because --checkout-changed asked for ${changedAmount} đồng in the plain world, and --checkout for ${usual}`,
      };
}

function isApproved({ resultStatus }: JournalEntry): boolean {
  return resultStatus === 'APPROVED';
}

/** True if the shop was told of ends, and accepted none of it: then nothing is shown by what it refuses elsewhere. */
function isNeverAccepted(run: WorldRun): boolean {
  const sent = genuineSent(run);
  return sent.length > 0 && !sent.some(({ tries }) => tries.some(isAccepted));
}

/** Why the absence of findings in a run proves nothing; undefined if it does. */
export function reasonNotJudged(
  named: NamedWorld,
  run: WorldRun,
  { customer }: Rehearsal,
  plain?: WorldRun,
): NotJudged | undefined {
  const reason = plain ? problemOf(run, plain) : problemOfPlain(run);
  if (reason !== undefined) return { reason };
  if (named.world.refusals !== undefined && run.requests.every(isApproved))
    return { reason: 'no request was refused' };
  if (named.world.customer === 'older-link' && !hasSecondPayment(run))
    return { flag: 'a second payment of an order' };
  const missed = plain && !run.wasStopped && missedPoint(named, run);
  if (missed === undefined || missed === false) return undefined;
  // A test that ends its payments itself leaves no time for what comes before.
  return customer === 'none' ? { flag: '--customer' } : { reason: missed };
}

/** True if the shop has offered another payment for an order: only then is there an older link. */
function hasSecondPayment(run: WorldRun): boolean {
  const byOrder = groupBy(run.payments, (payment) => orderOf(payment, run));
  return [...byOrder.values()].some(({ length }) => length > 1);
}

function problemOfPlain(run: WorldRun): string | undefined {
  return run.failure ?? nothingToCompare(run) ?? pageProblem(run) ?? restlessness(run);
}

function problemOf(run: WorldRun, plain: WorldRun): string | undefined {
  const { failure, wasStopped, restartProblem, requests } = run;
  // A command may end with an error because an order stays open, which is right.
  if (wasStopped) return failure;
  const isSilent = requests.length === 0 && plain.requests.length > 0;
  return (
    restartProblem ??
    fewerOrders(run, plain) ??
    restlessness(run) ??
    (isSilent ? 'the shop sent no request to the mock' : undefined)
  );
}

function restlessness({ isAtRest }: WorldRun): string | undefined {
  return isAtRest ? undefined : 'payments began or ended each time that the order page was asked';
}

/**
 * Orders that were not taken. Those that the service has turned away count as taken: it depends on the shop whether it sends
 * them again within the run. Who was paid late needs no further payment.
 */
function fewerOrders(run: WorldRun, plain: WorldRun): string | undefined {
  const { requests, payments, ends } = run;
  const turnedAway = new Set(requests.filter(isTurnedAway).map(paymentKeyOf));
  for (const payment of payments) turnedAway.delete(paymentKeyOf(payment));
  const isPaidLate = ends.some(({ status }) => status !== 'paid') && paidIn(run) > paidIn(plain);
  if (isPaidLate || plain.payments.length - payments.length <= turnedAway.size) return undefined;
  return `payments created: ${payments.length}, in the plain world ${plain.payments.length}`;
}

/** True if nothing was created, whatever the order: the request was refused for now, or redirected. */
function isTurnedAway(entry: JournalEntry): boolean {
  return isRefusedForNow(entry) || isRedirect(entry);
}

/** What should have come to the shop in this world and did not. */
function missedPoint({ needs, world }: NamedWorld, { webhooks, looks }: WorldRun): string | undefined {
  const sent = webhooks.filter(({ tries }) => tries.length > 0);
  if (world.forged && !sent.some(({ forgery }) => forgery)) return 'no forged notification was sent';
  if (world.events === 'strange' && !sent.some(({ decoy }) => decoy))
    return 'no strange notification was sent';
  if (needs === '--webhook' && world.notification !== 'never' && sent.length === 0)
    return 'no notification was sent';
  if (world.customer === 'changes-basket' && !looks.some(({ moment }) => moment === 'changed'))
    return 'no basket was changed before its payment had ended';
  return world.customer === 'opens-redirects' && !looks.some(({ moment }) => moment === 'redirected')
    ? 'no redirect URL was opened before its payment had ended'
    : undefined;
}

function nothingToCompare({ requests, payments }: WorldRun): string | undefined {
  const last = requests.at(-1);
  if (!last) return 'the command sent no request to the mock';
  // A test may script its refusals.
  const isScripted = requests.some(({ scripted, fault }) => scripted || fault !== undefined);
  return payments.length > 0 || isScripted
    ? undefined
    : `the command created no payment (the last response was ${last.resultStatus ?? `HTTP ${last.httpStatus}`})`;
}

/** Why the order page cannot tell which orders are paid. Where it shows none, its address is wrong rather than each order. */
function pageProblem({ looks }: WorldRun): string | undefined {
  const paid = looks.filter((look) => look.paid);
  const uncounted = paid.find((look) => look.uncounted !== undefined)?.uncounted;
  if (uncounted !== undefined && paid.every(({ count }) => count === undefined)) return uncounted;
  return isUnread(looks) ? `the order page could not be read: ${looks.at(-1)?.problem}` : undefined;
}

export function isUnread(looks: readonly Look[]): boolean {
  return looks.length > 0 && looks.every(({ problem }) => problem !== undefined);
}
