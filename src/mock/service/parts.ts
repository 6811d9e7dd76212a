import type { Journal } from '../state/journal.js';
import type { MockLenderOptions } from './lender-options.js';
import type { Merchant } from './merchants.js';
import type { Script } from '../controls/script.js';
import type { AllocationStore } from '../state/allocations.js';
import type { InvoiceStore } from '../state/invoices.js';
import type { PaymentStore } from '../state/payments.js';
import type { ReceiptStore } from '../state/receipts.js';

/** Waits; ends early, by rejecting, when the signal fires. */
export type MockDelay = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** What one mock consists of. Nothing of it is shared with another. */
export interface Parts {
  readonly merchants: ReadonlyMap<string, Merchant>;
  readonly payments: PaymentStore;
  readonly invoices: InvoiceStore;
  readonly receipts: ReceiptStore;
  readonly allocations: AllocationStore;
  readonly script: Script;
  readonly journal: Journal;
  readonly lender: MockLenderOptions;
  readonly now: () => Date;
  readonly delay: MockDelay;
}
