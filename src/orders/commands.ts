import type { NextStep } from '../errors/call-metadata.js';
import type { CallError, Claim, Invoice, NewPayment, Order, Payment } from './order.js';

/** What your staff conclude about a payment after they have looked it up at the provider. */
export const conclusions = ['absent', 'exists', 'paid', 'over', 'accept'] as const;
export type PaymentConclusion = (typeof conclusions)[number];

/** What your staff conclude about an invoice. */
export const invoiceConclusions = ['stored', 'absent'] as const;
export type InvoiceConclusion = (typeof invoiceConclusions)[number];

/**
 * `account` is compared with the account of the order, if it is given. `hasClient: false` says that the account has no client for
 * now. `by` is who gave the command, for the history.
 */
interface Commands {
  start: { commandId: string; account?: string; next?: NewPayment; hasClient?: boolean };
  add: { account?: string; next: NewPayment };
  doNextDue: { commandId: string; hasClient?: boolean };
  callEnded: { commandId: string; referenceId: string; result: CallResult };
  event: { commandId: string; account?: string; event: PaymentEvent; mayCallOnPaid: boolean };
  onPaidCalled: { commandId: string; isDone: boolean };
  lookUp: { referenceId: string; by?: string };
  conclude: {
    commandId: string;
    referenceId: string;
    conclusion: PaymentConclusion;
    paymentUrl?: string;
    mayCallOnPaid: boolean;
    by?: string;
  };
  refunded: { referenceId: string; by?: string };
  cancel: { account?: string; by?: string };
  addInvoice: { account?: string; upload: string; contentHash: string };
  uploadEnded: { commandId: string; number: number; result: CallResult };
  concludeInvoice: { number: number; conclusion: InvoiceConclusion; by?: string };
}

/**
 * What a caller, a webhook or the end of a call asks of an order. `commandId` is new for each command, and the same where that
 * command is decided again.
 */
export type Command<Type extends keyof Commands = keyof Commands> = {
  readonly [Each in Type]: { readonly type: Each } & Readonly<Commands[Each]>;
}[Type];

/** How a call ended. */
export type CallResult =
  | {
      readonly step: 'accepted';
      readonly paymentUrl?: string;
      readonly qrData?: string;
      readonly invoiceId?: string;
    }
  /** Nothing was sent, and no try of this payment counts: its time was over, or the account has no client for now. */
  | { readonly step: 'not_made' }
  | { readonly step: NextStep; readonly error: CallError; readonly retryAfterMs?: number };

/** A webhook, with its status as this package names it. */
export interface PaymentEvent {
  readonly referenceId: string;
  readonly status: 'paid' | 'declined' | 'expired' | 'pending' | 'unknown';
  /** With `'unknown'`: the status that the webhook has. */
  readonly unknownStatus?: string;
  readonly value: number;
  readonly currency: string;
  readonly merchantId?: string | undefined;
}

/** What the rules know of the options and of the client. */
export interface RuleSettings {
  readonly claimMs: number;
  /** How long after the beginning of a claim nothing of it is under way any more. */
  readonly safeAfterMs: number;
  readonly repeatAfterMs: number;
  readonly mostSends: number;
  readonly mostPayments: number;
  readonly repeatUnknown: boolean;
  readonly reviewOverdue: boolean;
  readonly eraseAfterMs?: number;
  /** Who calls `onPaid`: this process, another one, or nobody because the shop ships by `firstPaid`. */
  readonly onPaid: 'here' | 'elsewhere' | 'firstPaid';
  /** The restores of the database, the earliest first. */
  readonly restores: readonly Restore[];
}

/** A restore of the database. */
export interface Restore {
  /** When `restored` was called. */
  readonly at: number;
  /** Payments that were added up to then may have been sent by a process that the database has forgotten. */
  readonly sinceAt: number;
}

/** A task for the process that decided, under a claim with the ID of its command. */
export type Effect =
  | { readonly type: 'send'; readonly payment: Payment; readonly claim: Claim }
  | { readonly type: 'upload'; readonly invoice: Invoice; readonly claim: Claim }
  | { readonly type: 'callOnPaid'; readonly claim: Claim };

export interface Decision {
  /** The same object where nothing changes. */
  readonly order: Order | undefined;
  readonly effect?: Effect | undefined;
  readonly changed?: boolean;
  readonly firstPaid?: boolean;
  readonly mismatch?: readonly ('amount' | 'currency' | 'merchantId')[];
  /** The payment is paid, and the order asks another amount. */
  readonly otherAmount?: boolean;
  /** What your staff concluded, or the cancellation, was stored. */
  readonly concluded?: boolean;
  /** From when a conclusion is safe, because no request is under way any more. */
  readonly safeAt?: number;
  readonly problem?: 'no_order' | 'other_account' | 'no_reference' | 'no_invoice' | 'too_many_invoices';
}
