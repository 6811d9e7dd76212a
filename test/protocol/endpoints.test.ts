import { expect, it } from 'vitest';
import { isMerchantOperation, operations } from '../../src/protocol/endpoints.js';

it("two operations are the merchant's", () => {
  expect(operations.map((operation) => [operation, isMerchantOperation(operation)])).toEqual([
    ['initiatePayment', true],
    ['uploadInvoice', true],
    ['paymentReceipt', false],
    ['repaymentAllocation', false],
  ]);
});
