import type { MockInvoice } from './invoices.js';
import type { MockPayment } from './payment-record.js';

/** A record that can still change. */
export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Read-only records of the mock. */
export interface MockStore<T> {
  /** All that are kept, oldest first. */
  all(): T[];
  /** The one with a key. */
  get(key: string): T | undefined;
}

/** The invoices of the mock. */
export interface MockInvoices extends MockStore<MockInvoice> {
  /**
   * Removes an invoice, as the service's portal or support would: its payment takes another one then.
   *
   * @returns the invoice
   * @throws MockUsageError for an unknown ID.
   */
  remove(invoiceId: string): MockInvoice;
}

/** The payments of the mock. */
export interface MockPayments extends MockStore<MockPayment> {
  /**
   * The payment with a reference.
   *
   * @param merchantId - Needed only where two merchants have the same reference. Default: the first merchant that has it.
   */
  get(referenceId: string, merchantId?: string): MockPayment | undefined;
}
