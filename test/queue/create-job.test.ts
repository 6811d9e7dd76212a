import { describe, expect, test } from 'vitest';
import { createJob, type JobArguments, type NewJob } from '../../src/queue/index.js';
import { hasOwnId } from '../../src/queue/job-id.js';
import { ConfigurationError, ValidationError } from '../../src/index.js';
import { samplePaymentRequest } from '../../src/mock/index.js';
import { receipt, transaction } from '../helpers/lender-samples.js';
import { thrownBy } from '../helpers/samples.js';
import { kinds, newJob } from './jobs.js';

const payment = (changes: object = {}): NewJob => ({
  operation: 'initiatePayment',
  request: { ...samplePaymentRequest(), ...changes },
});
const upload = (changes: object = {}): NewJob => ({
  operation: 'uploadInvoice',
  request: { referenceId: 'ORDER:1' },
  file: 'invoices/1.pdf',
  ...changes,
});
const idOf = (job: NewJob) => createJob(job).opts.jobId;

describe('the ID of a job', () => {
  test('names the operation and the reference, in a form that BullMQ accepts', () => {
    // As in vectors/1.0/jobs.json.
    expect(idOf(payment())).toBe('initiatePayment.ORDER%3A2026-0001.fdf27f375e141853b083bfe63a06dbc1');
    for (const kind of kinds) {
      const job = newJob(kind, '1:2:3');
      expect(idOf(job).replace(/[0-9a-f]{32}$/, 'HASH')).toBe(`${job.operation}.1%3A2%3A3.HASH`);
    }
  });

  test('is the same for the same request, however it is written', () => {
    const { amount, ...rest } = samplePaymentRequest();
    const rewritten = {
      requestType: 'installment' as const,
      ...rest,
      amount: { currency: 'VND' as const, ...amount },
    };

    expect(idOf({ operation: 'initiatePayment', request: rewritten })).toBe(idOf(payment()));
    expect(idOf(upload({ file: { b: 1, a: 2 } }))).toBe(idOf(upload({ file: { a: 2, b: 1 } })));
  });

  test.each([
    ['a corrected order', payment(), payment({ description: 'corrected' })],
    ['another file', upload(), upload({ file: 'invoices/2.pdf' })],
    [
      'the same fields for another operation',
      newJob('paymentReceipt', '1'),
      newJob('repaymentAllocation', '1'),
    ],
  ])('is another for %s', (_, a, b) => {
    expect(idOf(a)).not.toBe(idOf(b));
  });

  test('has the account in it, so that two merchants with one order have two jobs', () => {
    expect(idOf(upload({ account: 'shop-1' }))).not.toBe(idOf(upload({ account: 'shop-2' })));
    expect(idOf(upload({ account: 'shop-1' }))).not.toBe(idOf(upload()));
    expect(idOf(upload({ account: { shop: 1, till: 2 } }))).toBe(
      idOf(upload({ account: { till: 2, shop: 1 } })),
    );
  });

  test('has the additional fields in it, where there are some', () => {
    const additionalFields = { voucher: 'A' };
    expect(idOf(upload({ additionalFields }))).not.toBe(idOf(upload()));
    expect(createJob(upload({ additionalFields })).data).toMatchObject({ additionalFields });
    expect(createJob(upload()).data).not.toHaveProperty('additionalFields');
  });

  test('belongs to the data after a journey through JSON, and to no other data', () => {
    const specs = [
      ...kinds.map((kind) => newJob(kind, 'R-1')),
      payment({
        items: [{ ...samplePaymentRequest().items[0], price: 0.1, quantity: 3, totalAmount: undefined }],
      }),
      upload({ account: [-0, 1e21, 'ố'], file: { b: [1], a: null }, additionalFields: { voucher: 'A' } }),
    ];
    for (const spec of specs) {
      const { id, name, data } = JSON.parse(JSON.stringify(createJob(spec))) as JobArguments;
      expect(hasOwnId(id, name, data)).toBe(true);
      expect(hasOwnId(id, name, { ...data, account: 'another' })).toBe(false);
    }
  });

  test('does not depend on whether it may have been sent: a sweeper adds the same job', () => {
    expect(idOf(upload({ mayHaveBeenSent: true }))).toBe(idOf(upload()));
  });

  test('does not depend on what is filled in', () => {
    const { requestId: _, requestingDatetime: __, ...request } = receipt();
    const job: NewJob = { operation: 'paymentReceipt', request };

    expect(idOf(job)).toBe(idOf(job));
    expect(createJob(job).data.request['requestId']).not.toBe(createJob(job).data.request['requestId']);
    expect(idOf({ operation: 'paymentReceipt', request: receipt() })).not.toBe(idOf(job));
  });

  test('stays short for a reference without a limit', () => {
    expect(idOf(newJob('paymentReceipt', 'ố'.repeat(1000))).length).toBeLessThan(160);
  });
});

describe('a job in the queue', () => {
  test('is the request as it is sent, which survives JSON', () => {
    const { data } = createJob({
      operation: 'repaymentAllocation',
      request: {
        contractNumber: 'C-1',
        requestingDatetime: new Date('2026-11-20T03:00:00Z'),
        repaymentTransactions: [transaction({ allocationDatetime: new Date('2026-11-20T02:00:00Z') })],
      },
      repeatUnknown: true,
    });

    expect(JSON.parse(JSON.stringify(data))).toEqual(data);
    expect(data).toMatchObject({
      repeatUnknown: true,
      request: {
        requestingDatetime: '2026-11-20T10:00:00+0700',
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
        repaymentTransactions: [
          { allocationDatetime: '2026-11-20T09:00:00+0700', allocatedTotal: 1_500_000 },
        ],
      },
    });
  });

  test('has nothing that the worker’s client fills in, unless it was given', () => {
    expect(createJob(payment()).data.request).not.toHaveProperty('merchantId');
    expect(createJob(payment({ merchantId: 'M-1' })).data.request).toHaveProperty('merchantId', 'M-1');
    for (const operation of ['paymentReceipt', 'repaymentAllocation'] as const) {
      const { request } = newJob(operation, '1');
      const without = { ...request, lenderCode: undefined, serviceApplicationId: undefined };
      const job = createJob({ operation, request: without } as NewJob);
      const { data } = JSON.parse(JSON.stringify(job)) as JobArguments;
      expect(data.request).not.toHaveProperty('lenderCode');
      expect(data.request).not.toHaveProperty('serviceApplicationId');
    }
  });

  test('has the account, and that it may have been sent', () => {
    expect(createJob(upload({ account: { shop: 1 }, mayHaveBeenSent: true })).data).toEqual({
      request: { referenceId: 'ORDER:1' },
      file: 'invoices/1.pdf',
      account: { shop: 1 },
      mayHaveBeenSent: true,
    });
    expect(createJob(upload({ mayHaveBeenSent: false })).data).not.toHaveProperty('mayHaveBeenSent');
  });

  test('says whether it may be repeated where that differs from the default of its operation', () => {
    const dataOf = (job: NewJob) => createJob(job).data;

    expect(dataOf(upload({ repeatUnknown: true }))).toHaveProperty('repeatUnknown', true);
    expect(dataOf(upload({ repeatUnknown: false }))).not.toHaveProperty('repeatUnknown');
    expect(dataOf({ ...payment(), repeatUnknown: false })).toHaveProperty('repeatUnknown', false);
    expect(dataOf(payment())).not.toHaveProperty('repeatUnknown');
  });

  test('does not change with the objects that it was made of', () => {
    const [file, account] = [{ name: 'invoices/1.pdf' }, { shops: [1] }];
    const { data } = createJob(upload({ file, account }));
    file.name = 'invoices/2.pdf';
    account.shops.push(2);
    expect(data).toMatchObject({ file: { name: 'invoices/1.pdf' }, account: { shops: [1] } });
  });

  test('has what names the file, and no file', () => {
    expect(createJob(upload()).data).toEqual({ request: { referenceId: 'ORDER:1' }, file: 'invoices/1.pdf' });
  });
});

describe('createJob refuses', () => {
  test.each<[string, unknown, string, string?]>([
    [
      'a broken rule, as the client would',
      payment({ amount: { value: 0 } }),
      'amount.value',
      'INVALID_AMOUNT',
    ],
    ['a request that is not an object', { operation: 'initiatePayment', request: 'ORDER-1' }, ''],
    [
      'a getter that throws',
      payment(Object.defineProperty({}, 'lang', { enumerable: true, get: () => 'x' })),
      'lang',
    ],
    ['an upload without a file', upload({ file: undefined }), 'file'],
    ['bytes', upload({ file: new Uint8Array(3) }), 'file'],
    ['a Buffer', upload({ file: Buffer.from('%PDF-1.7') }), 'file'],
    ['a Buffer that is wrapped', upload({ file: { data: Buffer.from('%PDF-1.7') } }), 'file'],
    ['bytes that are wrapped', upload({ file: { data: new Uint8Array(3) } }), 'file'],
    [
      'a file in the request',
      upload({ request: { referenceId: 'R', file: { path: '/etc/passwd' } } }),
      'file',
    ],
    ['a file of a payment', { ...payment(), file: 'x' }, 'file'],
    ['an account that does not survive JSON', { ...payment(), account: new Map() }, 'account'],
    ['a receipt with another file', { ...newJob('paymentReceipt', '1'), file: 'x' }, 'file'],
    [
      'additional fields of a receipt',
      { ...newJob('paymentReceipt', '1'), additionalFields: {} },
      'additionalFields',
    ],
    ['additional fields that are a list', upload({ additionalFields: ['A'] }), 'additionalFields'],
    ['an unknown field', upload({ request: { referenceId: 'R', invoice: 1 } }), 'invoice'],
  ])('%s', (_, job, path, resultStatus = 'INVALID_REQUEST') => {
    const error = thrownBy(() => createJob(job as NewJob)) as ValidationError;

    expect(error).toBeInstanceOf(ValidationError);
    expect(error.issues.map((issue) => [issue.path.join('.'), issue.resultStatus])).toEqual([
      [path, resultStatus],
    ]);
    expect(error.operation).toBe((job as NewJob).operation);
  });

  test('an unknown field of a payment or an upload is told where fields of other documents go', () => {
    const withField = (job: NewJob) =>
      ({ ...job, request: { ...job.request, voucher: 'A' } }) as unknown as NewJob;
    const hint = 'goes into the option additionalFields';
    expect((thrownBy(() => createJob(withField(payment()))) as Error).message).toContain(hint);
    expect((thrownBy(() => createJob(withField(upload()))) as Error).message).toContain(hint);
    const receipt = thrownBy(() => createJob(withField(newJob('paymentReceipt', '1')))) as Error;
    expect(receipt.message).not.toContain(hint);
  });

  test.each<[string, unknown]>([
    ['operation', { operation: 'refund', request: {} }],
    ['repeatUnknown', upload({ repeatUnknown: 'yes' })],
    ['mayHaveBeenSent', upload({ mayHaveBeenSent: 1 })],
    ['retries', upload({ retries: 3 })],
    ['options', undefined],
  ])('a wrong %s', (option, job) => {
    const error = thrownBy(() => createJob(job as NewJob));

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ option });
  });
});
