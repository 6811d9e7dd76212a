import { expect, test } from 'vitest';
import type { LedgerDiscrepancy } from '../../../src/mock/index.js';
import { discrepancyText } from '../../../src/mock/ui/inspector/discrepancy-text.js';

test.each<readonly [LedgerDiscrepancy['kind'], string]>([
  [
    'allocation_without_receipt',
    '700\u00a0₫ was allocated from LTC-1, but no receipt with this code has arrived. Either the receipt is still to come, or it has another code.',
  ],
  [
    'over_allocated',
    '700\u00a0₫ was allocated from LTC-1, which is 200\u00a0₫ more than the 500\u00a0₫ that was received.',
  ],
  [
    'allocated_then_reversed',
    'The receipt LTC-1 of 500\u00a0₫ was reversed, but 700\u00a0₫ of it is still allocated.',
  ],
])('the inspector explains %s', (kind, text) => {
  expect(discrepancyText({ kind, lenderTransactionCode: 'LTC-1', received: 500, allocated: 700 })).toBe(text);
});
