import type { PaymentReceiptWire } from '../../protocol/lender-types.js';
import type { Changes } from './changes.js';
import type { Contracts } from './contracts.js';
import type { ReceiptRecord } from './notification-records.js';

/** A receipt as the mock has it: the notification's facts, and what became of them. */
export interface MockReceipt extends PaymentReceiptWire {
  /** When it first arrived, by the mock's clock. */
  readonly recordedAt: Date;
  /** When the reversal arrived; absent as long as the receipt stands. */
  readonly reversedAt?: Date;
}

/** Facts that all notifications of a code must share; the optional ones where both have them. */
const sharedFacts = ['contractNumber', 'lenderCode', 'receivedAmount'] as const;
const optionalFacts = ['lenderReferenceId', 'bankTransactionSequenceId'] as const;

function agrees(known: PaymentReceiptWire, receipt: PaymentReceiptWire): boolean {
  return (
    sharedFacts.every((name) => known[name] === receipt[name]) &&
    optionalFacts.every(
      (name) => known[name] === undefined || receipt[name] === undefined || known[name] === receipt[name],
    ) &&
    // A reversal may give its own moment or that of the receipt, but a repeat gives that of the first of its status.
    (known.receivedStatus !== receipt.receivedStatus || known.receivedDatetime === receipt.receivedDatetime)
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
    if (!notificationsOf(known).every((notification) => agrees(notification, receipt))) return 'conflict';
    const { receivedStatus } = receipt;
    if (known.json[receivedStatus]) return 'repeated';
    known.json[receivedStatus] = Buffer.from(JSON.stringify(receipt));
    if (receivedStatus === 'REVERSED') known.reversedAt = this.now().getTime();
    this.#changed(known);
    return receivedStatus === 'REVERSED' ? 'reversed' : 'stored';
  }

  #store(receipt: PaymentReceiptWire): void {
    const { lenderTransactionCode, contractNumber, receivedAmount, receivedStatus } = receipt;
    const recordedAt = this.now().getTime();
    const record: ReceiptRecord = {
      lenderTransactionCode,
      contractNumber,
      receivedAmount,
      recordedAt,
      json: { [receivedStatus]: Buffer.from(JSON.stringify(receipt)) },
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

/** The notifications that came: of the payment, then of its reversal. */
function notificationsOf({ json: { SUCCESS, REVERSED } }: ReceiptRecord): PaymentReceiptWire[] {
  return [SUCCESS, REVERSED].flatMap((json) =>
    json ? [JSON.parse(json.toString()) as PaymentReceiptWire] : [],
  );
}

/** The facts of the receipt itself, with the status and the reason of its reversal once that came. */
function wireOf(record: ReceiptRecord): PaymentReceiptWire {
  const [first, reversal] = notificationsOf(record);
  if (!first) throw new Error('a receipt is stored with its notification');
  if (!reversal) return first;
  const { receivedStatus, reversalReason } = reversal;
  return { ...first, receivedStatus, reversalReason };
}

function viewOf(record: ReceiptRecord): MockReceipt {
  const { recordedAt, reversedAt } = record;
  return {
    ...wireOf(record),
    recordedAt: new Date(recordedAt),
    ...(reversedAt !== undefined && { reversedAt: new Date(reversedAt) }),
  };
}
