import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { DEMO_MERCHANT, RegisteredMerchant, registerMerchants } from '../../../src/mock/service/merchants.js';
import { ConfigurationError } from '../../../src/errors/errors.js';
import { hmacSha256, signPayment } from '../../../src/protocol/signature.js';

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

test('a merchant keeps its own values', () => {
  const given = { storeIds: ['A', 'B'], minAmount: 1, maxAmount: 2, active: false };
  expect(new RegisteredMerchant({ ...bare, ...given })).toMatchObject({
    clientId: 'client-1',
    merchantId: 'M-1',
    ...given,
  });
});

test('a merchant without stores has none', () => {
  const merchant = new RegisteredMerchant({ ...bare, storeIds: [] });
  expect(merchant.hasStore('STORE-01')).toBe(false);
});

test('a list of stores that changes later does not change the merchant', () => {
  const storeIds = ['A'];
  const merchant = new RegisteredMerchant({ ...bare, storeIds });
  storeIds.push('B');
  expect([merchant.hasStore('A'), merchant.hasStore('B')]).toStrictEqual([true, false]);
});

test('the key makes the signatures of the secret, and inspection shows neither', () => {
  const merchant = new RegisteredMerchant(bare);
  expect(merchant.secretKey).toBe('secret-1');
  expect(merchant.keys.map((key) => hmacSha256('{}', key))).toEqual([signPayment('{}', 'secret-1')]);
  expect(inspect(merchant) + JSON.stringify(merchant)).not.toContain('secret');
});

test('merchants are registered by their client IDs, in their order', () => {
  const known = registerMerchants([bare, { ...bare, clientId: 'client-0' }]);
  expect([...known.keys()]).toStrictEqual(['client-1', 'client-0']);
  expect(known.get('client-0')?.clientId).toBe('client-0');
});

test('two merchants of one client ID are a configuration error', () => {
  expect(() => registerMerchants([bare, { ...bare, merchantId: 'M-2' }])).toThrow(
    new ConfigurationError('merchants', 'must not share a clientId'),
  );
});
