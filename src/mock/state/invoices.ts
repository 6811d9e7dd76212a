import type { JournalFile } from './journal-types.js';

/** An invoice in the mock, without the bytes of its file. */
export interface MockInvoice {
  /** The ID in the response to the upload. */
  readonly invoiceId: string;
  /** The `referenceId` of the payment that the invoice belongs to. */
  readonly referenceId: string;
  /** The merchant that uploaded the invoice. */
  readonly merchantId: string;
  /** The time of the upload, by the mock's clock. */
  readonly uploadedAt: Date;
  /** The ID of the payment transaction; absent for a payment that is not paid. */
  readonly paymentTransId?: string;
  /** The text fields as received. */
  readonly fields: Readonly<Record<string, string>>;
  /** The file; absent for an invoice that has only a `fileUrl`. */
  readonly file?: JournalFile;
  /** The URL that was sent instead of a file. A URL that was sent together with a file is only in `fields`. */
  readonly fileUrl?: string;
}

/** The data of an invoice that its upload contains. */
export type NewInvoice = Pick<MockInvoice, 'paymentTransId' | 'fields' | 'file' | 'fileUrl'>;
