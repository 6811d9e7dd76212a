import { toUrl } from '../../protocol/urls.js';
import { tryTo } from '../../values/untrusted-values.js';
import { recordsFor } from '../findings/evidence.js';
import type { MockChange } from '../../mock/state/changes.js';
import { paymentKey, type MockPayment, type Settlement } from '../../mock/state/payment-record.js';
import type { MockService } from '../types.js';
import type { World } from '../../mock/worlds/dimensions.js';
import { networks } from '../../mock/worlds/network.js';
import { webhookPlans } from '../../mock/worlds/webhook-plans.js';
import type { OrderLooks } from './order-looks.js';
import type { Shopper } from './shopper.js';
import { wait, type Watch } from './watch.js';

interface Setting {
  readonly mock: MockService;
  readonly customer: RehearsedCustomer;
  readonly isPlain: boolean;
  readonly watch: Watch;
  readonly looks: OrderLooks;
  readonly shopper: Shopper | undefined;
  /** Resolves once the merchant's code has taken all orders. */
  readonly allPlaced: Promise<unknown>;
  /** How long a customer waits for the shop, in milliseconds. */
  readonly patienceMs: number;
  /** How much longer the merchant works on a notification that it has accepted, in milliseconds. */
  readonly delayMs: number;
  /** How many payments have customers: a shop may begin another one whenever one is declined. */
  readonly mostVisits: number;
  /** The only origins whose redirect addresses are opened. */
  readonly origins: readonly string[];
  readonly signal: AbortSignal;
}

/** Something that is done to a payment. False ends the steps: the test has ended the payment itself. */
type Step = (payment: MockPayment, setting: Setting) => unknown;

const settle =
  (end: Settlement): Step =>
  ({ referenceId, merchantId }, { mock }) =>
    tryTo(() => mock.settle(referenceId, end, merchantId)) !== undefined;

const steps = {
  paid: settle('paid'),
  declined: settle('declined'),
  expired: settle('expired'),
  untouched: ({ referenceId }, { looks }) => looks.look('untouched', referenceId),
  async precede(payment, setting) {
    const { mock, looks, patienceMs, delayMs, signal } = setting;
    if (!isOpen(payment, setting)) return false;
    await mock.webhooks.sendPreliminaries?.(payment);
    const isAnyAccepted = recordsFor(payment, mock.webhooks.all()).some(
      ({ status }) => status === 'delivered',
    );
    // A merchant may act on a notification after its answer.
    if (isAnyAccepted) await wait(patienceMs + delayMs, signal);
    return isOpen(payment, setting) && looks.look('announced', payment.referenceId);
  },
  async 'open redirects'(payment, setting) {
    const { successRedirectUrl, unSuccessRedirectUrl } = payment.request;
    await open(successRedirectUrl, setting);
    await open(successRedirectUrl, setting, { ...successParameters, referenceId: payment.referenceId });
    if (isOpen(payment, setting)) await setting.looks.look('redirected', payment.referenceId);
    await open(unSuccessRedirectUrl, setting);
  },
  wait: (_payment, { patienceMs, signal }) => wait(patienceMs, signal),
  'wait for all orders': (_payment, { allPlaced }) => allPlaced,
  'click again': (payment, { shopper }) => shopper?.placeAgain(payment),
} satisfies Record<string, Step>;

type StepName = keyof typeof steps;

const ends = {
  none: [],
  pays: ['paid'],
  declines: ['declined'],
  expires: ['expired'],
} as const satisfies Record<string, readonly StepName[]>;

/** How a rehearsal ends payments: `'none'` leaves that to the test. */
export type RehearsedCustomer = keyof typeof ends;

export const customers = Object.keys(ends) as RehearsedCustomer[];

/** A customer who declines and pays all the same. A pause would let the first notification out before the second. */
const lateEnds = {
  final: undefined,
  late: ['declined', 'wait', 'paid'],
  reordered: ['declined', 'paid'],
} as const;

export function stepsOf(world: World, customer: RehearsedCustomer, isPlain: boolean): readonly StepName[] {
  const { events, settlement, forged, notification } = world;
  if (world.customer === 'older-link')
    return ['wait for all orders', 'declined', 'wait', 'click again', 'paid'];
  const late = customer === 'none' ? undefined : lateEnds[settlement];
  const isPreceded = forged || events === 'strange' || webhookPlans[notification].first !== undefined;
  return [
    ...(isPlain ? (['untouched'] as const) : []),
    ...(isPreceded ? (['precede'] as const) : []),
    ...(world.customer === 'opens-redirects' ? (['open redirects'] as const) : []),
    ...(events === 'strange' ? ends.declines : (late ?? ends[customer])),
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
  const { mock, watch, patienceMs, mostVisits, signal } = setting;
  // Until an outage is over, a merchant asks in vain.
  const { outageMs = 0 } = networks[mock.world().network];
  const names = stepsOf(mock.world(), setting.customer, setting.isPlain);
  const visits = new Map<string, { timer?: NodeJS.Timeout; hasBegun?: true; readonly end: () => void }>();
  // There the notification comes before the answer.
  const isEarly = webhookPlans[mock.world().notification].responseWaitsMs !== undefined;
  let isClosed = false;

  const act = async (payment: MockPayment) => {
    for (const name of names) {
      if (signal.aborted) return;
      // The payments of this click are left alone.
      if (name === 'click again') isClosed = true;
      if ((await steps[name](payment, setting)) === false) return;
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
    else if (!isWaiting) visit.timer = setTimeout(begin, isGiven ? pauseMs : patienceMs + outageMs);
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

const redirectLimitMs = 5000;
/** Parameters as services add them where a payment has succeeded. */
const successParameters = { status: 'success', resultStatus: 'APPROVED', resultCode: '0', paid: 'true' };

/** Opens an address of the merchant as a browser would. Those of others are left alone. */
async function open(address: string, { origins }: Setting, parameters: Record<string, string> = {}) {
  if (!canBeOpened(address, origins)) return;
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  await fetch(url, { signal: AbortSignal.timeout(redirectLimitMs) })
    .then((response) => response.text())
    .catch(() => undefined);
}

export function canBeOpened(address: string, origins: readonly string[]): boolean {
  return origins.includes(toUrl(address)?.origin ?? '');
}
