import { isDeepStrictEqual } from 'node:util';
import type { LenderReversals } from './mock-lender-options.js';
import type { PaymentReceiptWire, RepaymentAllocationWire } from '../../protocol/lender-types.js';
import type { Changes } from './changes.js';
import { bytesOf, KeptBytes } from './kept-bytes.js';
import { ledgerOf, type Ledger } from './ledger.js';
import type { MockStore } from './store-types.js';

/** A receipt in the mock. */
export interface MockReceipt extends PaymentReceiptWire {
  /** The time when the first notification of the receipt arrived, by the mock's clock. */
  readonly recordedAt: Date;
  /** The time when the reversal of the receipt arrived; absent until then. */
  readonly reversedAt?: Date;
}

/** An allocation in the mock. */
export interface MockAllocation extends RepaymentAllocationWire {
  /** The time when the allocation arrived, by the mock's clock. */
  readonly recordedAt: Date;
}

/**
 * The outcome of a notification. `'repeated'`: the same notification was recorded before. `'conflict'`: a notification
 * with the same code and different facts was recorded before.
 */
export type Recorded = 'stored' | 'reversed' | 'repeated' | 'conflict';

/** The notifications with one code in the order of arrival: of a receipt, of its reversal, or of both. */
type Received = readonly [MockReceipt, ...MockReceipt[]];

const mostNotifications = 5000;

/** The notifications of lenders. The oldest receipts and the oldest allocations are dropped first. */
export class LenderStore {
  readonly #receipts = new Map<string, Received>();
  readonly #allocations = new Map<string, MockAllocation>();

  /** The receipts, by `lenderTransactionCode`. */
  readonly receipts: MockStore<MockReceipt> = {
    all: () => [...this.#receipts.values()].map(receiptOf),
    get: (code) => this.receipts.all().find(({ lenderTransactionCode }) => lenderTransactionCode === code),
  };

  /** The allocations, by `requestId`. */
  readonly allocations: MockStore<MockAllocation> = {
    all: () => [...this.#allocations.values()],
    get: (requestId) => this.#allocations.get(requestId),
  };

  constructor(
    private readonly now: () => Date,
    private readonly changes: Changes,
    private readonly reversals: LenderReversals,
    private readonly kept = new KeptBytes(),
    private readonly mostKept = mostNotifications,
  ) {}

  ledger(contractNumber: string): Ledger {
    const isOwn = (record: { readonly contractNumber: string }) => record.contractNumber === contractNumber;
    const receipts = [...this.#receipts.values()].flat().filter(isOwn);
    return ledgerOf(contractNumber, receipts, this.allocations.all().filter(isOwn), this.reversals);
  }

  /** Records a receipt or a reversal. One code cannot identify two receipts. */
  recordReceipt(receipt: PaymentReceiptWire): Recorded {
    const { lenderTransactionCode, receivedStatus } = receipt;
    const earlier = this.#receipts.get(lenderTransactionCode) ?? [];
    if (earlier.some((known) => !isSameReceipt(known, receipt))) return 'conflict';
    if (earlier.some((known) => known.receivedStatus === receivedStatus)) return 'repeated';
    if (earlier.length > 0 && this.reversals === 'own-code') return 'conflict';
    // A lender can send an additional field with the name `reversedAt`, which is a field of the mock.
    const { reversedAt: _other, ...fields } = { reversedAt: undefined, ...receipt };
    const [first, ...others] = [...earlier, Object.freeze({ ...fields, recordedAt: this.now() })];
    this.#keep(this.#receipts, lenderTransactionCode, [first, ...others]);
    this.changes.emit({ kind: 'receipt' });
    return receivedStatus === 'REVERSED' ? 'reversed' : 'stored';
  }

  /** Records an allocation. The same allocation again, under the same request ID, changes nothing. */
  recordAllocation(allocation: RepaymentAllocationWire): Exclude<Recorded, 'reversed'> {
    const { requestId } = allocation;
    const known = this.#allocations.get(requestId);
    if (known) return isSameAllocation(known, allocation) ? 'repeated' : 'conflict';
    this.#keep(this.#allocations, requestId, Object.freeze({ ...allocation, recordedAt: this.now() }));
    this.changes.emit({ kind: 'allocation' });
    return 'stored';
  }

  #keep<Kept extends object>(records: Map<string, Kept>, key: string, record: Kept): void {
    const drop = (oldest: string) => {
      const dropped = records.get(oldest);
      if (dropped) this.kept.release(dropped);
      records.delete(oldest);
    };
    const earlier = records.get(key);
    if (earlier) this.kept.release(earlier);
    records.set(key, record);
    this.kept.keep(record, bytesOf(record), () => {
      drop(key);
    });
    const [oldest] = records.keys();
    if (records.size > this.mostKept && oldest !== undefined) drop(oldest);
  }

  reset(): void {
    this.#receipts.clear();
    this.#allocations.clear();
  }
}

/**
 * The fields that are equal in all notifications of a code. Optional fields are compared if both notifications have
 * them.
 */
const sharedFacts = [
  'contractNumber',
  'lenderCode',
  'receivedAmount',
  'lenderReferenceId',
  'bankTransactionSequenceId',
] as const;

/**
 * The fields that are equal in all notifications of a code with the same status. The last two fields can differ between
 * a receipt and its reversal.
 */
const factsOfStatus = [...sharedFacts, 'receivedDatetime', 'reversalReason'] as const;

function isSameReceipt(known: PaymentReceiptWire, receipt: PaymentReceiptWire): boolean {
  const facts = known.receivedStatus === receipt.receivedStatus ? factsOfStatus : sharedFacts;
  return facts.every((name) => {
    const values = [known[name] ?? undefined, receipt[name] ?? undefined];
    return values.includes(undefined) || values[0] === values[1];
  });
}

/** The fields of a receipt, with the status and reason of its reversal. */
function receiptOf(received: Received): MockReceipt {
  const [{ recordedAt }] = received;
  const receipt = received.find(({ receivedStatus }) => receivedStatus === 'SUCCESS') ?? received[0];
  const reversal = received.find(({ receivedStatus }) => receivedStatus === 'REVERSED');
  if (!reversal) return receipt;
  const { receivedStatus, reversalReason, recordedAt: reversedAt } = reversal;
  return Object.freeze({ ...receipt, receivedStatus, reversalReason, recordedAt, reversedAt });
}

/** True for a repeat of an allocation. A repeat can have a different time. */
function isSameAllocation(
  { recordedAt: _recordedAt, requestingDatetime: _first, ...known }: MockAllocation,
  { requestingDatetime: _second, ...allocation }: RepaymentAllocationWire,
): boolean {
  return isDeepStrictEqual(known, allocation);
}
