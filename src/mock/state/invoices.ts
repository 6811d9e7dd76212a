import { isDeepStrictEqual } from 'node:util';
import type { Changes } from './changes.js';
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
  /** The payment transaction: as sent, else from the payment. */
  readonly paymentTransId?: string;
  /** The textual fields as received. */
  readonly fields: Readonly<Record<string, string>>;
  /** The file; absent for an invoice that is only a `fileUrl`. */
  readonly file?: JournalFile;
  /** The URL sent in place of a file. A URL sent beside a file is only among the fields. */
  readonly fileUrl?: string;
}

interface InvoicedPayment {
  readonly referenceId: string;
  readonly merchantId: string;
  readonly invoices: MockInvoice[];
}

type NewInvoice = Pick<MockInvoice, 'paymentTransId' | 'fields' | 'file' | 'fileUrl'>;

/** The invoices of one mock. They are stored with their payments, and forgotten with them. */
export class InvoiceStore {
  #created = 0;

  constructor(
    private readonly payments: { records(): Iterable<InvoicedPayment> },
    private readonly now: () => Date,
    private readonly changes: Changes,
  ) {}

  all(): MockInvoice[] {
    return [...this.payments.records()]
      .flatMap(({ invoices }) => invoices)
      .sort((a, b) => a.invoiceId.localeCompare(b.invoiceId));
  }

  get(invoiceId: string): MockInvoice | undefined {
    return this.all().find((invoice) => invoice.invoiceId === invoiceId);
  }

  /** The first invoice of a payment with the same fields and the same file. */
  sameAs({ invoices }: InvoicedPayment, { fields, file, fileUrl }: NewInvoice): MockInvoice | undefined {
    return invoices.find((known) =>
      isDeepStrictEqual([known.fields, known.file, known.fileUrl], [fields, file, fileUrl]),
    );
  }

  create(payment: InvoicedPayment, invoice: NewInvoice): MockInvoice {
    const invoiceId = `INV-${String((this.#created += 1)).padStart(8, '0')}`;
    const { referenceId, merchantId } = payment;
    const uploadedAt = this.now();
    const stored = Object.freeze({ invoiceId, referenceId, merchantId, uploadedAt, ...invoice });
    payment.invoices.push(stored);
    this.changes.emit({ kind: 'invoice', invoiceId });
    return stored;
  }

  reset(): void {
    this.#created = 0;
  }
}
