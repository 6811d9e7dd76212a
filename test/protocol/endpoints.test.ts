import { expect, it } from 'vitest';
import { isKeyless, isMerchantOperation, operations } from '../../src/protocol/endpoints.js';

it('two operations are of merchants, and one of each side has no key', () => {
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
