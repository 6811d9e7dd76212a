import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { InvoiceUpload, SignedInvoiceFields } from '../../src/entries/index.js';
import { recordingServer, type RecordedRequest, type RecordingServer } from '../helpers/recording-server.js';
import { manualRuntime } from '../helpers/runtime.js';
import {
  approvedInvoice,
  approvedPayment,
  demoClient,
  files,
  invoiceUpload,
  paymentRequest,
} from '../helpers/samples.js';
import { answering } from '../helpers/scripted-fetch.js';
import { vectors } from '../helpers/vectors.js';

let server: RecordingServer;
beforeAll(async () => {
  server = await recordingServer();
});
afterAll(() => server.close());

const recorded = (name: string) => readFileSync(new URL(`../fixtures/${name}.http`, import.meta.url));

// The headers of node:http; all others come from this package.
const ofTheRuntime: ReadonlySet<string> = new Set(['host', 'connection']);

/** The request as it arrived, without what node:http adds, and with the two versions of User-Agent blanked out. */
function ours({ head, body }: RecordedRequest): Buffer {
  const lines = head
    .split('\r\n')
    .filter((line, index) => index === 0 || !ofTheRuntime.has(line.slice(0, line.indexOf(':')).toLowerCase()))
    .map((line) =>
      line.replace(/^(User-Agent: installment-payments)\/\S+ node\/\S+$/, '$1/<version> node/<version>'),
    );
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

function lastRequest(): RecordedRequest {
  const request = server.requests.at(-1);
  if (!request) throw new Error('a request was expected');
  return request;
}

// The last second of the year in UTC is the new year's first hours in Vietnam.
const clock = () =>
  manualRuntime({ startsAt: '2026-12-31T17:00:00.999Z', boundary: `${'-'.repeat(26)}fixed` });
const client = () =>
  demoClient(
    { baseUrl: `${server.url}/gateway/`, secretKey: 'khoá-bí-mật', headers: { 'X-Trace': 'trace 1' } },
    clock(),
  );

test('a header of a call replaces the same header of the client, in any case, and keeps the others', async () => {
  const options = { headers: { 'X-Trace': 'a', 'X-Own': 'b' } };
  const own = demoClient({ baseUrl: server.url, ...options });
  server.answer({ body: approvedPayment() });
  await own.initiatePayment(paymentRequest(), { headers: { 'x-trace': 'c' } });
  const { head } = lastRequest();
  expect(head.match(/^x-(?:trace|own): .*$/gim)?.sort()).toEqual(['X-Own: b', 'x-trace: c']);
  // If there are two headers, node:http sends the last one, and fetch joins them.
  const { fetch, requests } = answering(approvedPayment());
  await demoClient({ fetch, ...options }).initiatePayment(paymentRequest(), { headers: { 'x-trace': 'c' } });
  expect(requests[0]?.headers.get('x-trace')).toBe('c');
});

const upload: InvoiceUpload = invoiceUpload({
  file: { data: files.pdf, filename: '/tmp/hóa đơn.pdf' },
  fileUrl: 'https://files.example/invoice.pdf?token=1',
  extraData: { till: 4, note: 'tủ "lạnh"' },
  description: 'line one\nline two & a=b 📄',
  invoiceDate: new Date('2026-12-31T16:59:59.999Z'),
  invoiceNumber: 'INV-1',
  paymentTransId: 'PT-778',
});

describe('the exact bytes', () => {
  test('do not change for an initiate request', async () => {
    server.answer({ body: approvedPayment() });
    await client().initiatePayment({
      ...paymentRequest(),
      sendSms: false,
      installment: { packageId: 'PKG-6' },
      lang: 'vi',
      description: 'Tủ lạnh hai cánh 📄',
      successRedirectUrl: 'https://shop.example/paid?order=1&ok',
      unSuccessRedirectUrl: 'shopapp://not-paid',
      items: [
        { productId: 'SKU-1', productName: 'Tủ lạnh', category: 'appliance', quantity: 2, price: 6_000_000 },
      ],
      customer: {
        phoneNumber: '+84912345678',
        email: 'an@example.com',
        firstName: 'An',
        lastName: 'Nguyễn',
        gender: 'F',
        dateOfBirth: '29-02-2000',
      },
    });
    expect(ours(lastRequest()).toString()).toBe(recorded('initiate-payment').toString());
    expect(ours(lastRequest()).equals(recorded('initiate-payment'))).toBe(true);
  });

  test('do not change for an upload', async () => {
    server.answer({ body: approvedInvoice() });
    await client().uploadInvoice(upload);
    expect(ours(lastRequest()).toString('latin1')).toBe(recorded('upload-invoice').toString('latin1'));
  });

  test('do not repeat a header', async () => {
    server.answer({ body: approvedPayment() });
    await client().initiatePayment(paymentRequest());
    const names = lastRequest()
      .head.split('\r\n')
      .slice(1)
      .map((line) => line.split(':', 1)[0]?.toLowerCase());
    expect(names).toEqual([...new Set(names)]);
  });
});

const isLegal = ({ fields }: { fields: SignedInvoiceFields }) =>
  /^[\w:-]+$/.test(fields.referenceId ?? '') && fields.invoiceDate !== 'same';

/** A developer's input for exactly these fields. */
const given = (fields: SignedInvoiceFields): InvoiceUpload => ({
  fileUrl: 'https://files.example/a.pdf',
  ...(fields as InvoiceUpload),
});

describe('the switches of the wire allow', () => {
  test('base64 signatures', async () => {
    server.answer({ body: approvedPayment() });
    await demoClient({ baseUrl: server.url }).initiatePayment(paymentRequest());
    const hex = lastRequest().headers['signature'] ?? '';
    await demoClient({ baseUrl: server.url, wire: { signatureEncoding: 'base64' } }).initiatePayment(
      paymentRequest(),
    );
    expect(lastRequest().headers['signature']).toBe(Buffer.from(hex, 'hex').toString('base64'));
  });

  test('hex alone for uploads, as documented', async () => {
    const vector = vectors.invoice.find(isLegal);
    if (!vector) throw new Error('a vector of a legal upload was expected');
    const { fields, secretKey, signature } = vector;
    server.answer({ body: approvedInvoice({ referenceId: fields.referenceId }) });
    const own = { secretKey, storeId: undefined, merchantId: undefined };
    const wire = { signatureEncoding: 'base64' } as const;
    await demoClient({ baseUrl: server.url, wire, ...own }).uploadInvoice(given(fields));
    expect(lastRequest().headers['signature']).toBe(signature);
  });

  test('a different offset of Request-Time', async () => {
    server.answer({ body: approvedPayment() });
    const wire = { requestTimeOffset: '-03:30' };
    await demoClient({ baseUrl: server.url, wire }, clock()).initiatePayment(paymentRequest());
    expect(lastRequest().headers['request-time']).toBe('2026-12-31 13:30:00');
  });

  test('absent fields that are left out of the canonical string', async () => {
    server.answer({ body: approvedInvoice() });
    await demoClient({ baseUrl: server.url, wire: { absentFields: 'omit' } }).uploadInvoice(invoiceUpload());
    const canonical = 'merchantId=DEMO-MERCHANT&referenceId=ORDER:2026-0001&storeId=STORE-01';
    expect(lastRequest().headers['signature']).toBe(
      createHmac('sha256', 'demo-secret').update(canonical).digest('hex'),
    );
  });
});
