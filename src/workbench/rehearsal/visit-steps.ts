import { pause } from '../../values/time-limit.js';
import { orUndefined } from '../../values/untrusted-values.js';
import { recordsFor } from '../findings/journal-queries.js';
import type { MockPayment, Settlement } from '../../mock/observation.js';
import type { MockService } from '../workbench-types.js';
import type { Scenario } from '../../mock/scenarios/scenario.js';
import { webhookPlans } from '../../mock/scenarios/webhook-plans.js';
import type { PageChecks } from './order-page-checks.js';
import { openRedirect, type BrowserSettings } from './redirects.js';
import type { Shopper } from './shopper.js';
import { isBeingSent, type ActivityWatch } from './watch.js';

/** The objects and settings that the steps of a visit use. */
export interface VisitContext extends BrowserSettings {
  readonly mock: MockService;
  readonly customer: RehearsedCustomer;
  readonly isBaseline: boolean;
  readonly watch: ActivityWatch;
  readonly pageChecks: PageChecks;
  readonly shopper: Shopper | undefined;
  /** Resolves once the merchant's code has placed all orders. */
  readonly allPlaced: Promise<unknown>;
  /** The fixed pause in which the shop can react before a customer goes on, in milliseconds. */
  readonly patienceMs: number;
  /** The expected time from an accepted webhook until the shop shows the order as paid, in milliseconds. */
  readonly expectedDelayMs: number;
  /** Restarts the shop. Resolves to false if the restart failed. */
  readonly restart: (referenceId: string) => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** An action of a customer. The visit ends if the result is false, for example if the test has settled the payment. */
type Step = (payment: MockPayment, context: VisitContext) => unknown;

const settle =
  (settlement: Settlement): Step =>
  ({ referenceId, merchantId }, { mock }) =>
    orUndefined(() => mock.settle(referenceId, settlement, merchantId)) !== undefined;

const pollMs = 20;
/** The maximum time to wait for the response to a webhook, in milliseconds. */
const maxResponseMs = 5000;

/** The query parameters that services typically add to the redirect URL of a successful payment. */
const successParameters = { status: 'success', resultStatus: 'APPROVED', resultCode: '0', paid: 'true' };

export const visitSteps = {
  paid: settle('paid'),
  declined: settle('declined'),
  expired: settle('expired'),
  'check the unpaid order': ({ referenceId }, { pageChecks }) => pageChecks.check('untouched', referenceId),
  async 'receive preliminary webhooks'(payment, context) {
    const { mock, pageChecks, patienceMs, expectedDelayMs, signal } = context;
    if (!isPending(payment, context)) return false;
    await mock.webhooks.sendPreliminaries?.(payment);
    const isAnyAccepted = recordsFor(payment, mock.webhooks.all()).some(
      ({ status }) => status === 'delivered',
    );
    // A shop can process a webhook after it has responded to the webhook.
    if (isAnyAccepted) await pause(patienceMs + expectedDelayMs, signal);
    return isPending(payment, context) && pageChecks.check('before-notification', payment.referenceId);
  },
  async 'open redirects'(payment, context) {
    const { successRedirectUrl, unSuccessRedirectUrl } = payment.request;
    await openRedirect(successRedirectUrl, context);
    await openRedirect(successRedirectUrl, context, {
      ...successParameters,
      referenceId: payment.referenceId,
    });
    if (isPending(payment, context)) await context.pageChecks.check('redirect-opened', payment.referenceId);
    await openRedirect(unSuccessRedirectUrl, context);
  },
  async 'wait for the webhooks'(payment, { mock, patienceMs, expectedDelayMs, signal }) {
    for (let leftMs = maxResponseMs; leftMs > 0 && !signal.aborted; leftMs -= pollMs) {
      if (!recordsFor(payment, mock.webhooks.all()).some(isBeingSent)) break;
      await pause(pollMs, signal);
    }
    // A shop can process a webhook after it has responded to the webhook.
    await pause(patienceMs + expectedDelayMs, signal);
  },
  'wait for all orders': (_payment, { allPlaced }) => allPlaced,
  'wait until no request arrives': (_payment, { watch, signal }) => watch.untilNothingArrives(signal),
  'check out again': (payment, { shopper }) => shopper?.placeAgain(payment),
  'change the basket': async (payment, { shopper, pageChecks }) =>
    (await shopper?.changeBasket(payment)) === true && pageChecks.check('changed', payment.referenceId),
  'pay every link': (payment, { mock, shopper }) => {
    const payments = shopper?.paymentsOfSameOrder(payment) ?? [payment];
    for (const each of payments) orUndefined(() => mock.settle(each.referenceId, 'paid', each.merchantId));
  },
  'restart the shop': ({ referenceId }, { restart }) => restart(referenceId),
} satisfies Record<string, Step>;

export type StepName = keyof typeof visitSteps;

/** The steps that call the checkout again. A payment that such a call creates gets no customer. */
export const secondCheckouts: ReadonlySet<StepName> = new Set(['check out again', 'change the basket']);

/** The steps that happen once in a run, not once for each customer. */
export const sharedSteps: ReadonlySet<StepName> = new Set([
  'wait until no request arrives',
  'restart the shop',
]);

/** The last steps of a visit, for each value of the option `customer`. */
const settlementSteps = {
  none: [],
  pays: ['paid'],
  declines: ['declined'],
  expires: ['expired'],
} as const satisfies Record<string, readonly StepName[]>;

/**
 * The action of the simulated customers. With `'none'`, the test settles the payments itself, except in scenarios that
 * define what the customers do.
 */
export type RehearsedCustomer = keyof typeof settlementSteps;

export const customers = Object.keys(settlementSteps) as [RehearsedCustomer, ...RehearsedCustomer[]];

/**
 * The steps that settle a payment, for each value of the dimension `settlement`; undefined if the option `customer`
 * decides. `reordered` has no pause between its steps: the webhook that says paid must arrive first, and the mock holds
 * the webhook of the decline back for only a second.
 */
const lateSettlementSteps = {
  final: undefined,
  late: ['declined', 'wait for the webhooks', 'paid'],
  reordered: ['declined', 'paid'],
} as const;

/** The steps in scenarios that define the whole visit, whatever the option `customer` is. The last step is to pay. */
const scenarioVisits: Partial<Record<Scenario['customer'], readonly StepName[]>> = {
  'older-link': ['wait for all orders', 'declined', 'wait for the webhooks', 'check out again', 'paid'],
  'clicks-later': [
    'wait for all orders',
    'wait until no request arrives',
    'check out again',
    'pay every link',
  ],
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
  const scenarioVisit = scenarioVisits[scenario.customer];
  if (scenarioVisit) return scenarioVisit;
  const lateSettlement = customer === 'none' ? undefined : lateSettlementSteps[settlement];
  const hasPreliminaryWebhooks =
    forged || events === 'decoys' || webhookPlans[notification].decoys !== undefined;
  return [
    ...(isBaseline ? (['check the unpaid order'] as const) : []),
    ...(hasPreliminaryWebhooks ? (['receive preliminary webhooks'] as const) : []),
    ...(scenario.customer === 'opens-redirects' ? (['open redirects'] as const) : []),
    // The customer declines, so no order is paid. If the shop shows an order as paid, it has believed a decoy.
    ...(events === 'decoys' ? settlementSteps.declines : (lateSettlement ?? settlementSteps[customer])),
  ];
}

function isPending({ referenceId, merchantId }: MockPayment, { mock }: VisitContext): boolean {
  return mock.payments.get(referenceId, merchantId)?.status === 'pending';
}
