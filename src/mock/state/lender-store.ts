import type { PaymentReceiptWire, RepaymentAllocationWire } from '../../protocol/lender-types.js';
import type { MockStore } from './store-types.js';
import {
  allocationView,
  isRepeat,
  newAllocation,
  type AllocationRecord,
  type MockAllocation,
} from './allocations.js';
import type { Changes } from './changes.js';
import { ledgerOf, type Ledger } from './ledger.js';
import {
  addNotification,
  newReceipt,
  receiptView,
  type MockReceipt,
  type ReceiptRecord,
} from './receipts.js';

interface Contract {
  readonly receipts: ReceiptRecord[];
  readonly allocations: AllocationRecord[];
  /** Computed when it is asked for; undefined again after the next notification. */
  ledger?: Ledger | undefined;
}

/**
 * The notifications of lenders, by contract. Once there are more than the limit, the contract that was silent for
 * longest is forgotten as a whole: a ledger is complete or empty.
 */
export class LenderStore {
  readonly #receipts = new Map<string, ReceiptRecord>();
  readonly #allocations = new Map<string, AllocationRecord>();
  readonly #contracts = new Map<string, Contract>();

  /** By `lenderTransactionCode`. */
  readonly receipts: MockStore<MockReceipt> = viewsOf(this.#receipts, receiptView);
  /** By `requestId`. */
  readonly allocations: MockStore<MockAllocation> = viewsOf(this.#allocations, allocationView);

  constructor(
    private readonly mostKept: number,
    private readonly now: () => Date,
    private readonly changes: Changes,
  ) {}

  /** The numbers of all contracts that are kept, the one that was silent for longest first. */
  contractNumbers(): string[] {
    return [...this.#contracts.keys()];
  }

  ledger(contractNumber: string): Ledger {
    const contract = this.#contracts.get(contractNumber) ?? { receipts: [], allocations: [] };
    return (contract.ledger ??= ledgerOf(contractNumber, contract.receipts, contract.allocations));
  }

  /** Records a receipt or its reversal. A code identifies one event: different facts under it are a conflict. */
  recordReceipt(receipt: PaymentReceiptWire): ReturnType<typeof addNotification> {
    const { lenderTransactionCode, contractNumber } = receipt;
    const now = this.now().getTime();
    const known = this.#receipts.get(lenderTransactionCode);
    const recorded = known ? addNotification(known, receipt, now) : 'stored';
    if (recorded === 'repeated' || recorded === 'conflict') return recorded;
    const record = known ?? newReceipt(receipt, now);
    this.#receipts.set(lenderTransactionCode, record);
    const { receipts } = this.#touch(contractNumber);
    if (!known) receipts.push(record);
    this.changes.emit({ kind: 'receipt', lenderTransactionCode });
    return recorded;
  }

  /** Records an allocation; the same again under its request ID changes nothing. */
  recordAllocation(allocation: RepaymentAllocationWire): 'stored' | 'repeated' | 'conflict' {
    const { requestId, contractNumber } = allocation;
    const known = this.#allocations.get(requestId);
    if (known) return isRepeat(known, allocation) ? 'repeated' : 'conflict';
    const record = newAllocation(allocation, this.now().getTime());
    this.#allocations.set(requestId, record);
    this.#touch(contractNumber).allocations.push(record);
    this.changes.emit({ kind: 'allocation', requestId });
    return 'stored';
  }

  /** The contract of a notification that was just stored: without its stale ledger, and the last to be forgotten. */
  #touch(contractNumber: string): Contract {
    const contract = this.#contracts.get(contractNumber) ?? { receipts: [], allocations: [] };
    contract.ledger = undefined;
    this.#contracts.delete(contractNumber);
    this.#contracts.set(contractNumber, contract);
    for (const [oldest, { receipts, allocations }] of this.#contracts) {
      const isFull = this.#receipts.size + this.#allocations.size > this.mostKept;
      if (!isFull || oldest === contractNumber) break;
      for (const receipt of receipts) this.#receipts.delete(receipt.lenderTransactionCode);
      for (const allocation of allocations) this.#allocations.delete(allocation.requestId);
      this.#contracts.delete(oldest);
    }
    return contract;
  }

  reset(): void {
    this.#receipts.clear();
    this.#allocations.clear();
    this.#contracts.clear();
  }
}

function viewsOf<Stored, View>(
  records: ReadonlyMap<string, Stored>,
  viewOf: (record: Stored) => View,
): MockStore<View> {
  return {
    all: () => [...records.values()].map(viewOf),
    get(key) {
      const record = records.get(key);
      return record && viewOf(record);
    },
  };
}
