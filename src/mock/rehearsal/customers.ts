import { setTimeout as pause } from 'node:timers/promises';
import { requestsFor } from '../findings/evidence.js';
import type { Look } from '../findings/record.js';
import { paymentKey, type MockPayment, type Settlement } from '../state/payment-record.js';
import { toUrl } from '../../protocol/urls.js';
import type { MockService } from '../types.js';
import type { World } from '../worlds/dimensions.js';
import { webhookPlans } from '../worlds/webhooks.js';
import type { OrderLooks } from './order-looks.js';
import type { Shopper } from './shopper.js';
import type { Watch } from './watch.js';

/** The ways in which a rehearsal ends payments. */
export const customers = ['none', 'pays', 'declines', 'expires'] as const;

/** How a rehearsal ends payments: `'none'` leaves that to the test. */
export type RehearsedCustomer = (typeof customers)[number];

/** Something that is done to a payment; a settlement ends it. */
type Act =
  | Settlement
  | 'untouched'
  | 'precede'
  | 'open-success'
  | 'open-failure'
  | 'wait'
  | 'all-placed'
  | 'click-again';

const ends: Readonly<Record<RehearsedCustomer, readonly Act[]>> = {
  none: [],
  pays: ['paid'],
  declines: ['declined'],
  expires: ['expired'],
};

/** A customer who declines and pays all the same. A pause would let the first notification out before the second. */
const lateEnds: Readonly<Partial<Record<World['settlement'], readonly Act[]>>> = {
  late: ['declined', 'wait', 'paid'],
  reordered: ['declined', 'paid'],
};

/** The acts of a customer on each payment of a world, one after the other. */
export function actsOf(world: World, customer: RehearsedCustomer, isPlain: boolean): readonly Act[] {
  const { events, settlement, forged, notification } = world;
  if (world.customer === 'older-link') return ['all-placed', 'declined', 'wait', 'click-again', 'paid'];
  const late = customer === 'none' ? undefined : lateEnds[settlement];
  const end = events === 'strange' ? ends.declines : (late ?? ends[customer]);
  const isPreceded = forged || events === 'strange' || webhookPlans[notification].first !== undefined;
  return [
    ...(isPlain ? (['untouched'] as const) : []),
    ...(isPreceded ? (['precede'] as const) : []),
    ...(world.customer === 'opens-redirects' ? (['open-success', 'open-failure'] as const) : []),
    ...end,
  ];
}

// Longer than the answer to a request takes on one machine.
const pauseMs = 100;
const redirectLimitMs = 5000;

/** Parameters as services add them where a payment has succeeded. */
const successParameters = { status: 'success', resultStatus: 'APPROVED', resultCode: '0', paid: 'true' };

/** The stage of one run. */
interface Stage {
  readonly mock: MockService;
  readonly acts: readonly Act[];
  readonly watch: Watch;
  readonly looks: OrderLooks;
  readonly shopper: Shopper | undefined;
  /** Resolves once the merchant's code has taken all orders. */
  readonly allPlaced: Promise<unknown>;
  /** How long nothing asks for a payment until its customer has the link from elsewhere, in milliseconds. */
  readonly linkAfterMs: number;
  /** How long the merchant has to act on a notification that it has accepted, in milliseconds. */
  readonly workMs: number;
  /** How long a customer who has declined waits, in milliseconds. */
  readonly attemptMs: number;
  /** The only origins whose redirect addresses are opened. */
  readonly origins: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * Plays the customers: each payment is approached soon after the merchant was given its paymentUrl. If the merchant was not
 * given it and has stopped asking, the customer has the link from elsewhere, because the service may send it too. Before
 * that, a merchant has its chance to ask again.
 *
 * @returns a function that ends the play
 */
export function playCustomers(stage: Stage): () => void {
  const { mock, acts, watch, linkAfterMs, signal } = stage;
  const approached = new Set<string>();
  const waiting = new Map<string, { timer?: NodeJS.Timeout; readonly end: () => void }>();
  const isEarly = mock.world().notification === 'early';
  let isClosed = false;

  const play = async (payment: MockPayment) => {
    for (const act of acts) {
      if (signal.aborted) return;
      if (act === 'click-again') isClosed = true;
      if (!(await perform(act, payment, stage))) return;
    }
  };
  const approach = (payment: MockPayment) => {
    const key = paymentKey(payment);
    if (isClosed || approached.has(key) || payment.status !== 'pending' || acts.length === 0) return;
    const waits = waiting.get(key) ?? { end: watch.begin() };
    waiting.set(key, waits);
    clearTimeout(waits.timer);
    const begin = () => {
      approached.add(key);
      void play(payment).finally(waits.end);
    };
    const { referenceId, merchantId } = payment;
    const given = { operation: 'initiatePayment', resultStatus: 'APPROVED', answer: 'sent' } as const;
    const isGiven = mock.journal.find({ ...given, referenceId, merchantId }) !== undefined;
    // So early that the notification can come before the answer.
    if (isEarly) begin();
    else waits.timer = setTimeout(begin, isGiven ? pauseMs : linkAfterMs);
  };

  const unsubscribe = mock.subscribe((change) => {
    const isRequest = change.kind === 'request' && change.entry.operation === 'initiatePayment';
    if (change.kind === 'payment') requestsFor(change, mock.payments.all()).forEach(approach);
    else if (isRequest) requestsFor(change.entry, mock.payments.all()).forEach(approach);
  });
  return () => {
    unsubscribe();
    for (const { timer } of waiting.values()) clearTimeout(timer);
  };
}

/** Performs an act. Returns false where the test has ended the payment itself. */
async function perform(act: Act, payment: MockPayment, stage: Stage): Promise<boolean> {
  const { mock, looks, shopper, signal } = stage;
  const { referenceId, merchantId, request } = payment;
  const isOpen = () => mock.payments.get(referenceId, merchantId)?.status === 'pending';
  const look = (moment: Look['moment']) => looks.look(moment, referenceId);
  switch (act) {
    case 'untouched':
      await look('untouched');
      return true;
    case 'precede': {
      if (!isOpen()) return false;
      await mock.webhooks.precede?.(payment);
      // A merchant may act on a notification after its answer.
      if (isAnyAccepted(payment, mock))
        await pause(stage.workMs, undefined, { signal }).catch(() => undefined);
      if (isOpen()) await look('announced');
      return true;
    }
    case 'open-success':
      await open(request.successRedirectUrl, stage);
      await open(request.successRedirectUrl, stage, { ...successParameters, referenceId });
      if (isOpen()) await look('redirected');
      return true;
    case 'open-failure':
      await open(request.unSuccessRedirectUrl, stage);
      return true;
    case 'wait':
      await pause(stage.attemptMs, undefined, { signal }).catch(() => undefined);
      return true;
    case 'all-placed':
      await stage.allPlaced;
      return true;
    case 'click-again':
      await shopper?.placeAgain(payment, signal);
      return true;
    default:
      return settle(payment, act, mock);
  }
}

function isAnyAccepted(payment: MockPayment, mock: MockService): boolean {
  return requestsFor(payment, mock.webhooks.all()).some(({ status }) => status === 'delivered');
}

function settle({ referenceId, merchantId }: MockPayment, end: Settlement, mock: MockService): boolean {
  try {
    mock.settle(referenceId, end, merchantId);
    return true;
  } catch {
    return false;
  }
}

/** Opens an address of the merchant as a browser would. Those of others are left alone. */
async function open(
  address: string,
  { origins }: Stage,
  parameters: Record<string, string> = {},
): Promise<void> {
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
