import type { NextStep } from '../errors/call-metadata.js';
import type { Claim, Invoice, NewPayment, Order, Payment, Problem } from './order.js';

/** An event, or the wish of a caller. `token` is new for each. */
export type Command =
  | { readonly type: 'start'; readonly token: string; readonly account?: string; readonly next?: NewPayment }
  | { readonly type: 'add'; readonly account?: string; readonly next: NewPayment }
  | { readonly type: 'move'; readonly token: string }
  | {
      readonly type: 'sent';
      readonly token: string;
      readonly referenceId: string;
      readonly result: SendResult;
    }
  | {
      readonly type: 'event';
      readonly token: string;
      readonly event: PaymentEvent;
      readonly mayTell: boolean;
    }
  | { readonly type: 'told'; readonly token: string; readonly isTold: boolean }
  | { readonly type: 'lookUp'; readonly referenceId: string }
  | {
      readonly type: 'conclude';
      readonly token: string;
      readonly referenceId: string;
      readonly word: 'absent' | 'exists' | 'paid' | 'over';
      readonly paymentUrl?: string;
      readonly mayTell: boolean;
    }
  | { readonly type: 'refunded'; readonly referenceId: string }
  | { readonly type: 'cancel' }
  | { readonly type: 'restored'; readonly sinceAt: number }
  | { readonly type: 'addInvoice'; readonly upload: string; readonly content: string }
  | {
      readonly type: 'uploaded';
      readonly token: string;
      readonly number: number;
      readonly result: SendResult;
    }
  | { readonly type: 'concludeInvoice'; readonly number: number; readonly word: 'stored' | 'absent' };

/** How a call ended. */
export type SendResult =
  | { readonly step: 'accepted'; readonly paymentUrl?: string; readonly qrData?: string }
  /** Its time was over before the first attempt. */
  | { readonly step: 'too_late' }
  | { readonly step: NextStep; readonly error: Problem; readonly retryAfterMs?: number };

/** A notification in the words of this package. */
export interface PaymentEvent {
  readonly referenceId: string;
  readonly word: 'paid' | 'declined' | 'expired';
  readonly value: number;
  readonly currency: string;
  readonly merchantId?: string;
}

/** Options, and facts of the client. */
export interface Policy {
  readonly claimMs: number;
  /** How long after the beginning of a claim nothing of it is under way any more. */
  readonly safeAfterMs: number;
  readonly repeatAfterMs: number;
  readonly mostSends: number;
  readonly repeatUnknown: boolean;
  readonly reviewOverdue: boolean;
  readonly eraseAfterMs?: number;
  /** There is an `onPaid`. */
  readonly tells: boolean;
  /** The client of the order's account is not to be had: nothing can be sent for now. */
  readonly hasNoClient?: boolean;
}

/** A task for the process that decided, under a claim with its token. */
export type Effect =
  | { readonly type: 'send'; readonly payment: Payment; readonly claim: Claim }
  | { readonly type: 'upload'; readonly invoice: Invoice; readonly claim: Claim }
  | { readonly type: 'tell'; readonly claim: Claim };

export interface Decision {
  /** The same object where nothing changes. */
  readonly order: Order | undefined;
  readonly effect?: Effect | undefined;
  readonly changed?: boolean;
  readonly firstPaid?: boolean;
  readonly mismatch?: readonly ('amount' | 'currency' | 'merchantId')[];
  readonly done?: boolean;
  /** From when a conclusion is safe. */
  readonly safeAt?: number;
  readonly problem?: 'no_order' | 'other_account' | 'no_reference' | 'no_invoice' | 'too_many_invoices';
}
