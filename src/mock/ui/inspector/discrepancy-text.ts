import type { LedgerDiscrepancy } from '../../state/ledger.js';
import { dong } from '../shared/elements.js';

/** Describes a discrepancy between a receipt and its allocations. */
export function discrepancyText(discrepancy: LedgerDiscrepancy): string {
  const { kind, lenderTransactionCode: code, received, allocated } = discrepancy;
  switch (kind) {
    case 'allocation_without_receipt':
      return `${dong(allocated)} was allocated from ${code}, but no receipt with this code has arrived. Either the receipt is still to come, or it has another code.`;
    case 'over_allocated':
      return `${dong(allocated)} was allocated from ${code}, which is ${dong(allocated - received)} more than the ${dong(received)} that was received.`;
    case 'allocated_then_reversed':
      return `The receipt ${code} of ${dong(received)} was reversed, but ${dong(allocated)} of it is still allocated.`;
  }
}
