import type { Order } from '../../../src/orders/order.js';
import type { Policy, SendResult } from '../../../src/orders/commands.js';

/** What one search has in it. Everything that is left out cannot happen there. */
export interface Model {
  readonly name: string;
  readonly processes: number;
  /** How many payments of the order may begin. */
  readonly payments: number;
  readonly policy?: Partial<Policy>;
  /** The customer's time; undefined for a payment without one. */
  readonly lifetimeMs?: number;
  /** The service makes another payment of a request that it knows. */
  readonly actsAgain?: boolean;
  /** A request may arrive up to two minutes after it was sent. */
  readonly delays?: boolean;
  /** A decision may be written long after its order was read. */
  readonly staleReads?: boolean;
  /** The answer of the database to a write may be lost: the command is decided once more, whatever happened in between. */
  readonly lostAnswers?: boolean;
  readonly staff?: boolean;
  readonly cancels?: boolean;
  readonly strangeEvents?: boolean;
  readonly tells?: boolean;
  /** An order that is paid, with so many invoices. */
  readonly invoices?: number;
  /** The database is set back to an earlier copy, and `restored` is called. */
  readonly restores?: boolean;
}

/** A payment at the service. */
export interface ServicePayment {
  readonly referenceId: string;
  readonly createdAt: number;
  readonly state: 'open' | 'paid' | 'declined' | 'expired';
}

/** What a process has in its hands. A process that crashes has nothing. */
export type Hand =
  | { readonly type: 'idle' }
  | {
      readonly type: 'claimed';
      readonly referenceId: string;
      readonly token: string;
      readonly endsAt: number;
      readonly mayExist: boolean;
    }
  | {
      readonly type: 'ended';
      readonly referenceId: string;
      readonly token: string;
      readonly result: SendResult;
    }
  | { readonly type: 'uploading'; readonly number: number; readonly token: string; readonly endsAt: number }
  | {
      readonly type: 'uploaded';
      readonly number: number;
      readonly token: string;
      readonly result: SendResult;
    }
  | { readonly type: 'telling'; readonly token: string }
  | { readonly type: 'told'; readonly token: string; readonly isTold: boolean }
  /** It has written, and does not know whether. */
  | { readonly type: 'unsure'; readonly command: 'start' | 'move'; readonly token: string };

/** A person who looks a payment up: when it is safe, and what was seen there. */
export interface Staff {
  readonly referenceId: string;
  readonly safeAt: number;
  readonly saw?: 'absent' | 'exists' | 'paid' | 'over';
}

export interface World {
  readonly now: number;
  readonly order: Order | undefined;
  /** When the order was written last: a decision was made between then and now. */
  readonly wroteAt: number;
  readonly hands: readonly Hand[];
  readonly service: readonly ServicePayment[];
  /** Requests that may still arrive. */
  readonly underWay: readonly { readonly referenceId: string; readonly sentAt: number }[];
  /** Notifications that the service has made: each may be delivered at any time, and again. */
  readonly made: readonly `${string}=${'paid' | 'declined' | 'expired'}`[];
  /** Notifications of money that were received. */
  readonly reported: readonly string[];
  /** How often a committed answer said `firstPaid`. */
  readonly shipped: number;
  readonly staff: Staff | undefined;
  /** How often the service has stored each invoice. */
  readonly stored: readonly number[];
  readonly uploadsUnderWay: readonly { readonly number: number; readonly sentAt: number }[];
  /** The copy of the database, before it is restored. */
  readonly copy: { readonly order: Order | undefined } | undefined;
  readonly isRestored: boolean;
}

export const proxyMs = 120_000;

export function isOpen(
  { state, createdAt }: ServicePayment,
  { now }: World,
  { lifetimeMs = Infinity }: Model,
) {
  return state === 'open' && now < createdAt + lifetimeMs;
}
