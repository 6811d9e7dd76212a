import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { DEMO_MERCHANT, RegisteredMerchant } from '../../../src/mock/service/merchants.js';
import { signPayment } from '../../../src/operations/signer.js';
import { hmacSha256 } from '../../../src/protocol/signature.js';

const bare = { clientId: 'client-1', secretKey: 'secret-1', merchantId: 'M-1' };

test('the demo merchant has the values of the guides', () => {
  expect(DEMO_MERCHANT).toStrictEqual({
    clientId: 'demo-client',
    secretKey: 'demo-secret',
    merchantId: 'DEMO-MERCHANT',
    storeIds: ['STORE-01'],
  });
});

test('a merchant is active and has one store and no limits by default', () => {
  expect(new RegisteredMerchant(bare)).toMatchObject({
    clientId: 'client-1',
    merchantId: 'M-1',
    minAmount: 0,
    maxAmount: Infinity,
    active: true,
    storeIds: ['STORE-01'],
  });
});

test('a list of stores that the caller changes later does not change the merchant', () => {
  const storeIds = ['A'];
  const merchant = new RegisteredMerchant({ ...bare, storeIds });
  storeIds.push('B');
  expect(merchant.storeIds).toStrictEqual(['A']);
});

test('the key of a merchant makes the signatures of the secret, and inspection shows neither', () => {
  const merchant = new RegisteredMerchant(bare);
  expect(merchant.secretKey).toBe('secret-1');
  expect(merchant.keys.map((key) => hmacSha256('{}', key))).toEqual([signPayment('{}', 'secret-1')]);
  expect(inspect(merchant) + JSON.stringify(merchant)).not.toContain('secret-1');
});
