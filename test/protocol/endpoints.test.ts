import { expect, test } from 'vitest';
import { isKeyless, isMerchantOperation, operations } from '../../src/protocol/endpoints.js';

test('the endpoints have two merchant operations, and each side has one operation without a key', () => {
  const facts = [...operations, 'post', 'constructor'].map((name) => [
    name,
    isMerchantOperation(name),
    isKeyless(name),
  ]);
  expect(facts).toEqual([
    ['initiatePayment', true, false],
    ['uploadInvoice', true, true],
    ['paymentReceipt', false, false],
    ['repaymentAllocation', false, true],
    ['post', false, false],
    ['constructor', false, false],
  ]);
});
