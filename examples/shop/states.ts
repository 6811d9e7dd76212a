/**
 * The state machines of the shop. The database moves a row with one UPDATE that checks the state it leaves, so events
 * may be repeated, arrive together and arrive in any order.
 *
 * An order is paid once one of its attempts is paid. Each attempt to pay has a reference of its own.
 */
import * as z from 'zod';

export const attemptStates = z.enum([
  'starting',
  'waiting',
  'overdue',
  'unknown',
  'failed',
  'declined',
  'expired',
  'paid',
]);
export type AttemptState = z.infer<typeof attemptStates>;

export const invoiceStates = z.enum(['ready', 'sending', 'stored', 'refused', 'unknown']);
export type InvoiceState = z.infer<typeof invoiceStates>;

type Moves<State extends string> = Readonly<Record<State, readonly State[]>>;

/** Nobody has said how these ended. Staff see them until a notification or a person does. */
export const unconfirmed: readonly AttemptState[] = ['starting', 'waiting', 'overdue', 'unknown'];

/** The states that an attempt may leave for each state. */
export const attemptMoves: Moves<AttemptState> = {
  /** Its row is written before the request is sent: the service may know of it. */
  starting: [],
  /** The service accepted it, and the customer may pay. */
  waiting: ['starting', 'unknown'],
  /** The service accepted it, and reported nothing in its time. */
  overdue: ['waiting'],
  /** The service never accepted it clearly, and may have it. No other attempt may begin until a person has looked it up. */
  unknown: ['starting'],
  /** The service never got it, or refused it, and as the package reads its response, nothing was created. */
  failed: ['starting'],
  declined: unconfirmed,
  expired: unconfirmed,
  /** Money counts whenever it is reported: the link of an attempt that is over may have been paid in time. */
  paid: [...unconfirmed, 'failed', 'declined', 'expired'],
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

/** The state of an order on a page: paid, or the state of its last attempt. */
export type OrderState = AttemptState | 'unpaid';

interface Payable {
  readonly paidBy: string | null;
  readonly attempts: readonly { readonly state: AttemptState }[];
}

export function orderState({ paidBy, attempts }: Payable): OrderState {
  return paidBy !== null ? 'paid' : (attempts.at(-1)?.state ?? 'unpaid');
}
