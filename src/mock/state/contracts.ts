import { ledgerOf, type Ledger } from './ledger.js';
import type { AllocationRecord, ReceiptRecord } from './notification-records.js';

interface Contract {
  readonly receipts: ReceiptRecord[];
  readonly allocations: AllocationRecord[];
  /** Until the next notification. */
  ledger?: Ledger | undefined;
}

/**
 * What was notified, contract by contract. Once there are more notifications than the limit, the contract that was
 * silent for longest is forgotten as a whole: a ledger is complete or empty, never in between.
 */
export class Contracts {
  readonly #contracts = new Map<string, Contract>();
  #notifications = 0;

  constructor(
    private readonly limit: number,
    private readonly forget: (contract: {
      readonly receipts: readonly ReceiptRecord[];
      readonly allocations: readonly AllocationRecord[];
    }) => void,
  ) {}

  /** The numbers of all contracts that are kept, the one that was silent for longest first. */
  numbers(): string[] {
    return [...this.#contracts.keys()];
  }

  ledger(contractNumber: string): Ledger {
    const contract = this.#contracts.get(contractNumber);
    if (!contract) return ledgerOf(contractNumber, [], []);
    contract.ledger ??= ledgerOf(contractNumber, contract.receipts, contract.allocations);
    return contract.ledger;
  }

  addReceipt(record: ReceiptRecord): void {
    this.#contractOf(record.contractNumber).receipts.push(record);
    this.#notifications += 1;
  }

  addAllocation(record: AllocationRecord): void {
    this.#contractOf(record.contractNumber).allocations.push(record);
    this.#notifications += 1;
  }

  #contractOf(contractNumber: string): Contract {
    const known = this.#contracts.get(contractNumber);
    if (known) return known;
    const contract = { receipts: [], allocations: [] };
    this.#contracts.set(contractNumber, contract);
    return contract;
  }

  /** Notes that a contract changed: its ledger is stale, and it is the last to be forgotten. */
  touch(contractNumber: string): void {
    const contract = this.#contractOf(contractNumber);
    contract.ledger = undefined;
    this.#contracts.delete(contractNumber);
    this.#contracts.set(contractNumber, contract);
    while (this.#notifications > this.limit && this.#contracts.size > 1) this.#forgetOldest();
  }

  #forgetOldest(): void {
    for (const [contractNumber, contract] of this.#contracts) {
      this.#contracts.delete(contractNumber);
      this.#notifications -= contract.receipts.length + contract.allocations.length;
      this.forget(contract);
      return;
    }
  }

  reset(): void {
    this.#contracts.clear();
    this.#notifications = 0;
  }
}
