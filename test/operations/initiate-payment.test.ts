import { describe, expect, it, vi } from 'vitest';
import {
  approvedInvoice,
  approvedPayment,
  demoClient,
  invoiceUpload,
  paymentRequest,
  rejection,
} from '../helpers/samples.js';
import { answering, unreachable } from '../helpers/scripted-fetch.js';

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

describe('an amount', () => {
  const logged = async (value: number, logLevel: 'debug' | 'info' = 'debug') => {
    const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    const { fetch } = answering(approvedPayment());
    const client = demoClient({ fetch, logger, logLevel });
    await client.initiatePayment(paymentRequest({ amount: { value } }), { idempotencyKey: 'K-1' });
    expect(logger.warn).not.toHaveBeenCalled();
    const records: unknown[][] = Object.values(logger).flatMap((method) => method.mock.calls);
    return records.filter(([message]) => String(message).includes('amount'));
  };

  it('that is the sum of the items is not logged', async () => {
    expect(await logged(12_000_000)).toEqual([]);
  });

  it('that differs from the sum of the items is sent, and logged at debug only', async () => {
    expect(await logged(11_000_000, 'info')).toEqual([]);
    expect(await logged(11_000_000)).toEqual([
      [
        'amount.value differs from the sum of items[].totalAmount; the specification does not say that they are equal',
        {
          operation: 'initiatePayment',
          referenceId: 'ORDER:2026-0001',
          idempotencyKey: 'K-1',
          amount: 11_000_000,
          itemsTotal: 12_000_000,
        },
      ],
    ]);
  });
});

describe('the options of a payment', () => {
  it.each([
    [undefined, 'unknown'],
    [{ mayHaveBeenSent: false }, 'rejected'],
    [{ mayHaveBeenSent: true }, 'unknown'],
  ])('decide what a duplicate reference means: %j', async (options, outcome) => {
    const { fetch } = answering({ resultStatus: 'DUPLICATE_REFERENCE_ID' });
    const error = await rejection(demoClient({ fetch }).initiatePayment(paymentRequest(), options));
    expect(error).toMatchObject({ code: 'DUPLICATE_REFERENCE_ID', outcome });
  });
});

describe('a hook that rejects fails the call with a cause that quotes neither the secret, a header nor', () => {
  const quoting = (personal: readonly string[]) =>
    demoClient({
      fetch: unreachable().fetch,
      headers: { Authorization: 'Bearer 12345' },
      hooks: {
        beforeSend: () =>
          Promise.reject(new Error(['no: demo-secret', 'Bearer 12345', ...personal].join(', '))),
      },
    });

  it('the personal fields of a payment', async () => {
    const personal = ['0912345678', 'Tủ lạnh hai cánh', 'Kim Mã', 'an@seller.example', 'VIP-9'];
    const seller = { id: 'S-1', email: 'an@seller.example' };
    const call = quoting(personal).initiatePayment(paymentRequest({ seller, extraData: 'VIP-9' }));
    const message = 'no: [redacted], [redacted], [redacted], [redacted], [redacted], [redacted], [redacted]';
    expect(await rejection(call)).toMatchObject({ code: 'HOOK', cause: { message } });
  });

  it('the personal fields of an invoice', async () => {
    const fields = {
      description: 'Hoá đơn của An',
      fileUrl: 'https://files.example/a.pdf?token=7f3a9c',
      extraData: { customer: 'An Bình' },
    };
    const call = quoting(['Hoá đơn của An', '7f3a9c', 'An Bình']).uploadInvoice(invoiceUpload(fields));
    const message = 'no: [redacted], [redacted], [redacted], [redacted], [redacted]';
    expect(await rejection(call)).toMatchObject({ code: 'HOOK', cause: { message } });
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
