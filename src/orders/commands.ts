import type { NextStep } from '../errors/call-metadata.js';
import type { Claim, Invoice, NewPayment, Order, Payment, CallError } from './order.js';

interface Commands {
  start: { commandId: string; account?: string; next?: NewPayment };
  add: { account?: string; next: NewPayment };
  doNextDue: { commandId: string };
  callEnded: { commandId: string; referenceId: string; result: CallResult };
  event: { commandId: string; event: PaymentEvent; mayCallOnPaid: boolean };
  onPaidCalled: { commandId: string; isDone: boolean };
  lookUp: { referenceId: string };
  conclude: {
    commandId: string;
    referenceId: string;
    conclusion: 'absent' | 'exists' | 'paid' | 'over';
    paymentUrl?: string;
    mayCallOnPaid: boolean;
  };
  refunded: { referenceId: string };
  cancel: object;
  restored: { sinceAt: number };
  addInvoice: { upload: string; content: string };
  uploadEnded: { commandId: string; number: number; result: CallResult };
  concludeInvoice: { number: number; conclusion: 'stored' | 'absent' };
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
  | { readonly step: 'accepted'; readonly paymentUrl?: string; readonly qrData?: string }
  /** Nothing was sent, and no try of this payment counts: its time was over, or the account has no client for now. */
  | { readonly step: 'not_made' }
  | { readonly step: NextStep; readonly error: CallError; readonly retryAfterMs?: number };

/** A webhook, with its status in the words of this package. */
export interface PaymentEvent {
  readonly referenceId: string;
  readonly status: 'paid' | 'declined' | 'expired' | 'other';
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
  readonly repeatUnknown: boolean;
  readonly reviewOverdue: boolean;
  readonly eraseAfterMs?: number;
  /** There is an `onPaid`. */
  readonly hasOnPaid: boolean;
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
  /** What a person concluded, or the cancellation, was stored. */
  readonly concluded?: boolean;
  /** From when a conclusion is safe, because no request is under way any more. */
  readonly safeAt?: number;
  readonly problem?: 'no_order' | 'other_account' | 'no_reference' | 'no_invoice' | 'too_many_invoices';
}
