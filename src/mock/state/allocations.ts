import type { RepaymentAllocationWire } from '../../protocol/lender-types.js';
import type { Changes } from './changes.js';
import type { Contracts } from './contracts.js';
import { allocationWireOf, type AllocationRecord } from './notification-records.js';

/** An allocation as the mock has it. */
export interface MockAllocation extends RepaymentAllocationWire {
  /** When it arrived, by the mock's clock. */
  readonly recordedAt: Date;
}

/** The facts of an allocation as text; a repeat may have been sent at another moment. */
function factsOf(allocation: RepaymentAllocationWire): string {
  return JSON.stringify({ ...allocation, requestingDatetime: undefined });
}

/** The allocations of one mock, by request ID. */
export class AllocationStore {
  readonly #records = new Map<string, AllocationRecord>();

  constructor(
    private readonly contracts: Contracts,
    private readonly now: () => Date,
    private readonly changes: Changes,
  ) {}

  /** All allocations that are kept, oldest first. */
  all(): MockAllocation[] {
    return [...this.#records.values()].map(viewOf);
  }

  get(requestId: string): MockAllocation | undefined {
    const record = this.#records.get(requestId);
    return record && viewOf(record);
  }

  /** Takes a notification in; the same again under its request ID changes nothing. */
  record(allocation: RepaymentAllocationWire): 'stored' | 'repeated' | 'conflict' {
    const { requestId, contractNumber } = allocation;
    const known = this.#records.get(requestId);
    if (known) return factsOf(allocationWireOf(known)) === factsOf(allocation) ? 'repeated' : 'conflict';
    const json = Buffer.from(JSON.stringify(allocation));
    const record = { requestId, contractNumber, recordedAt: this.now().getTime(), json };
    this.#records.set(requestId, record);
    this.contracts.addAllocation(record);
    this.contracts.touch(contractNumber);
    this.changes.emit({ kind: 'allocation', requestId });
    return 'stored';
  }

  forget(record: AllocationRecord): void {
    this.#records.delete(record.requestId);
  }

  reset(): void {
    this.#records.clear();
  }
}

function viewOf(record: AllocationRecord): MockAllocation {
  return { ...allocationWireOf(record), recordedAt: new Date(record.recordedAt) };
}
