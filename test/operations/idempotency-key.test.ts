import { describe, expect, test } from 'vitest';
import type { PaymentRequest } from '../../src/entries/index.js';
import { approvedPayment, demoClient, paymentRequest } from '../helpers/samples.js';
import { answering, sentBytes } from '../helpers/scripted-fetch.js';

async function sent(request: PaymentRequest, client: object = {}, options: object = {}) {
  const { fetch, requests } = answering(approvedPayment({ referenceId: request.referenceId }));
  const payment = await demoClient({ fetch, ...client }).initiatePayment(request, options);
  const [only] = requests;
  if (!only) throw new Error('a request was expected');
  const key = only.headers.get('idempotency-key');
  expect(payment.$metadata.idempotencyKey).toBe(key);
  return { key, body: await sentBytes(only) };
}

describe('the Idempotency-Key', () => {
  test('is the same for the same request at any time and with its fields in any order', async () => {
    const { key } = await sent(paymentRequest());
    const { customer, ...rest } = paymentRequest();
    expect((await sent({ customer, ...rest }, { now: () => new Date(0) })).key).toBe(key);
    expect(
      (await sent({ ...paymentRequest(), merchantId: 'DEMO-MERCHANT', requestType: 'installment' })).key,
    ).toBe(key);
  });

  test.each(['order-7', 'a b', 'é', 'x'.repeat(1_000)])(
    "is the caller's, if the caller passes one: %s",
    async (idempotencyKey) => {
      expect((await sent(paymentRequest(), {}, { idempotencyKey })).key).toBe(idempotencyKey);
    },
  );
});
