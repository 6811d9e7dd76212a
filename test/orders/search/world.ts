import type { CallResult, Command, Restore, RuleSettings } from '../../../src/orders/commands.js';
import type { Order } from '../../../src/orders/order.js';

/** The scope of one search. Everything that is left out cannot happen there. */
export interface Model {
  readonly name: string;
  /** How many states it has: a model that shrinks or grows is looked at. */
  readonly states: number;
  readonly processes: number;
  /** How many payments of the order may begin. */
  readonly payments: number;
  readonly settings?: Partial<RuleSettings>;
  /** The customer's time; undefined for a payment without one. */
  readonly lifetimeMs?: number;
  /** The service makes another payment of a request that it knows. */
  readonly actsAgain?: boolean;
  /** A request may arrive up to two minutes after it was sent. */
  readonly delays?: boolean;
  /** A decision may be written long after its order was read. */
  readonly staleReads?: boolean;
  /** The response of the database to a write may be lost: the command is decided once more, whatever happened in between. */
  readonly lostResponses?: boolean;
  /** People stop, look up, conclude and refund. */
  readonly staff?: boolean;
  readonly cancels?: boolean;
  /** Webhooks of another amount, with these statuses. */
  readonly strangeEvents?: readonly ('paid' | 'declined')[];
  /** A webhook has a status that means nothing to the shop. */
  readonly unknownStatus?: boolean;
  /** The shop asks for one of so many amounts, and changes its mind at any time. */
  readonly amounts?: number;
  /** The shop also adds payments without sending them. */
  readonly adds?: boolean;
  /** A payment that was declined may be paid all the same. */
  readonly latePayments?: boolean;
  /** Each click has the same content: after a refusal the next payment waits. */
  readonly sameContent?: boolean;
  /** A process may have no client for the order's account. */
  readonly losesClient?: boolean;
  /** Which `onPaid` each process has, if they differ. */
  readonly onPaids?: readonly RuleSettings['onPaid'][];
  /** The hour passes after which an uncalled `onPaid` is for review. */
  readonly waitsAnHour?: boolean;
  /** A call may end with `fix`. */
  readonly fixes?: boolean;
  /** An order that is paid, with so many invoices. */
  readonly invoices?: number;
  /** The database is set back to an earlier copy, and `restored` is called. */
  readonly restores?: boolean;
}

/**
 * A payment at the service. Whether it was declined or expired makes no difference to the rules. Where the database may be
 * restored, the service remembers whom it has refused: nothing else could know.
 */
export interface ServicePayment {
  readonly referenceId: string;
  readonly createdAt: number;
  readonly value: number;
  readonly state: 'open' | 'paid' | 'declined' | 'refused';
}

/** The task that a process has in its hands. A process that crashes has none. */
export type Hand =
  | { readonly type: 'idle' }
  | {
      readonly type: 'claimed';
      readonly referenceId: string;
      readonly commandId: string;
      readonly endsAt: number;
      readonly mayExist: boolean;
      readonly value: number;
    }
  | {
      readonly type: 'callEnded';
      readonly referenceId: string;
      readonly commandId: string;
      readonly result: CallResult;
    }
  | {
      readonly type: 'uploading';
      readonly number: number;
      readonly commandId: string;
      readonly endsAt: number;
    }
  | {
      readonly type: 'uploadEnded';
      readonly number: number;
      readonly commandId: string;
      readonly result: CallResult;
    }
  | { readonly type: 'callingOnPaid'; readonly commandId: string }
  | { readonly type: 'onPaidCalled'; readonly commandId: string; readonly isDone: boolean }
  /** It has written, and does not know whether. */
  | {
      readonly type: 'unsure';
      readonly command: Extract<Command, { type: 'start' | 'doNextDue' | 'event' }>;
      readonly commandId: string;
      /** Of a notification: what the first decision said. */
      readonly expected: string;
    };

/** A person has looked at the service. */
export interface Sight {
  readonly referenceId: string;
  readonly conclusion: 'absent' | 'exists' | 'paid' | 'over';
}

export interface World {
  readonly now: number;
  readonly order: Order | undefined;
  /** When the order was written last: a decision was made between then and now. */
  readonly wroteAt: number;
  readonly hands: readonly Hand[];
  /** Each payment that has ended may be notified at any time, and again. */
  readonly service: readonly ServicePayment[];
  /** Requests that may still arrive. */
  readonly underWay: readonly {
    readonly referenceId: string;
    readonly value: number;
    readonly sentAt: number;
  }[];
  /** The references of requests that may have arrived. */
  readonly sent: readonly string[];
  /** The amount of the last request of the shop, as its caller knows it. */
  readonly asked: number | undefined;
  /** Payments whose money was reported. */
  readonly reported: readonly string[];
  /** Payments of which a webhook said that another amount was paid, until a person has concluded. */
  readonly disputed: readonly string[];
  /** Money that fits was reported, or a person accepted it: the order is to be shipped. */
  readonly isToShip: boolean;
  /** How often a committed decision said `firstPaid`. */
  readonly shipped: number;
  readonly sight: Sight | undefined;
  /** How often the service has stored each invoice. */
  readonly stored: readonly number[];
  readonly uploadsUnderWay: readonly { readonly number: number; readonly sentAt: number }[];
  /** The copy of the database, before it is restored. */
  readonly copy: Copy | undefined;
  /** The restores of the database. */
  readonly restores: readonly Restore[];
}

/** What is forgotten when the database is restored. */
export type Copy = Pick<World, 'order' | 'asked' | 'reported' | 'disputed' | 'isToShip' | 'shipped'>;

export function copyOf({ order, asked, reported, disputed, isToShip, shipped }: World): Copy {
  return { order, asked, reported, disputed, isToShip, shipped };
}

export const orderId = 'o';
export const proxyMs = 120_000;

/** Everything is a multiple of a minute, so that boundaries coincide and there are few different times. */
export function settingsOf(model: Model, { restores }: Pick<World, 'restores'>, process = 0): RuleSettings {
  const { settings, amounts = 1, payments, onPaids } = model;
  return {
    claimMs: 60_000,
    safeAfterMs: 60_000 + proxyMs,
    repeatAfterMs: 60_000,
    mostSends: 2,
    repeatUnknown: true,
    // With one amount, clicks that would begin another payment are left out.
    mostPayments: amounts > 1 ? payments : 20,
    reviewOverdue: true,
    onPaid: onPaids?.[process] ?? 'firstPaid',
    restores,
    ...settings,
  };
}

export function isOpen({ state, createdAt }: ServicePayment, now: number, { lifetimeMs = Infinity }: Model) {
  return state === 'open' && now < createdAt + lifetimeMs;
}

export function startOf(model: Model): World {
  const invoices = Array.from({ length: model.invoices ?? 0 }, (_, index) => ({
    number: index + 1,
    upload: 'u',
    contentHash: String(index),
    state: 'new' as const,
    stateAt: 0,
    sends: 0,
    nextAt: 0,
  }));
  const eraseAfterMs = model.settings?.eraseAfterMs;
  const paid: Order = {
    orderId,
    payments: [],
    invoices,
    paidBy: `${orderId}-1`,
    paidAt: 0,
    ...(eraseAfterMs !== undefined && { eraseAfterMs }),
  };
  return {
    now: 0,
    order: model.invoices === undefined ? undefined : paid,
    wroteAt: 0,
    hands: Array.from({ length: model.processes }, () => ({ type: 'idle' as const })),
    service: [],
    underWay: [],
    sent: [],
    asked: undefined,
    reported: [],
    disputed: [],
    isToShip: false,
    shipped: 0,
    sight: undefined,
    stored: invoices.map(() => 0),
    uploadsUnderWay: [],
    copy: undefined,
    restores: [],
  };
}

/** A state that the rules must never reach. */
export class Violation extends Error {}

export function violated(what: string): never {
  throw new Violation(what);
}
