import type { PaymentReceiptWire, RepaymentAllocationWire } from '../../protocol/lender-types.js';

/** A receipt as it is kept: its notifications as JSON, which takes a fraction of the memory of the parsed objects. */
export interface ReceiptRecord {
  readonly lenderTransactionCode: string;
  readonly contractNumber: string;
  readonly receivedAmount: number;
  readonly recordedAt: number;
  /** The notification of each status, as far as it came: a reversal may be the first, or the only one. */
  readonly json: Partial<Record<PaymentReceiptWire['receivedStatus'], Buffer>>;
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
