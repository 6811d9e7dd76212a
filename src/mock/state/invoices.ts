import type { Changes } from './changes.js';
import type { JournalFile } from './journal-types.js';
import type { PaymentRecord } from './payments.js';

/** An invoice as the mock has it; of its file everything but the bytes. */
export interface MockInvoice {
  /** The ID that the upload was answered with. */
  readonly invoiceId: string;
  /** The payment that it belongs to. */
  readonly referenceId: string;
  /** Whose it is. */
  readonly merchantId: string;
  /** When it arrived, by the mock's clock. */
  readonly uploadedAt: Date;
  /** The payment transaction: as it was sent, else that of the payment. */
  readonly paymentTransId?: string;
  /** The textual fields as they were received. */
  readonly fields: Readonly<Record<string, string>>;
  /** What arrived as its file; absent for one that is a `fileUrl` alone. */
  readonly file?: JournalFile;
  /** The URL that counts: one that came with a file is among the fields only. */
  readonly fileUrl?: string;
}

/** What an invoice is stored from. */
export type NewInvoice = Omit<MockInvoice, 'invoiceId' | 'uploadedAt'>;

/** The invoices of one mock. They are forgotten with their payment. */
export class InvoiceStore {
  readonly #invoices = new Map<string, MockInvoice>();
  readonly #ofPayment = new Map<PaymentRecord, string[]>();
  #created = 0;

  constructor(
    private readonly now: () => Date,
    private readonly changes: Changes,
  ) {}

  /** All invoices that are kept, oldest first. */
  all(): MockInvoice[] {
    return [...this.#invoices.values()];
  }

  get(invoiceId: string): MockInvoice | undefined {
    return this.#invoices.get(invoiceId);
  }

  countOf(payment: PaymentRecord): number {
    return this.#ofPayment.get(payment)?.length ?? 0;
  }

  create(payment: PaymentRecord, invoice: NewInvoice): MockInvoice {
    const invoiceId = `INV-${String((this.#created += 1)).padStart(8, '0')}`;
    const stored: MockInvoice = Object.freeze({ invoiceId, uploadedAt: this.now(), ...invoice });
    this.#invoices.set(invoiceId, stored);
    this.#ofPayment.set(payment, [...(this.#ofPayment.get(payment) ?? []), invoiceId]);
    this.changes.emit({ kind: 'invoice', invoiceId });
    return stored;
  }

  forget(payment: PaymentRecord): void {
    for (const invoiceId of this.#ofPayment.get(payment) ?? []) this.#invoices.delete(invoiceId);
    this.#ofPayment.delete(payment);
  }

  reset(): void {
    this.#invoices.clear();
    this.#ofPayment.clear();
    this.#created = 0;
  }
}
