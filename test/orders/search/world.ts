import type { CallResult, Command, Restore, RuleSettings } from '../../../src/orders/commands.js';
import type { Order } from '../../../src/orders/order.js';

/** The scope of one search. Options that are left out cannot happen in it. */
export interface Model {
  readonly name: string;
  /** The number of its states: a change of this number must be explained. */
  readonly states: number;
  readonly processes: number;
  /** The number of payments that can begin. */
  readonly payments: number;
  readonly settings?: Partial<RuleSettings>;
  /** The customer's time; undefined for a payment without one. */
  readonly lifetimeMs?: number;
  /** The service makes another payment if a request is repeated. */
  readonly actsAgain?: boolean;
  /** A request can arrive up to two minutes after it was sent. */
  readonly delays?: boolean;
  /** A decision can be written long after its order was read. */
  readonly staleReads?: boolean;
  /** The response of the database to a write can be lost: the command is then decided again, after other steps. */
  readonly lostResponses?: boolean;
  /** Staff stop, look up, conclude and refund payments. */
  readonly staff?: boolean;
  readonly cancels?: boolean;
  /** Webhooks of another amount, with these statuses. */
  readonly strangeEvents?: readonly ('paid' | 'declined')[];
  /** A webhook can have an unknown status. */
  readonly unknownStatus?: boolean;
  /** The number of amounts between which the order can change at any time. */
  readonly amounts?: number;
  /** The shop also adds payments without sending them. */
  readonly adds?: boolean;
  /** A declined payment can be paid later. */
  readonly latePayments?: boolean;
  /** Each click has the same content: after a refusal the next payment waits. */
  readonly sameContent?: boolean;
  /** A process can have no client for the order's account. */
  readonly losesClient?: boolean;
  /** Which `onPaid` each process has, if they differ. */
  readonly onPaids?: readonly RuleSettings['onPaid'][];
  /** The hour passes after which an uncalled `onPaid` is for review. */
  readonly waitsAnHour?: boolean;
  /** A call can end with `fix`. */
  readonly fixes?: boolean;
  /** An order that is paid, with so many invoices. */
  readonly invoices?: number;
  /** The database is set back to an earlier copy, and `restored` is called. */
  readonly restores?: boolean;
}

/**
 * A payment at the service. The rules treat declined and expired alike. If the database can be restored, the service
 * also remembers refused payments.
 */
export interface ServicePayment {
  readonly referenceId: string;
  readonly createdAt: number;
  readonly value: number;
  readonly state: 'open' | 'paid' | 'declined' | 'refused';
}

/** The current task of a process. A process that crashes has none. */
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
  /** The process has written, and the response was lost. */
  | {
      readonly type: 'unsure';
      readonly command: Extract<Command, { type: 'start' | 'claimDue' | 'event' }>;
      readonly commandId: string;
      /** The result of the first decision of a webhook. */
      readonly expected: string;
    };

/** The result of a look at the service by staff. */
export interface Sight {
  readonly referenceId: string;
  readonly conclusion: 'absent' | 'exists' | 'paid' | 'over';
}

export interface World {
  readonly now: number;
  readonly order: Order | undefined;
  /** The time of the last write: a decision was made between then and now. */
  readonly wroteAt: number;
  readonly hands: readonly Hand[];
  /** The payments at the service. A webhook for an ended payment can arrive at any time, and again. */
  readonly service: readonly ServicePayment[];
  /** The requests that can still arrive. */
  readonly underWay: readonly {
    readonly referenceId: string;
    readonly value: number;
    readonly sentAt: number;
  }[];
  /** The references of requests that can have arrived. */
  readonly sent: readonly string[];
  /** The amount of the last request of the shop, as its caller sees it. */
  readonly asked: number | undefined;
  /** Payments whose money was reported. */
  readonly reported: readonly string[];
  /** The payments for which a webhook reported another amount as paid, until staff have concluded. */
  readonly disputed: readonly string[];
  /** Money of the right amount was reported, or staff accepted it: the order is to be shipped. */
  readonly isToShip: boolean;
  /** The number of committed decisions with `firstPaid`. */
  readonly shipped: number;
  readonly sight: Sight | undefined;
  /** The number of times that the service has stored each invoice. */
  readonly stored: readonly number[];
  readonly uploadsUnderWay: readonly { readonly number: number; readonly sentAt: number }[];
  /** The copy of the database, before it is restored. */
  readonly copy: Copy | undefined;
  /** The restores of the database. */
  readonly restores: readonly Restore[];
}

/** The parts that are lost when the database is restored. */
export type Copy = Pick<World, 'order' | 'asked' | 'reported' | 'disputed' | 'isToShip' | 'shipped'>;

export function copyOf({ order, asked, reported, disputed, isToShip, shipped }: World): Copy {
  return { order, asked, reported, disputed, isToShip, shipped };
}

export const orderId = 'o';
export const proxyMs = 120_000;

/** The settings of a model. All times are multiples of a minute, so that there are few different times. */
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
