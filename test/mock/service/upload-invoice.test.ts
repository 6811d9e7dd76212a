import { beforeEach, describe, expect, test } from 'vitest';
import { createMockService, DEMO_MERCHANT } from '../../../src/entries/mock.js';
import { resultStatuses } from '../../../src/protocol/result-statuses.js';
import { signInvoice } from '../../../src/operations/signer.js';
import {
  initiate,
  now,
  order,
  ordered,
  pdf,
  upload,
  withHeaders,
  without,
  type PlainRequest,
  type UploadParts,
} from '../../helpers/signed-requests.js';

const mock = createMockService({
  now,
  merchants: [{ ...DEMO_MERCHANT, storeIds: ['STORE-01', 'STORE-02'] }],
});
const reference = 'ORDER:2026-0001';

async function answerOf(served: typeof mock, { path, init }: PlainRequest) {
  const response = await served.fetch(`https://mock.example${path}`, init);
  expect(response.status).toBe(200);
  return (await response.json()) as { readonly resultStatus: string; readonly resultMsg: string };
}

const send = (request: PlainRequest) => answerOf(mock, request);

const fiveMiB = 5 * 1024 * 1024;
const pdfOf = (size: number) => Buffer.concat([pdf, Buffer.alloc(size - pdf.length)]);
const withFile = (file: NonNullable<UploadParts['file']> | null) => upload({ file });
const withFields = (fields: Record<string, string>) => upload({ fields });
const url = (fileUrl: string) => upload({ file: null, fields: { fileUrl } });

/** A payment that has ended with a status, or a pending payment. */
async function payment(
  referenceId: string,
  settlement?: 'paid' | 'declined' | 'expired',
  changes: object = {},
) {
  await send(ordered({ ...changes, referenceId }));
  if (settlement) mock.settle(referenceId, settlement);
}

const onlyFile = /^The form must contain at most one file, in the field named file\.$/;
const wrongFile =
  /^The content of the file must be jpg, png, pdf or xml, and the name and declared type must/;
const asJson = upload({ headers: { 'content-type': 'application/json' } });
const wrongReference = withFields({ referenceId: 'OTHER' });
const pdfAsPng = { data: pdf, contentType: 'image/png' };

beforeEach(async () => {
  mock.reset();
  await payment(reference, 'paid');
});

describe('an upload', () => {
  const refused: [string, string, PlainRequest, RegExp][] = [
    [
      'FILE_TOO_LARGE',
      '6 MiB and more',
      withFile({ data: pdfOf(6 * 2 ** 20) }),
      /^The body is larger than 6 M/,
    ],
    ['INVALID_CLIENT_ID', 'an unknown client', upload({ headers: { 'Client-Id': 'nobody' } }), /Client-Id/],
    [
      'INVALID_REQUEST',
      'another content type',
      asJson,
      /^The Content-Type is not multipart\/form-data with a b/,
    ],
    [
      'INVALID_SIGNATURE',
      'another signature',
      upload({ signature: 'a'.repeat(64) }),
      /^The Signature header/,
    ],
    ['INVALID_SIGNATURE', 'no signature', without(upload(), 'Signature'), /^The Signature header/],
    ['INVALID_REQUEST', 'no time', without(upload(), 'Request-Time'), /^The Request-Time header/],
    ['INVALID_REQUEST', 'extraData that is not JSON', withFields({ extraData: '{' }), /^extraData: must be/],
    [
      'INVALID_REQUEST',
      'neither a file nor a fileUrl',
      withFile(null),
      /^Either file or fileUrl is required/,
    ],
    ['INVALID_REQUEST', 'an empty file', withFile({ data: Buffer.alloc(0) }), /^The file is empty\.$/],
    ['INVALID_REQUEST', 'a file in another field', withFile({ data: pdf, field: 'x' }), onlyFile],
    [
      'INVALID_REQUEST',
      'a fileUrl that is not https',
      url('http://x.example/a.pdf'),
      /must be an absolute ht/,
    ],
    [
      'INVALID_MERCHANT_ID',
      'another merchant',
      withFields({ merchantId: 'OTHER' }),
      /does not belong to the c/,
    ],
    [
      'INVALID_STORE_ID',
      'an empty store',
      withFields({ storeId: '' }),
      /^The storeId does not belong to the merchant\.$/,
    ],
    ['INVALID_STORE_ID', 'an unknown store', withFields({ storeId: 'S' }), /does not belong to the merchant/],
    ['INVALID_REFERENCE_ID', 'a space', withFields({ referenceId: 'a b' }), /^referenceId: must be 1 to 60/],
    ['INVALID_REFERENCE_ID', 'no payment', wrongReference, /^No payment has this referenceId\.$/],
    ['FILE_TOO_LARGE', 'one byte over 5 MiB', withFile({ data: pdfOf(fiveMiB + 1) }), /larger than 5 MB\.$/],
    ['INVALID_FILE_TYPE', 'another type of content', withFile({ data: Buffer.from('GIF89a') }), wrongFile],
    ['INVALID_FILE_TYPE', 'another name', withFile({ data: pdf, filename: 'a.png' }), wrongFile],
    ['INVALID_FILE_TYPE', 'another declared type', withFile(pdfAsPng), wrongFile],
    [
      'INVALID_FILE_TYPE',
      'a fileUrl of another type',
      url('https://x.example/a.exe'),
      /^fileUrl: must end in/,
    ],
  ];

  test.each(refused)('is refused with %s for %s', async (resultStatus, _cause, request, message) => {
    const { resultMsg, ...rest } = await send(request);
    expect(rest.resultStatus).toBe(resultStatus);
    expect(resultMsg).toMatch(message);
    expect(resultMsg).not.toMatch(/leave it out|derived|or an object/);
    expect(mock.invoices.all()).toStrictEqual([]);
    expect(mock.journal.get(2)).toMatchObject({ resultStatus, resultMsg, acted: false, completed: true });
  });

  test.each<[string, PlainRequest]>([
    ['exactly 5 MiB', withFile({ data: pdfOf(fiveMiB) })],
    ['a fileUrl in place of the file', url('https://files.example/invoice.pdf?signature=x')],
    [
      'every field',
      withFields({
        paymentTransId: 'PT-00000001',
        storeId: 'STORE-01',
        invoiceNumber: 'INV-1',
        invoiceDate: '2026-11-20T03:04:05Z',
        description: 'Tivi',
        extraData: '{"till":4}',
        fileUrl: 'https://x.example/i.png',
      }),
    ],
  ])('is approved with %s', async (_title, request) => {
    expect(await send(request)).toMatchObject({ resultStatus: 'APPROVED' });
    expect(mock.invoices.all()).toHaveLength(1);
  });

  test('has a cause in this test for every documented status', () => {
    const elsewhere = ['APPROVED', 'LIMIT_EXCEEDED', 'ACCESS_DENIED', 'ERROR_GENERAL'];
    const caused = new Set([...refused.map(([resultStatus]) => resultStatus), ...elsewhere]);
    expect(Object.keys(resultStatuses.uploadInvoice).filter((status) => !caused.has(status))).toEqual([]);
  });

  test('accepts a signature in hex in upper or lower case', async () => {
    const Signature = upload().init.headers['Signature']?.toUpperCase() ?? '';
    expect(await send(withHeaders(upload(), { Signature }))).toMatchObject({ resultStatus: 'APPROVED' });
  });

  test('is accepted with unknown text fields, which its entry lists and its invoice keeps', async () => {
    expect(await send(withFields({ till: '4' }))).toMatchObject({ resultStatus: 'APPROVED' });
    expect(mock.journal.get(2)).toMatchObject({ unknownFields: ['till'], fields: { till: '4' } });
    expect(mock.invoices.all()).toMatchObject([{ fields: { till: '4' } }]);
  });

  test('is refused with two files', async () => {
    const form = new FormData();
    form.append('merchantId', 'DEMO-MERCHANT');
    form.append('referenceId', reference);
    for (const name of ['file', 'file2'])
      form.append(name, new Blob([pdf], { type: 'application/pdf' }), 'a.pdf');
    const { path, init } = without(upload(), 'content-type');
    const response = await mock.fetch(`https://mock.example${path}`, { ...init, body: form });
    expect(await response.json()).toStrictEqual({
      referenceId: reference,
      resultStatus: 'INVALID_REQUEST',
      resultMsg: 'The form must contain at most one file, in the field named file.',
    });
  });

  test('is refused as malformed without a merchantId', async () => {
    const form = `--B\r\nContent-Disposition: form-data; name="referenceId"\r\n\r\n${reference}\r\n--B--\r\n`;
    const Signature = signInvoice({ referenceId: reference }, DEMO_MERCHANT.secretKey);
    const request = withHeaders(upload(), { 'content-type': 'multipart/form-data; boundary=B', Signature });
    expect(await send({ ...request, init: { ...request.init, body: form } })).toMatchObject({
      resultStatus: 'INVALID_REQUEST',
      resultMsg: 'merchantId: is required and must be a string.',
    });
  });

  test('is refused for an inactive merchant', async () => {
    const inactive = createMockService({ merchants: [{ ...DEMO_MERCHANT, active: false }] });
    expect(await answerOf(inactive, upload())).toMatchObject({ resultStatus: 'ACCESS_DENIED' });
  });

  test('belongs to the payment of its own merchant', async () => {
    const other = { ...DEMO_MERCHANT, clientId: 'other-client', merchantId: 'OTHER-MERCHANT' };
    const two = createMockService({ now, uploads: 'any', merchants: [DEMO_MERCHANT, other] });
    await answerOf(two, initiate());
    const headers = { 'Client-Id': other.clientId };
    const request = upload({ fields: { merchantId: other.merchantId }, headers });
    expect(await answerOf(two, request)).toMatchObject({ resultStatus: 'INVALID_REFERENCE_ID' });
    await answerOf(two, initiate(order({ merchantId: other.merchantId }), { headers }));
    expect(await answerOf(two, request)).toMatchObject({ resultStatus: 'APPROVED' });
    expect(two.payments.get(reference, other.merchantId)?.merchantId).toBe('OTHER-MERCHANT');
    expect(two.payments.get(reference)?.merchantId).toBe('DEMO-MERCHANT');
  });

  test('has the canonical string of its fields in the diagnosis of a wrong signature', async () => {
    await send(upload({ signature: 'a'.repeat(64) }));
    expect(mock.journal.get(2)?.diagnosis).toMatchObject({
      cause: 'unexplained',
      received: 'a'.repeat(64),
      expected: upload().init.headers['Signature'],
    });
  });
});

describe('the payment of an upload', () => {
  const any = createMockService({ now, uploads: 'any' });

  test.each(['declined', 'expired'] as const)('accepts no invoice once it is %s', async (settlement) => {
    await payment('ENDED', settlement);
    any.reset();
    await answerOf(any, ordered({ referenceId: 'ENDED' }));
    any.settle('ENDED', settlement);
    for (const served of [mock, any]) {
      expect(await answerOf(served, withFields({ referenceId: 'ENDED' }))).toStrictEqual({
        referenceId: 'ENDED',
        resultStatus: 'INVALID_REFERENCE_ID',
        resultMsg: `The payment is ${settlement}: invoices are accepted only after it is paid.`,
      });
    }
  });

  test("accepts invoices while it is pending only with the option uploads: 'any'", async () => {
    await payment('PENDING');
    const pending =
      "The payment is pending: invoices are accepted only after it is paid. In a test, call mock.settle('PENDING', 'paid') first.";
    expect(await send(withFields({ referenceId: 'PENDING' }))).toMatchObject({ resultMsg: pending });
    any.reset();
    await answerOf(any, initiate());
    expect(await answerOf(any, upload())).toStrictEqual({
      referenceId: reference,
      invoiceId: 'INV-00000001',
      uploadedAt: '2026-11-20T03:04:05Z',
      resultStatus: 'APPROVED',
      resultMsg: 'The invoice was stored.',
    });
    expect(any.invoices.all()[0]).not.toHaveProperty('paymentTransId');
  });

  test.each<[string, Record<string, string>, string, string]>([
    [
      'no store',
      {},
      'INVALID_REQUEST',
      'storeId is required, because the paymentMethod of the payment is POS.',
    ],
    [
      'another store',
      { storeId: 'STORE-02' },
      'INVALID_STORE_ID',
      'The storeId differs from the storeId of the POS payment.',
    ],
    ['its store', { storeId: 'STORE-01' }, 'APPROVED', 'The invoice was stored.'],
  ])(
    'needs the store if it was made in a store: with %s',
    async (_title, fields, resultStatus, resultMsg) => {
      await payment('IN-STORE', 'paid', { paymentMethod: 'POS' });
      expect(await send(withFields({ referenceId: 'IN-STORE', ...fields }))).toMatchObject({
        resultStatus,
        resultMsg,
      });
    },
  );

  test('accepts three invoices, and a fourth after one of them was removed', async () => {
    for (const invoiceId of ['INV-00000001', 'INV-00000002', 'INV-00000003']) {
      expect(await send(upload())).toStrictEqual({
        referenceId: reference,
        invoiceId,
        paymentTransId: 'PT-00000001',
        uploadedAt: '2026-11-20T03:04:05Z',
        resultStatus: 'APPROVED',
        resultMsg: 'The invoice was stored.',
      });
    }
    expect(await send(upload())).toStrictEqual({
      referenceId: reference,
      resultStatus: 'LIMIT_EXCEEDED',
      resultMsg: 'The referenceId already has 3 invoices.',
    });

    expect(mock.invoices.remove('INV-00000002')).toMatchObject({ invoiceId: 'INV-00000002' });
    expect(await send(upload())).toMatchObject({ invoiceId: 'INV-00000004' });
    expect(await send(upload())).toMatchObject({ resultStatus: 'LIMIT_EXCEEDED' });
  });

  test.each(['paid', 'pending'])('refuses another paymentTransId while it is %s', async (status) => {
    any.reset();
    await answerOf(any, initiate());
    if (status === 'paid') any.settle(reference, 'paid');
    expect(await answerOf(any, withFields({ paymentTransId: 'PT-7' }))).toMatchObject({
      resultStatus: 'INVALID_REFERENCE_ID',
      resultMsg: 'The paymentTransId does not belong to this payment.',
    });
    expect(await answerOf(any, withFields({ paymentTransId: '' }))).toMatchObject({
      resultStatus: 'APPROVED',
    });
  });

  test('keeps the fields and the facts of the file', async () => {
    const fields = { description: 'Tivi', paymentTransId: 'PT-00000001' };
    expect(await send(withFields(fields))).toMatchObject({ paymentTransId: 'PT-00000001' });
    expect(mock.invoices.all()).toStrictEqual([
      {
        invoiceId: 'INV-00000001',
        referenceId: reference,
        merchantId: 'DEMO-MERCHANT',
        uploadedAt: now(),
        paymentTransId: 'PT-00000001',
        fields: { merchantId: 'DEMO-MERCHANT', referenceId: reference, ...fields },
        file: {
          field: 'file',
          name: 'invoice.pdf',
          type: 'application/pdf',
          size: pdf.length,
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        },
      },
    ]);
  });
});

describe('a fileUrl', () => {
  const fileUrl = 'https://files.example/a.pdf';

  test('is kept if there is no file', async () => {
    await send(url(fileUrl));
    const [invoice] = mock.invoices.all();
    expect(invoice).toMatchObject({ fileUrl, fields: { fileUrl } });
    expect(invoice).not.toHaveProperty('file');
  });

  test.each(['http://files.example/invoice.pdf', 'https://files.example/invoice.exe', 'no URL'])(
    'is not checked if a file is sent too: %s',
    async (wrong) => {
      expect(await send(withFields({ fileUrl: wrong }))).toMatchObject({ resultStatus: 'APPROVED' });
      expect(mock.invoices.all()[0]).not.toHaveProperty('fileUrl');
    },
  );

  test('does not replace a refused file', async () => {
    const beside = (data: Buffer) => upload({ fields: { fileUrl }, file: { data } });
    expect(await send(beside(Buffer.from('GIF89a')))).toMatchObject({ resultStatus: 'INVALID_FILE_TYPE' });
    expect(await send(beside(Buffer.alloc(0)))).toMatchObject({ resultStatus: 'INVALID_REQUEST' });
  });
});
