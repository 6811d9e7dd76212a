import { dong } from '../shared/money.js';
import type { LedgerDiscrepancy } from '../../state/ledger.js';

/** What does not add up, as one would say it, with where to look. */
export function discrepancyText({
  kind,
  lenderTransactionCode: code,
  received,
  allocated,
}: LedgerDiscrepancy): string {
  switch (kind) {
    case 'allocation_without_receipt':
      return `${dong(allocated)} was allocated from ${code}, but no receipt with this code has arrived. Either the receipt is still to come, or its code is another one.`;
    case 'over_allocated':
      return `${dong(allocated)} was allocated from ${code}, which is ${dong(allocated - received)} more than the ${dong(received)} that came in.`;
    case 'allocated_then_reversed':
      return `The receipt ${code} of ${dong(received)} was reversed, but ${dong(allocated)} of it is still allocated.`;
  }
}
