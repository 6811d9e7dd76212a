/** The same test with MSW. The client under test is the shop's own, and does not import the mock. */
import { InstallmentClient } from 'installment-payments';
import { createMockService, samplePaymentRequest } from 'installment-payments/mock';
import { mswHandlers } from 'installment-payments/mock/msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const mock = createMockService();
const network = setupServer(...mswHandlers(mock, 'https://sandbox.example'));
// The credentials of the mock, without its fetch: requests go out as they do in production, and MSW catches them.
const { fetch: _fetch, ...options } = mock.clientOptions();
const client = new InstallmentClient({ ...options, baseUrl: 'https://sandbox.example' });
const order = samplePaymentRequest({ referenceId: 'ORDER-1' });

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
