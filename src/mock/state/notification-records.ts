import type { RepaymentAllocationWire } from '../../protocol/lender-types.js';

/** A receipt as it is kept: the notification as JSON, which takes a fraction of the memory of the parsed object. */
export interface ReceiptRecord {
  readonly lenderTransactionCode: string;
  readonly contractNumber: string;
  readonly receivedAmount: number;
  readonly recordedAt: number;
  json: Buffer;
  reversedAt: number | undefined;
}

/** An allocation as it is kept: the notification as JSON. */
export interface AllocationRecord {
  readonly requestId: string;
  readonly contractNumber: string;
  readonly recordedAt: number;
  readonly json: Buffer;
}

export function allocationWireOf(record: AllocationRecord): RepaymentAllocationWire {
  return JSON.parse(record.json.toString()) as RepaymentAllocationWire;
}
