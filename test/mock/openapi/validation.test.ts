import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createMockService } from '../../../src/entries/mock.js';
import { invoiceUploadWireSchema } from '../../../src/protocol/invoice-schema.js';
import { paymentRequestSchema } from '../../../src/protocol/payment-schema.js';
import { allocation, demoLender, receipt } from '../../helpers/lender-samples.js';
import { addresses, noAddresses } from '../../helpers/addresses.js';
import { approvedPayment, demo, demoClient, paymentRequest } from '../../helpers/samples.js';

const { components } = JSON.parse(await readFile('openapi.json', 'utf8')) as {
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
};

// A user of the document would set the validator up like this. Only our own extension is unknown to it.
const ajv = new Ajv2020({ strict: true });
ajv.addVocabulary(['x-assumption']);
addFormats.default(ajv);

/** The problems that a validator finds in a body with only the document. */
function problemsIn(name: string, body: unknown): string[] {
  const schema = components.schemas[name];
  if (!schema) throw new Error(`no schema ${name}`);
  const validate = ajv.compile(schema);
  validate(body);
  return (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
}

/** The JSON that was sent to a mock, and the JSON of its response. */
function recordedMock() {
  const mock = createMockService({ uploads: 'any' });
  const sent: unknown[] = [];
  const answered: unknown[] = [];
  const fetch: typeof mock.fetch = async (input, init) => {
    const request = new Request(input, init);
    const body = await request.clone().text();
    if (body.startsWith('{')) sent.push(JSON.parse(body));
    const response = await mock.fetch(request, { baseUrl: new URL(request.url).origin });
    answered.push(await response.clone().json());
    return response;
  };
  return { sent, answered, fetch };
}

describe('a validator that uses only openapi.json', () => {
  test('accepts the requests of a merchant’s client, and every response of the mock', async () => {
    const { sent, answered, fetch } = recordedMock();
    const client = demoClient({ fetch });
    const order = paymentRequest({
      successRedirectUrl: 'https://shop.example/đã-trả?x=á',
      seller: { id: 'SELLER-1', email: 'none' },
    });

    await client.initiatePayment(order);
    await expect(client.initiatePayment({ ...order, description: 'another' })).rejects.toThrow('DUPLICATE');
    await client.uploadInvoice({ referenceId: order.referenceId, fileUrl: 'https://shop.example/i.pdf' });

    expect(sent.map((body) => problemsIn('PaymentRequest', body))).toEqual([[], []]);
    expect(answered.slice(0, 2).map((body) => problemsIn('Payment', body))).toEqual([[], []]);
    expect(answered.slice(2).map((body) => problemsIn('Invoice', body))).toEqual([[]]);
  });

  test('accepts the requests of a lender’s client', async () => {
    const { sent, fetch } = recordedMock();
    const lender = demoLender({ fetch });

    await lender.notifyPaymentReceipt(receipt());
    await lender.notifyPaymentReceipt(receipt({ receivedStatus: 'REVERSED', reversalReason: 'bounced' }));
    await lender.notifyRepaymentAllocation(allocation());

    const [first, reversal, allocated] = sent;
    expect(problemsIn('PaymentReceiptNotification', first)).toEqual([]);
    expect(problemsIn('PaymentReceiptNotification', reversal)).toEqual([]);
    expect(problemsIn('RepaymentAllocationNotification', allocated)).toEqual([]);
  });

  const { merchantId, storeId, platformId } = demo;
  const wire = paymentRequestSchema.parse({ merchantId, storeId, platformId, ...paymentRequest() });
  test.each([
    ['an empty order', { ...wire, items: [] }, '/items minItems'],
    ['a reference with a space', { ...wire, referenceId: 'ORDER 1' }, '/referenceId pattern'],
    [
      'no e-mail address',
      { ...wire, customer: { ...wire.customer, email: 'an' } },
      '/customer/email pattern',
    ],
  ])('refuses %s', (_name, body, problem) => {
    expect(problemsIn('PaymentRequest', body)).toContain(problem);
  });

  test('accepts additional fields at every level', () => {
    const customer = { ...wire.customer, idNumber: '1' };
    expect(problemsIn('PaymentRequest', { ...wire, voucher: 'A', customer })).toEqual([]);
    const upload = { merchantId: 'M', referenceId: 'R', file: 'bytes', voucher: 'A' };
    expect(problemsIn('InvoiceUpload', upload)).toEqual([]);
    expect(problemsIn('PaymentReceiptNotification', { ...receipt(), voucher: 'A' })).toEqual([]);
  });

  test('refuses a reversal without a reason, and an approval without a paymentUrl', () => {
    const { reversalReason: _reason, ...unexplained } = receipt({ receivedStatus: 'REVERSED' }) as {
      reversalReason?: string;
    };
    expect(problemsIn('PaymentReceiptNotification', unexplained)).toContain(' required');
    expect(problemsIn('Payment', { resultStatus: 'APPROVED' })).toContain(' required');
  });

  test('requires every field of an approved payment that the specification requires, and only the status of a refusal', () => {
    const { qrData: _qrData, ...required } = approvedPayment({ qrData: 'optional' });
    expect(problemsIn('Payment', required)).toEqual([]);
    for (const name of Object.keys(required)) {
      const without = Object.fromEntries(Object.entries(required).filter(([each]) => each !== name));
      expect([name, problemsIn('Payment', without)]).toEqual([name, expect.arrayContaining([' required'])]);
    }
    expect(problemsIn('Payment', { resultStatus: 'ACCESS_DENIED' })).toEqual([]);
    expect(problemsIn('Payment', {})).toEqual([' required']);
  });

  test.each<[string, readonly string[]]>([
    [
      'fileUrl',
      [
        '/i.pdf',
        '/i.JPEG?as=i.xml',
        '/i#i.gif',
        '/a.gif/i',
        '/v1.2',
        '',
        '/i.xml',
        '/i.GIF?as=i.pdf',
        '/i.pdf.exe#i.pdf',
      ].map((path) => `https://a.zip${path}`),
    ],
    ['fileUrl', ['', 'https://', 'http://a.example/i.pdf', 'i.pdf']],
    [
      'extraData',
      [
        '{}',
        '{"till":4}',
        ' [1]\n',
        '"a \\u00e1 \\""',
        '-1.5e+3',
        'true',
        'null',
        '',
        'till 4',
        '{',
        '"',
        '01',
        "'a'",
        'undefined',
        'truefalse',
        '{}x',
      ],
    ],
    ['storeId', ['STORE-01', '']],
  ])('judges the %s of an upload as the client does', (name, values) => {
    for (const value of values) {
      const fields = { merchantId: 'M', referenceId: 'R', fileUrl: 'https://a.example/i.pdf', [name]: value };
      const isAccepted = invoiceUploadWireSchema.safeParse(fields).success;
      expect([value, problemsIn('InvoiceUpload', fields).length === 0]).toEqual([value, isAccepted]);
    }
  });

  test('refuses an empty file', () => {
    const upload = { merchantId: 'M', referenceId: 'R', file: '' };
    expect(problemsIn('InvoiceUpload', upload)).toEqual(['/file minLength']);
  });

  test.each([
    ['https', { fileUrl: 'https://shop.example/i.pdf' }, []],
    ['http', { fileUrl: 'http://shop.example/i.pdf' }, ['/fileUrl pattern', ' required', ' anyOf']],
    ['http beside a file', { file: 'bytes', fileUrl: 'http://shop.example/i.pdf' }, []],
  ])('judges the fileUrl of an upload as the client does: %s', (_name, fields, problems) => {
    const found = problemsIn('InvoiceUpload', { merchantId: 'M', referenceId: 'R', ...fields });
    expect(found.sort()).toEqual([...problems].sort());
  });

  test('judges e-mail addresses as the client does', () => {
    for (const email of [...addresses, ...noAddresses]) {
      const customer = { ...wire.customer, email };
      const isAccepted = paymentRequestSchema.safeParse({ ...wire, customer }).success;
      expect([email, problemsIn('PaymentRequest', { ...wire, customer }).length === 0]).toEqual([
        email,
        isAccepted,
      ]);
    }
  });
});
