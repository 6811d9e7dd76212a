import type { NextStep } from '../errors/call-metadata.js';
import type { CallError, Claim, Invoice, NewPayment, Order, Payment } from './order.js';

/** The conclusions of your staff about a payment. */
export const conclusions = ['absent', 'exists', 'paid', 'over', 'accept'] as const;
export type PaymentConclusion = (typeof conclusions)[number];

/** The conclusions of your staff about an invoice. */
export const invoiceConclusions = ['stored', 'absent'] as const;
export type InvoiceConclusion = (typeof invoiceConclusions)[number];

/**
 * The fields of each command. `next` is the payment for the request of the caller. If `account` is present, it must be
 * the account of the order. `hasClient: false` means that the account has no client now. `canCallOnPaid: true` means
 * that the command can claim the call of `onPaid`, because it does not run in a transaction of the caller. `by` is the
 * member of your staff who gave the command, for the history.
 */
interface Commands {
  start: { commandId: string; account?: string | undefined; next?: NewPayment; hasClient?: boolean };
  add: { account?: string | undefined; next: NewPayment };
  claimDue: { commandId: string; hasClient?: boolean };
  callEnded: { commandId: string; referenceId: string; result: CallResult };
  event: { commandId: string; account?: string | undefined; event: PaymentEvent; canCallOnPaid: boolean };
  onPaidCalled: { commandId: string; isDone: boolean };
  lookUp: { referenceId: string; by?: string | undefined };
  conclude: {
    commandId: string;
    referenceId: string;
    conclusion: PaymentConclusion;
    paymentUrl?: string | undefined;
    canCallOnPaid: boolean;
    by?: string | undefined;
  };
  refunded: { referenceId: string; by?: string | undefined };
  cancel: { account?: string | undefined; by?: string | undefined };
  addInvoice: { account?: string | undefined; upload: string; contentHash: string };
  uploadEnded: { commandId: string; number: number; result: CallResult };
  concludeInvoice: { number: number; conclusion: InvoiceConclusion; by?: string | undefined };
}

/**
 * A command that changes an order. It comes from a method, a webhook or a sweep, or reports the result of a call. A
 * `commandId` is unique to its command, and stays the same if the command is decided again. Exception: `callEnded`,
 * `uploadEnded` and `onPaidCalled` have the `commandId` of the command that claimed the task. A command without a
 * `commandId` can be decided twice without harm: the second decision finds that the change is already made.
 */
export type Command<Type extends keyof Commands = keyof Commands> = {
  readonly [Each in Type]: { readonly type: Each } & Readonly<Commands[Each]>;
}[Type];

/** The result of a call to the service, or of loading the file of an upload. */
export type CallResult =
  | {
      readonly step: 'accepted';
      readonly paymentUrl?: string;
      readonly qrData?: string | undefined;
      readonly invoiceId?: string | undefined;
    }
  /**
   * Nothing was sent: the claim had ended, the total time limit of the client had passed before the first attempt, or
   * the account has no client. Such a call does not count for `mostSends`.
   */
  | { readonly step: 'not_made' }
  | { readonly step: NextStep; readonly error: CallError; readonly retryAfterMs?: number | undefined };

/** The event in a webhook, whose status value is mapped to a status of this package. */
export interface PaymentEvent {
  readonly referenceId: string;
  readonly status: 'paid' | 'declined' | 'expired' | 'pending' | 'unknown';
  /** The status value of the webhook, if `status` is `'unknown'`. */
  readonly unknownStatus?: string;
  readonly value: number;
  readonly currency: string;
  readonly merchantId?: string | undefined;
}

/** The options of the order module, and the settings of the client, that the rules use. */
export interface RuleSettings {
  readonly claimMs: number;
  /** The time from the start of a claim until no request that was sent under this claim can arrive any more. */
  readonly safeAfterMs: number;
  readonly repeatAfterMs: number;
  readonly mostSends: number;
  readonly mostPayments: number;
  readonly repeatUnknown: boolean;
  readonly reviewOverdue: boolean;
  readonly eraseAfterMs?: number;
  /** `'here'`: this process has the function `onPaid`. The other values are the same as in the option `onPaid`. */
  readonly onPaid: 'here' | 'elsewhere' | 'firstPaid';
  /** The restores of the database, the earliest first. */
  readonly restores: readonly Restore[];
}

/** A restore of the database. */
export interface Restore {
  /** The time of the call of `restored`. */
  readonly at: number;
  /**
   * The time that was passed to `restored`. A payment that was added at or before this time, or an invoice whose state
   * began at or before this time, can have been sent, even if the restored database shows it as unsent.
   */
  readonly sinceAt: number;
}

/** A task for the process that gave a command. The token of the task's claim is the `commandId` of this command. */
export type Effect =
  | { readonly type: 'send'; readonly payment: Payment; readonly claim: Claim }
  | { readonly type: 'upload'; readonly invoice: Invoice; readonly claim: Claim }
  | { readonly type: 'callOnPaid'; readonly claim: Claim };

export interface Decision {
  /** The next order; the same object if nothing changes. */
  readonly order: Order | undefined;
  readonly effect?: Effect | undefined;
  /** `changed`, `firstPaid`, `mismatch` and `otherAmount` are the same as in `EventResult`. */
  readonly changed?: boolean;
  readonly firstPaid?: boolean;
  readonly mismatch?: readonly ('amount' | 'currency' | 'merchantId')[];
  readonly otherAmount?: boolean;
  /** True if the conclusion, the refund or the cancellation is stored. */
  readonly concluded?: boolean;
  /** The time from which a conclusion is safe, because no request of the payment or invoice can arrive any more. */
  readonly safeAt?: number;
  readonly problem?: 'no_order' | 'other_account' | 'no_reference' | 'no_invoice' | 'too_many_invoices';
}

/** A decision about an order that exists. */
export type Decided = Decision & { readonly order: Order };
