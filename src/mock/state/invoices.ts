import type { JournalFile } from './journal-types.js';

/** An invoice as the mock has it; of its file everything but the bytes. */
export interface MockInvoice {
  /** The ID in the response to the upload. */
  readonly invoiceId: string;
  /** The payment that it belongs to. */
  readonly referenceId: string;
  /** The merchant that uploaded it. */
  readonly merchantId: string;
  /** When it arrived, by the mock's clock. */
  readonly uploadedAt: Date;
  /** The payment transaction; absent for a payment that is not paid. */
  readonly paymentTransId?: string;
  /** The textual fields as received. */
  readonly fields: Readonly<Record<string, string>>;
  /** The file; absent for an invoice that is only a `fileUrl`. */
  readonly file?: JournalFile;
  /** The URL sent in place of a file. A URL sent beside a file is only among the fields. */
  readonly fileUrl?: string;
}

/** The facts of an invoice that come with its upload. */
export type NewInvoice = Pick<MockInvoice, 'paymentTransId' | 'fields' | 'file' | 'fileUrl'>;
