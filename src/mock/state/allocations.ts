import type { RepaymentAllocationWire } from '../../protocol/lender-types.js';

/** An allocation as the mock has it. */
export interface MockAllocation extends RepaymentAllocationWire {
  /** When it arrived, by the mock's clock. */
  readonly recordedAt: Date;
}

/** An allocation as it is stored: the notification as JSON, which takes a fraction of the memory of the object. */
export interface AllocationRecord {
  readonly requestId: string;
  readonly contractNumber: string;
  readonly recordedAt: number;
  readonly json: Buffer;
}

export function newAllocation(allocation: RepaymentAllocationWire, recordedAt: number): AllocationRecord {
  const { requestId, contractNumber } = allocation;
  return { requestId, contractNumber, recordedAt, json: Buffer.from(JSON.stringify(allocation)) };
}

export function allocationOf(record: AllocationRecord): RepaymentAllocationWire {
  return JSON.parse(record.json.toString()) as RepaymentAllocationWire;
}

/** True for the same allocation; a repeat may have been sent at another moment. */
export function isRepeat(record: AllocationRecord, allocation: RepaymentAllocationWire): boolean {
  const factsOf = (facts: RepaymentAllocationWire) =>
    JSON.stringify({ ...facts, requestingDatetime: undefined });
  return factsOf(allocationOf(record)) === factsOf(allocation);
}

export function allocationView(record: AllocationRecord): MockAllocation {
  return { ...allocationOf(record), recordedAt: new Date(record.recordedAt) };
}
