import type { NextStep } from '../errors/call-metadata.js';
import type { CallError, Claim, Invoice, NewPayment, Order, Payment } from './order.js';

/** The conclusions of your staff about a payment, after they have checked it at the provider. */
export const conclusions = ['absent', 'exists', 'paid', 'over', 'accept'] as const;
export type PaymentConclusion = (typeof conclusions)[number];

/** The conclusions of your staff about an invoice. */
export const invoiceConclusions = ['stored', 'absent'] as const;
export type InvoiceConclusion = (typeof invoiceConclusions)[number];

/**
 * The fields of each command. `account`, if present, must be the account of the order. `hasClient: false` means that
 * the account has no client now. `by` names who gave the command, for the history.
 */
interface Commands {
  start: { commandId: string; account?: string | undefined; next?: NewPayment; hasClient?: boolean };
  add: { account?: string | undefined; next: NewPayment };
  doNextDue: { commandId: string; hasClient?: boolean };
  callEnded: { commandId: string; referenceId: string; result: CallResult };
  event: { commandId: string; account?: string | undefined; event: PaymentEvent; mayCallOnPaid: boolean };
  onPaidCalled: { commandId: string; isDone: boolean };
  lookUp: { referenceId: string; by?: string | undefined };
  conclude: {
    commandId: string;
    referenceId: string;
    conclusion: PaymentConclusion;
    paymentUrl?: string | undefined;
    mayCallOnPaid: boolean;
    by?: string | undefined;
  };
  refunded: { referenceId: string; by?: string | undefined };
  cancel: { account?: string | undefined; by?: string | undefined };
  addInvoice: { account?: string | undefined; upload: string; contentHash: string };
  uploadEnded: { commandId: string; number: number; result: CallResult };
  concludeInvoice: { number: number; conclusion: InvoiceConclusion; by?: string | undefined };
}

/**
 * A command to an order: from a caller, from a webhook, or with the result of a call. A `commandId` is new for each
 * command, and stays the same if the command is decided again. A command with the result of a call has the `commandId`
 * of the command that took the claim.
 */
export type Command<Type extends keyof Commands = keyof Commands> = {
  readonly [Each in Type]: { readonly type: Each } & Readonly<Commands[Each]>;
}[Type];

/** The result of a call. */
export type CallResult =
  | {
      readonly step: 'accepted';
      readonly paymentUrl?: string;
      readonly qrData?: string | undefined;
      readonly invoiceId?: string | undefined;
    }
  /** Nothing was sent, and no send is counted: the claim had ended, or the account has no client now. */
  | { readonly step: 'not_made' }
  | { readonly step: NextStep; readonly error: CallError; readonly retryAfterMs?: number | undefined };

/** A webhook, with its status as this package names it. */
export interface PaymentEvent {
  readonly referenceId: string;
  readonly status: 'paid' | 'declined' | 'expired' | 'pending' | 'unknown';
  /** The status value of the webhook, if `status` is `'unknown'`. */
  readonly unknownStatus?: string;
  readonly value: number;
  readonly currency: string;
  readonly merchantId?: string | undefined;
}

/** The options, and settings of the client, that the rules use. */
export interface RuleSettings {
  readonly claimMs: number;
  /** The time after the start of a claim, from which none of its requests can still arrive. */
  readonly safeAfterMs: number;
  readonly repeatAfterMs: number;
  readonly mostSends: number;
  readonly mostPayments: number;
  readonly repeatUnknown: boolean;
  readonly reviewOverdue: boolean;
  readonly eraseAfterMs?: number;
  /** Whether `onPaid` is called by this process or another one, or whether the shop ships by `firstPaid`. */
  readonly onPaid: 'here' | 'elsewhere' | 'firstPaid';
  /** The restores of the database, the earliest first. */
  readonly restores: readonly Restore[];
}

/** A restore of the database. */
export interface Restore {
  /** When `restored` was called. */
  readonly at: number;
  /** A payment that was added until then can have been sent, although the restored database does not say so. */
  readonly sinceAt: number;
}

/** A task for the process that gave the command. The token of its claim is the ID of that command. */
export type Effect =
  | { readonly type: 'send'; readonly payment: Payment; readonly claim: Claim }
  | { readonly type: 'upload'; readonly invoice: Invoice; readonly claim: Claim }
  | { readonly type: 'callOnPaid'; readonly claim: Claim };

export interface Decision {
  /** The next order; the same object if nothing changes. */
  readonly order: Order | undefined;
  readonly effect?: Effect | undefined;
  readonly changed?: boolean;
  readonly firstPaid?: boolean;
  readonly mismatch?: readonly ('amount' | 'currency' | 'merchantId')[];
  /** The payment is paid, but the order asks for a different amount. */
  readonly otherAmount?: boolean;
  /** The conclusion or the cancellation was stored. */
  readonly concluded?: boolean;
  /** The time from which a conclusion is safe, because no request can still arrive. */
  readonly safeAt?: number;
  readonly problem?: 'no_order' | 'other_account' | 'no_reference' | 'no_invoice' | 'too_many_invoices';
}

/** A decision about an order that exists. */
export type Decided = Decision & { readonly order: Order };
