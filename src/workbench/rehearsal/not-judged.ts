import { isRefusedForNow, orderKey, paidIn } from '../findings/evidence.js';
import type { Look } from '../findings/record.js';
import type { NamedWorld } from '../../mock/worlds/named-worlds.js';
import { toUrl } from '../../protocol/urls.js';
import { canBeOpened } from './customers.js';
import type { Rehearsal, WorldRun } from './run-world.js';

/** Why a world need not be run after the plain one; undefined if it must be. Its point could not arise. */
export function notRun(
  { needs, world }: NamedWorld,
  { merchant, mockOptions, page, origins }: Rehearsal,
  plain: WorldRun,
): string | undefined {
  const given = {
    '--webhook': mockOptions.webhook !== undefined,
    '--order-url': page !== undefined,
    '--checkout': typeof merchant !== 'function',
    '--restart': false,
  };
  if (needs !== undefined && !given[needs]) return needs;
  const addresses = plain.payments.map(({ request }) => request.successRedirectUrl);
  if (world.customer === 'opens-redirects' && !addresses.some((address) => canBeOpened(address, origins)))
    return `--order-url at the origin of a redirect URL (${toUrl(addresses[0] ?? '')?.origin ?? 'there is none'})`;
  const paid = plain.looks.filter(({ moment, isPaid }) => moment === 'end' && isPaid);
  return world.forged === true && paid.length > 0 && paid.every((look) => !look.paid)
    ? 'the order page counts no paid order in the plain world, so it cannot show what a forged notification does'
    : undefined;
}

/** Why the absence of findings in a run proves nothing; undefined if it does. */
export function notJudged(run: WorldRun, plain?: WorldRun): string | undefined {
  const { failure, isEnded, requests, payments } = run;
  if (!plain) return failure ?? nothingToCompare(run) ?? pageProblem(run);
  // A command may end with an error because an order stays open, which is right.
  if (isEnded) return failure;
  // The service may refuse for now, and who was paid late needs no further attempt: both leave fewer payments.
  const refused = new Set(requests.filter(isRefusedForNow).map(orderKey));
  for (const payment of payments) refused.delete(orderKey(payment));
  const isPaidLate = run.ends.some(({ status }) => status !== 'paid') && paidIn(run) > paidIn(plain);
  if (isPaidLate || plain.payments.length - payments.length <= refused.size) return undefined;
  const fewer = `payments created: ${payments.length}, in the plain world ${plain.payments.length}`;
  return failure === undefined ? fewer : `${failure}; ${fewer}`;
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
  const early = looks.find(({ moment, paid, isPaid }) => moment === 'untouched' && paid && !isPaid);
  const seen = early?.seen === undefined ? '' : `: ${early.seen}`;
  if (early) return `the order ${early.referenceId} counts as paid before its customer has paid${seen}`;
  return isUnread(looks) ? `the order page could not be read: ${looks.at(-1)?.problem}` : undefined;
}

export function isUnread(looks: readonly Look[]): boolean {
  return looks.length > 0 && looks.every(({ problem }) => problem !== undefined);
}
