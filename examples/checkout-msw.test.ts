/** The same test through MSW: the client under test is the shop's own, and knows nothing of the mock. */
import { readFile } from 'node:fs/promises';
import { InstallmentClient, type PaymentRequest } from 'installment-payments';
import { createMockService, DEMO_MERCHANT } from 'installment-payments/mock';
import { mswHandlers } from 'installment-payments/mock/msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const { clientId, secretKey, merchantId, storeIds } = DEMO_MERCHANT;
const mock = createMockService();
const network = setupServer(...mswHandlers(mock, 'https://sandbox.example'));
const client = new InstallmentClient({
  baseUrl: 'https://sandbox.example',
  clientId,
  secretKey,
  merchantId,
  storeId: storeIds[0],
  platformId: 'WEBSHOP',
});
const order = JSON.parse(await readFile(new URL('order.json', import.meta.url), 'utf8')) as PaymentRequest;

beforeAll(() => {
  network.listen({ onUnhandledRequest: 'error' });
});
beforeEach(() => {
  mock.reset();
});
afterAll(() => {
  network.close();
});

test('an order becomes one payment that waits for the customer', async () => {
  const { paymentUrl } = await client.initiatePayment(order);

  expect(paymentUrl).toMatch(/^https:\/\/sandbox\.example\//);
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
