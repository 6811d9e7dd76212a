import { pause } from '../../values/time-limit.js';
import { orUndefined } from '../../values/untrusted-values.js';
import { recordsFor } from '../findings/journal-queries.js';
import type { MockPayment, Settlement } from '../../mock/observation.js';
import type { MockService } from '../workbench-types.js';
import type { Scenario } from '../../mock/scenarios/scenario.js';
import { webhookPlans } from '../../mock/scenarios/webhook-plans.js';
import type { PageChecks } from './order-page-checks.js';
import { openRedirect, type Browser } from './redirects.js';
import type { Shopper } from './shopper.js';
import { isBeingSent, type Watch } from './watch.js';

/** The context of the steps of a visit: the mock, the shop and its order page, and the times of the run. */
export interface VisitContext extends Browser {
  readonly mock: MockService;
  readonly customer: RehearsedCustomer;
  readonly isBaseline: boolean;
  readonly watch: Watch;
  readonly pageChecks: PageChecks;
  readonly shopper: Shopper | undefined;
  /** Resolves once the merchant's code has placed all orders. */
  readonly allPlaced: Promise<unknown>;
  /** The time for which a customer waits for the shop, in milliseconds. */
  readonly patienceMs: number;
  /** The additional time for which the merchant works on a webhook that it has accepted, in milliseconds. */
  readonly delayMs: number;
  /** Restarts the shop. Resolves to false if the order page of this reference does not respond after that. */
  readonly restart: (referenceId: string) => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** An action on a payment. False ends the steps, for example because the test has ended the payment itself. */
type Step = (payment: MockPayment, context: VisitContext) => unknown;

const settle =
  (end: Settlement): Step =>
  ({ referenceId, merchantId }, { mock }) =>
    orUndefined(() => mock.settle(referenceId, end, merchantId)) !== undefined;

const pollMs = 20;
/** The time after which a webhook without a response is not awaited any more, in milliseconds. */
const longestResponseMs = 5000;

/** The query parameters that services add to the redirect URL of a payment that has succeeded. */
const successParameters = { status: 'success', resultStatus: 'APPROVED', resultCode: '0', paid: 'true' };

export const visitSteps = {
  paid: settle('paid'),
  declined: settle('declined'),
  expired: settle('expired'),
  untouched: ({ referenceId }, { pageChecks }) => pageChecks.check('untouched', referenceId),
  async 'receive preliminary webhooks'(payment, context) {
    const { mock, pageChecks, patienceMs, delayMs, signal } = context;
    if (!isOpen(payment, context)) return false;
    await mock.webhooks.sendPreliminaries?.(payment);
    const isAnyAccepted = recordsFor(payment, mock.webhooks.all()).some(
      ({ status }) => status === 'delivered',
    );
    // A merchant can act on a webhook after its response.
    if (isAnyAccepted) await pause(patienceMs + delayMs, signal);
    return isOpen(payment, context) && pageChecks.check('before-notification', payment.referenceId);
  },
  async 'open redirects'(payment, context) {
    const { successRedirectUrl, unSuccessRedirectUrl } = payment.request;
    await openRedirect(successRedirectUrl, context);
    await openRedirect(successRedirectUrl, context, {
      ...successParameters,
      referenceId: payment.referenceId,
    });
    if (isOpen(payment, context)) await context.pageChecks.check('redirected', payment.referenceId);
    await openRedirect(unSuccessRedirectUrl, context);
  },
  async wait(payment, { mock, patienceMs, delayMs, signal }) {
    for (let leftMs = longestResponseMs; leftMs > 0 && !signal.aborted; leftMs -= pollMs) {
      if (!recordsFor(payment, mock.webhooks.all()).some(isBeingSent)) break;
      await pause(pollMs, signal);
    }
    // A shop can work on the webhook of the first end, after its response, as long as it needs to count a payment.
    await pause(patienceMs + delayMs, signal);
  },
  'wait for all orders': (_payment, { allPlaced }) => allPlaced,
  'wait until silent': (_payment, { watch, signal }) => watch.untilSilent(signal),
  'click again': (payment, { shopper }) => shopper?.placeAgain(payment),
  'change the basket': async (payment, { shopper, pageChecks }) =>
    (await shopper?.changeBasket(payment)) === true && pageChecks.check('changed', payment.referenceId),
  'pay every link': (payment, { mock, shopper }) => {
    const ofOrder = shopper?.paymentsOfSameOrder(payment) ?? [payment];
    for (const each of ofOrder) orUndefined(() => mock.settle(each.referenceId, 'paid', each.merchantId));
  },
  'restart the shop': ({ referenceId }, { restart }) => restart(referenceId),
} satisfies Record<string, Step>;

export type StepName = keyof typeof visitSteps;

/** The last clicks of a run. The payments that they create get no customer. */
export const lastClicks: ReadonlySet<StepName> = new Set(['click again', 'change the basket']);

/** The steps that happen once in a run, for all customers together. */
export const sharedSteps: ReadonlySet<StepName> = new Set(['wait until silent', 'restart the shop']);

const ends = {
  none: [],
  pays: ['paid'],
  declines: ['declined'],
  expires: ['expired'],
} as const satisfies Record<string, readonly StepName[]>;

/** The way in which a rehearsal ends payments. With `'none'`, the test ends them. */
export type RehearsedCustomer = keyof typeof ends;

export const customers = Object.keys(ends) as [RehearsedCustomer, ...RehearsedCustomer[]];

/**
 * The customers who decline and then pay. `reordered` has no pause: during a pause, the first webhook would be sent
 * before the second exists.
 */
const lateEnds = {
  final: undefined,
  late: ['declined', 'wait', 'paid'],
  reordered: ['declined', 'paid'],
} as const;

/** The visits of customers who do not follow the option `customer`, and pay in the end. */
const otherVisits: Partial<Record<Scenario['customer'], readonly StepName[]>> = {
  'older-link': ['wait for all orders', 'declined', 'wait', 'click again', 'paid'],
  'clicks-later': ['wait for all orders', 'wait until silent', 'click again', 'pay every link'],
  'changes-basket': ['wait for all orders', 'change the basket', 'paid'],
  'after-restart': ['wait for all orders', 'restart the shop', 'paid'],
};

/** Returns the steps of each visit in a scenario. */
export function stepsOf(
  scenario: Scenario,
  customer: RehearsedCustomer,
  isBaseline: boolean,
): readonly StepName[] {
  const { events, settlement, forged, notification } = scenario;
  const otherVisit = otherVisits[scenario.customer];
  if (otherVisit) return otherVisit;
  const lateEnd = customer === 'none' ? undefined : lateEnds[settlement];
  const isPreceded = forged || events === 'decoys' || webhookPlans[notification].decoys !== undefined;
  return [
    ...(isBaseline ? (['untouched'] as const) : []),
    ...(isPreceded ? (['receive preliminary webhooks'] as const) : []),
    ...(scenario.customer === 'opens-redirects' ? (['open redirects'] as const) : []),
    ...(events === 'decoys' ? ends.declines : (lateEnd ?? ends[customer])),
  ];
}

function isOpen({ referenceId, merchantId }: MockPayment, { mock }: VisitContext): boolean {
  return mock.payments.get(referenceId, merchantId)?.status === 'pending';
}
