import { orUndefined } from '../../values/untrusted-values.js';
import { recordsFor } from '../findings/evidence.js';
import { type MockChange, type MockPayment, paymentKey, type Settlement } from '../../mock/observation.js';
import type { MockService } from '../types.js';
import type { Scenario } from '../../mock/scenarios/dimensions.js';
import { networks } from '../../mock/scenarios/network.js';
import { webhookPlans } from '../../mock/scenarios/webhook-plans.js';
import type { PageChecks } from './page-checks.js';
import { openRedirect, type Browser } from './redirects.js';
import type { Shopper } from './shopper.js';
import { pause } from '../../values/time-limit.js';
import type { Watch } from './watch.js';

interface Setting extends Browser {
  readonly mock: MockService;
  readonly customer: RehearsedCustomer;
  readonly isBaseline: boolean;
  readonly watch: Watch;
  readonly pageChecks: PageChecks;
  readonly shopper: Shopper | undefined;
  /** Resolves once the merchant's code has taken all orders. */
  readonly allPlaced: Promise<unknown>;
  /** How long a customer waits for the shop, in milliseconds. */
  readonly patienceMs: number;
  /** How much longer the merchant works on a notification that it has accepted, in milliseconds. */
  readonly delayMs: number;
  /** How many payments have customers: a shop may begin another one whenever one is declined. */
  readonly mostVisits: number;
  /** Restarts the shop; false if it did not come back. The order page is asked for this reference. */
  readonly restart: (referenceId: string) => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** Something that is done to a payment. False ends the steps: the test has ended the payment itself, say. */
type Step = (payment: MockPayment, setting: Setting) => unknown;

const settle =
  (end: Settlement): Step =>
  ({ referenceId, merchantId }, { mock }) =>
    orUndefined(() => mock.settle(referenceId, end, merchantId)) !== undefined;

const steps = {
  paid: settle('paid'),
  declined: settle('declined'),
  expired: settle('expired'),
  untouched: ({ referenceId }, { pageChecks }) => pageChecks.check('untouched', referenceId),
  async 'hear preliminaries'(payment, setting) {
    const { mock, pageChecks, patienceMs, delayMs, signal } = setting;
    if (!isOpen(payment, setting)) return false;
    await mock.webhooks.sendPreliminaries?.(payment);
    const isAnyAccepted = recordsFor(payment, mock.webhooks.all()).some(
      ({ status }) => status === 'delivered',
    );
    // A merchant may act on a notification after its answer.
    if (isAnyAccepted) await pause(patienceMs + delayMs, signal);
    return isOpen(payment, setting) && pageChecks.check('before-notification', payment.referenceId);
  },
  async 'open redirects'(payment, setting) {
    const { successRedirectUrl, unSuccessRedirectUrl } = payment.request;
    await openRedirect(successRedirectUrl, setting);
    await openRedirect(successRedirectUrl, setting, {
      ...successParameters,
      referenceId: payment.referenceId,
    });
    if (isOpen(payment, setting)) await setting.pageChecks.check('redirected', payment.referenceId);
    await openRedirect(unSuccessRedirectUrl, setting);
  },
  // A shop may act on the notification of the first end as late as it counts payments.
  wait: (_payment, { patienceMs, delayMs, signal }) => pause(patienceMs + delayMs, signal),
  'wait for all orders': (_payment, { allPlaced }) => allPlaced,
  'wait until silent': (_payment, { watch, signal }) => watch.untilSilent(signal),
  'click again': (payment, { shopper }) => shopper?.placeAgain(payment),
  'change the basket': async (payment, { shopper, pageChecks }) =>
    (await shopper?.changeBasket(payment)) === true && pageChecks.check('changed', payment.referenceId),
  'pay every link': (payment, setting) => {
    const { mock, shopper } = setting;
    const ofOrder = shopper?.paymentsOfSameOrder(payment) ?? [payment];
    for (const each of ofOrder) orUndefined(() => mock.settle(each.referenceId, 'paid', each.merchantId));
  },
  'restart the shop': ({ referenceId }, { restart }) => restart(referenceId),
} satisfies Record<string, Step>;

type StepName = keyof typeof steps;

/** Clicks whose payments are left alone. */
const lastClicks: ReadonlySet<StepName> = new Set(['click again', 'change the basket']);

/** Taken once in a run, for all customers together. */
const sharedSteps: ReadonlySet<StepName> = new Set(['wait until silent', 'restart the shop']);

const ends = {
  none: [],
  pays: ['paid'],
  declines: ['declined'],
  expires: ['expired'],
} as const satisfies Record<string, readonly StepName[]>;

/** How a rehearsal ends payments: `'none'` leaves that to the test. */
export type RehearsedCustomer = keyof typeof ends;

export const customers = Object.keys(ends) as [RehearsedCustomer, ...RehearsedCustomer[]];

/** A customer who declines and pays all the same. A pause would let the first notification out before the second. */
const lateEnds = {
  final: undefined,
  late: ['declined', 'wait', 'paid'],
  reordered: ['declined', 'paid'],
} as const;

/** Customers who do other things than `customer` says, and pay in the end. */
const otherVisits: Partial<Record<Scenario['customer'], readonly StepName[]>> = {
  'older-link': ['wait for all orders', 'declined', 'wait', 'click again', 'paid'],
  'clicks-later': ['wait for all orders', 'wait until silent', 'click again', 'pay every link'],
  'changes-basket': ['wait for all orders', 'change the basket', 'paid'],
  'after-restart': ['wait for all orders', 'restart the shop', 'paid'],
};

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
    ...(isPreceded ? (['hear preliminaries'] as const) : []),
    ...(scenario.customer === 'opens-redirects' ? (['open redirects'] as const) : []),
    ...(events === 'decoys' ? ends.declines : (lateEnd ?? ends[customer])),
  ];
}

// Longer than the answer to a request takes on one machine.
const pauseMs = 100;

/**
 * Acts for the customers: each payment is approached soon after the merchant was given its paymentUrl. If the merchant was not
 * given it and has stopped asking, the customer has the link from elsewhere, because the service may send it too. Before
 * that, a merchant has its chance to ask again. Call the function that it returns with each change.
 */
export function actForCustomers(setting: Setting): (change: MockChange) => void {
  const { mock, watch, shopper, patienceMs, mostVisits, signal } = setting;
  // Until an outage is over, a merchant asks in vain.
  const { outageMs = 0 } = networks[mock.scenario().network];
  const names = stepsOf(mock.scenario(), setting.customer, setting.isBaseline);
  const visits = new Map<
    string,
    { timer?: NodeJS.Timeout | undefined; hasBegun?: true; readonly end: () => void }
  >();
  // There the notification comes before the answer.
  const isEarly = webhookPlans[mock.scenario().notification].responseWaitsMs !== undefined;
  let isClosed = false;

  const shared = new Map<StepName, unknown>();
  const take = (name: StepName, payment: MockPayment): unknown => {
    if (!sharedSteps.has(name)) return steps[name](payment, setting);
    if (!shared.has(name)) shared.set(name, steps[name](payment, setting));
    return shared.get(name);
  };
  const act = async (payment: MockPayment) => {
    for (const name of names) {
      if (signal.aborted) return;
      if (lastClicks.has(name)) isClosed = true;
      if ((await take(name, payment)) === false) return;
    }
  };
  const approach = (payment: MockPayment) => {
    const { referenceId, merchantId } = payment;
    const key = paymentKey(payment);
    const known = visits.get(key);
    if (isClosed || known?.hasBegun || payment.status !== 'pending') return;
    if (!known && visits.size >= mostVisits) return;
    const visit = known ?? { end: watch.begin() };
    visits.set(key, visit);
    clearTimeout(visit.timer);
    visit.timer = undefined;
    const begin = () => {
      visit.hasBegun = true;
      void act(payment).finally(visit.end);
    };
    const given = { operation: 'initiatePayment', resultStatus: 'APPROVED', answer: 'sent' } as const;
    const isGiven = mock.journal.find({ ...given, referenceId, merchantId }) !== undefined;
    // A merchant that still waits for a response has not stopped asking; its end is another change.
    const asked = { operation: 'initiatePayment', completed: false, referenceId, merchantId } as const;
    const isWaiting = mock.journal.find(asked) !== undefined;
    if (isEarly) begin();
    else if (!isWaiting) {
      const timer = setTimeout(() => void beginOnceShown(), isGiven ? pauseMs : patienceMs + outageMs);
      // Who pays before the shop has shown a link hides what the shop does at the next click.
      const beginOnceShown = async () => {
        await shopper?.untilShown(payment);
        if (visit.timer === timer) begin();
      };
      visit.timer = timer;
    }
  };

  return (change) => {
    const isAsked = change.kind === 'request' && change.entry.operation === 'initiatePayment';
    const order = isAsked ? change.entry : change.kind === 'payment' ? change : undefined;
    if (order && names.length > 0) recordsFor(order, mock.payments.all()).forEach(approach);
  };
}

function isOpen({ referenceId, merchantId }: MockPayment, { mock }: Setting): boolean {
  return mock.payments.get(referenceId, merchantId)?.status === 'pending';
}

/** Parameters as services add them where a payment has succeeded. */
const successParameters = { status: 'success', resultStatus: 'APPROVED', resultCode: '0', paid: 'true' };
