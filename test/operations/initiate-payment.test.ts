import { describe, expect, it } from 'vitest';
import {
  approvedInvoice,
  approvedPayment,
  demoClient,
  invoiceUpload,
  paymentRequest,
  rejection,
} from '../helpers/samples.js';
import { answering } from '../helpers/scripted-fetch.js';

describe('an approved payment without a usable paymentUrl', () => {
  it.each([
    [undefined, 'the answer is APPROVED but has no paymentUrl'],
    ['javascript:pay()', 'the answer is APPROVED but its paymentUrl is refused: it is a javascript: URL'],
  ])('is an unexpected response: %s', async (paymentUrl, problem) => {
    const { fetch, requests } = answering(approvedPayment({ paymentUrl }));
    const error = await rejection(demoClient({ fetch }).initiatePayment(paymentRequest()));
    expect(error).toMatchObject({
      code: 'UNEXPECTED_RESPONSE',
      message: expect.stringContaining(`: ${problem} (HTTP 200). `) as string,
      outcome: 'unknown',
      retryable: false,
      $metadata: { attempts: [{ resultStatus: 'APPROVED' }] },
    });
    expect(requests).toHaveLength(1);
  });
});

describe('a result', () => {
  it('has the key of a payment, and no key for an upload', async () => {
    const payment = answering(approvedPayment()).fetch;
    const paid = await demoClient({ fetch: payment }).initiatePayment(paymentRequest(), {
      idempotencyKey: 'K',
    });
    expect(paid.$metadata.idempotencyKey).toBe('K');
    const invoice = answering(approvedInvoice()).fetch;
    const uploaded = await demoClient({ fetch: invoice }).uploadInvoice(invoiceUpload());
    expect(uploaded.$metadata).not.toHaveProperty('idempotencyKey');
  });
});
