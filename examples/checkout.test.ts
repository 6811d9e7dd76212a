/** A merchant's own integration test with Vitest and the mock, without a sandbox or a network. */
import { InstallmentClient } from 'installment-payments';
import { createMockService, sampleInvoice, samplePaymentRequest } from 'installment-payments/mock';
import { beforeEach, expect, test } from 'vitest';

const mock = createMockService();
const client = new InstallmentClient(mock.clientOptions());
const order = samplePaymentRequest({ referenceId: 'ORDER-1' });

beforeEach(() => {
  mock.reset();
});

test('an order becomes one payment that waits for the customer', async () => {
  const { paymentUrl } = await client.initiatePayment(order);

  expect(paymentUrl).toMatch(/^https:\/\/mock\.example\//);
  expect(mock.payments.all()).toHaveLength(1);
});

test('a lost response does not cause a second payment', async () => {
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

test('a paid order accepts its invoice', async () => {
  await client.initiatePayment(order);
  mock.settle('ORDER-1', 'paid');

  const { invoiceId } = await client.uploadInvoice(sampleInvoice({ referenceId: 'ORDER-1' }));

  expect(mock.invoices.all().map((invoice) => invoice.invoiceId)).toEqual([invoiceId]);
});
