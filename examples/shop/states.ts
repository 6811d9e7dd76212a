/**
 * The state machines of the shop. The database moves a row with one UPDATE that checks the state it leaves, so events
 * may be repeated, arrive together and arrive in any order.
 *
 * An order is paid once one of its attempts is paid. Each attempt to pay has a reference of its own.
 */
import * as z from 'zod';

export const attemptStates = z.enum(['starting', 'waiting', 'failed', 'declined', 'expired', 'paid']);
export type AttemptState = z.infer<typeof attemptStates>;

export const invoiceStates = z.enum(['ready', 'sending', 'stored', 'refused', 'unknown']);
export type InvoiceState = z.infer<typeof invoiceStates>;

type Moves<State extends string> = Readonly<Record<State, readonly State[]>>;

/** The states that an attempt may leave for each state. */
export const attemptMoves: Moves<AttemptState> = {
  /** Its row is written before the request is sent: the service may know of it. */
  starting: [],
  /** The service accepted it, and the customer may pay. */
  waiting: ['starting'],
  /** The service never got it, or refused it: by the documented meaning of its answer nothing was created. */
  failed: ['starting'],
  declined: ['starting', 'waiting'],
  expired: ['starting', 'waiting'],
  /** Money counts whenever it is reported: the link of an attempt that is over may have been paid in time. */
  paid: ['starting', 'waiting', 'failed', 'declined', 'expired'],
};

/** The states that an invoice may leave for each state. */
export const invoiceMoves: Moves<InvoiceState> = {
  /** To be uploaded: written together with the payment, or again once it is certain that the service has no copy. */
  ready: ['sending', 'refused', 'unknown'],
  sending: ['ready'],
  stored: ['sending', 'unknown'],
  refused: ['sending'],
  /** The service may have it. An upload has no idempotency key, so a person looks it up and decides. */
  unknown: ['sending'],
};

/** What a page says of an order: that it is paid, or how its last attempt is doing. */
export type OrderState = AttemptState | 'unpaid';

interface Payable {
  readonly paidBy: string | null;
  readonly attempts: readonly { readonly state: AttemptState; readonly expiresAt: number | null }[];
}

export function orderState({ paidBy, attempts }: Payable, now: Date): OrderState {
  if (paidBy !== null) return 'paid';
  const last = attempts.at(-1);
  if (!last) return 'unpaid';
  // The service may not report that the time is over, so the shop looks at its own clock.
  const isOver = last.expiresAt !== null && last.expiresAt <= now.getTime();
  return last.state === 'waiting' && isOver ? 'expired' : last.state;
}
