import type { MockInvoice } from './invoices.js';
import type { MockPayment } from './payment-record.js';

/** A record whose fields can be changed. */
export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Read-only records of the mock. */
export interface MockStore<T> {
  /** Returns all records that are kept, oldest first. */
  all(): T[];
  /** Returns the record with a key. */
  get(key: string): T | undefined;
}

/** The invoices of the mock. */
export interface MockInvoices extends MockStore<MockInvoice> {
  /**
   * Removes an invoice, as the service's portal or support would. Its payment can then accept another invoice.
   *
   * @returns the invoice
   * @throws MockUsageError for an unknown ID.
   */
  remove(invoiceId: string): MockInvoice;
}

/** The payments of the mock. */
export interface MockPayments extends MockStore<MockPayment> {
  /**
   * Returns the payment with a reference.
   *
   * @param merchantId - Needed only if two merchants use the same reference. Default: the first merchant that has it.
   */
  get(referenceId: string, merchantId?: string): MockPayment | undefined;
}
