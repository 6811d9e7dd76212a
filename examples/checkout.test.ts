/** A merchant's own integration test, with vitest and the mock: no sandbox, no network, every ending on demand. */
import { readFile } from 'node:fs/promises';
import { InstallmentClient, type PaymentRequest } from 'installment-payments';
import { createMockService, DEMO_MERCHANT } from 'installment-payments/mock';
import { beforeEach, expect, test } from 'vitest';

const { clientId, secretKey, merchantId, storeIds } = DEMO_MERCHANT;
const mock = createMockService();
const client = new InstallmentClient({
  baseUrl: 'https://sandbox.example',
  clientId,
  secretKey,
  merchantId,
  storeId: storeIds[0],
  platformId: 'WEBSHOP',
  fetch: mock.fetch,
});
const order = JSON.parse(await readFile(new URL('order.json', import.meta.url), 'utf8')) as PaymentRequest;

beforeEach(() => {
  mock.reset();
});

test('an order becomes one payment that waits for the customer', async () => {
  const { paymentUrl } = await client.initiatePayment(order);

  expect(paymentUrl).toMatch(/^https:\/\/sandbox\.example\//);
  expect(mock.payments.all()).toHaveLength(1);
});

test('an answer that is lost does not make a second payment', async () => {
  mock.injectFault('initiatePayment', 'connection-reset', { phase: 'after' });

  const { $metadata } = await client.initiatePayment(order);

  expect($metadata.attempts.map((attempt) => attempt.outcome)).toEqual(['unknown', 'accepted']);
  expect(mock.payments.all()).toHaveLength(1);
});

test('an amount above the limit is refused, and nothing is created', async () => {
  mock.respondWith('initiatePayment', { resultStatus: 'AMOUNT_EXCEEDED_UPPER_LIMIT' });

  await expect(client.initiatePayment(order)).rejects.toMatchObject({
    code: 'AMOUNT_EXCEEDED_UPPER_LIMIT',
    outcome: 'rejected',
  });
  expect(mock.payments.all()).toHaveLength(0);
});
