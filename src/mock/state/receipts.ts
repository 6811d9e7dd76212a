import type { PaymentReceiptWire } from '../../protocol/lender-types.js';
import type { Changes } from '../changes.js';
import type { Contracts } from './contracts.js';
import type { ReceiptRecord } from './notification-records.js';

/** A receipt as the mock has it: the notification's facts, and what became of them. */
export interface MockReceipt extends PaymentReceiptWire {
  /** When it first arrived, by the mock's clock. */
  readonly recordedAt: Date;
  /** When the reversal arrived; absent as long as the receipt stands. */
  readonly reversedAt?: Date;
}

/** Facts that a repeated notification must share with the first, where both have them. */
const sharedFacts = ['contractNumber', 'lenderCode', 'receivedAmount'] as const;
const optionalFacts = ['lenderReferenceId', 'bankTransactionSequenceId'] as const;

function isSameEvent(first: PaymentReceiptWire, again: PaymentReceiptWire): boolean {
  return (
    sharedFacts.every((name) => first[name] === again[name]) &&
    optionalFacts.every(
      (name) => first[name] === undefined || again[name] === undefined || first[name] === again[name],
    ) &&
    // The moment of a reversal may be given as that of the receipt or as its own.
    (first.receivedStatus !== again.receivedStatus || first.receivedDatetime === again.receivedDatetime)
  );
}

/** What became of a notification. */
export type Recorded = 'stored' | 'reversed' | 'repeated' | 'conflict';

/** The receipts of one mock, by the lender's transaction code. */
export class ReceiptStore {
  readonly #records = new Map<string, ReceiptRecord>();

  constructor(
    private readonly contracts: Contracts,
    private readonly now: () => Date,
    private readonly changes: Changes,
  ) {}

  /** All receipts that are kept, oldest first. */
  all(): MockReceipt[] {
    return [...this.#records.values()].map(viewOf);
  }

  get(lenderTransactionCode: string): MockReceipt | undefined {
    const record = this.#records.get(lenderTransactionCode);
    return record && viewOf(record);
  }

  /**
   * Takes a notification in. A code names one event: the same again changes nothing, a reversal turns the receipt for
   * good, and other facts under the same code are a conflict.
   */
  record(receipt: PaymentReceiptWire): Recorded {
    const { lenderTransactionCode } = receipt;
    const known = this.#records.get(lenderTransactionCode);
    if (!known) {
      this.#store(receipt);
      return 'stored';
    }
    if (!isSameEvent(wireOf(known), receipt)) return 'conflict';
    if (receipt.receivedStatus !== 'REVERSED' || known.reversedAt !== undefined) return 'repeated';
    known.reversedAt = this.now().getTime();
    const { receivedStatus, reversalReason } = receipt;
    known.json = Buffer.from(JSON.stringify({ ...wireOf(known), receivedStatus, reversalReason }));
    this.#changed(known);
    return 'reversed';
  }

  #store(receipt: PaymentReceiptWire): void {
    const { lenderTransactionCode, contractNumber, receivedAmount, receivedStatus } = receipt;
    const recordedAt = this.now().getTime();
    const record: ReceiptRecord = {
      lenderTransactionCode,
      contractNumber,
      receivedAmount,
      recordedAt,
      json: Buffer.from(JSON.stringify(receipt)),
      reversedAt: receivedStatus === 'REVERSED' ? recordedAt : undefined,
    };
    this.#records.set(lenderTransactionCode, record);
    this.contracts.addReceipt(record);
    this.#changed(record);
  }

  #changed({ lenderTransactionCode, contractNumber }: ReceiptRecord): void {
    this.contracts.touch(contractNumber);
    this.changes.emit({ kind: 'receipt', lenderTransactionCode });
  }

  forget(record: ReceiptRecord): void {
    this.#records.delete(record.lenderTransactionCode);
  }

  reset(): void {
    this.#records.clear();
  }
}

function wireOf(record: ReceiptRecord): PaymentReceiptWire {
  return JSON.parse(record.json.toString()) as PaymentReceiptWire;
}

function viewOf(record: ReceiptRecord): MockReceipt {
  const { recordedAt, reversedAt } = record;
  return {
    ...wireOf(record),
    recordedAt: new Date(recordedAt),
    ...(reversedAt !== undefined && { reversedAt: new Date(reversedAt) }),
  };
}
