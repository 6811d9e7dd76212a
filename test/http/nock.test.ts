import nock from 'nock';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { FaultServer } from '../faults/fault-server.js';
import { json } from '../faults/steps.js';
import { fileOf, parseMultipart, type FormPart } from '../helpers/parse-multipart.js';
import {
  approvedInvoice,
  approvedPayment,
  demoClient,
  files,
  invoiceUpload,
  paymentRequest,
} from '../helpers/samples.js';
import { failure, summary } from './failure.js';

beforeAll(() => {
  nock.disableNetConnect();
});
afterEach(() => {
  nock.abortPendingRequests();
  nock.cleanAll();
  nock.disableNetConnect();
});
afterAll(() => {
  nock.restore();
});

const systemError = (code: string) => Object.assign(new Error(code), { code });

describe('nock', () => {
  const baseUrl = 'https://pay.example';
  const payments = () => nock(baseUrl).post('/v2/payments');
  const invoices = () => nock(baseUrl).post('/v2/payments/upload-invoice');

  test('responds to a payment, and sees its headers and JSON', async () => {
    const order = paymentRequest();
    const scope = nock(baseUrl)
      .matchHeader('client-id', 'demo-client')
      .matchHeader('signature', /^[0-9a-f]{64}$/)
      .post('/v2/payments', ({ referenceId }: { referenceId: string }) => referenceId === order.referenceId)
      .reply(200, approvedPayment());
    const payment = await demoClient({ baseUrl }).initiatePayment(order);
    expect(payment.$metadata.attempts).toMatchObject([{ outcome: 'accepted', phase: 'complete' }]);
    scope.done();
  });

  test('responds to an upload, and sees its form', async () => {
    let parts: Promise<FormPart[]> | undefined;
    invoices().reply(200, function (_uri, body) {
      // A body that is not UTF-8 arrives as hexadecimal text.
      const bytes = Buffer.from(body as string, 'hex');
      parts = parseMultipart(String(this.req.headers['content-type']), bytes);
      return approvedInvoice();
    });
    await demoClient({ baseUrl }).uploadInvoice(invoiceUpload());
    expect(fileOf((await parts) ?? []).bytes).toEqual(files.pdf);
  });

  test('causes an unknown outcome with a network error that does not name the connection', async () => {
    payments().times(3).replyWithError(systemError('ECONNRESET'));
    const payment = await failure(demoClient({ baseUrl }).initiatePayment(paymentRequest()));
    expect(summary(payment)).toEqual({
      code: 'CONNECTION',
      outcome: 'unknown',
      retryable: true,
      attempts: 3,
    });

    invoices().replyWithError('broken');
    const upload = await failure(demoClient({ baseUrl }).uploadInvoice(invoiceUpload()));
    expect(summary(upload)).toEqual({
      code: 'CONNECTION',
      outcome: 'unknown',
      retryable: false,
      attempts: 1,
    });
  });
});

test('a host that nock permits receives the request as it was signed', async () => {
  nock.enableNetConnect('127.0.0.1');
  await using real = await FaultServer.start([json(approvedInvoice())]);
  await demoClient({ baseUrl: real.url }).uploadInvoice(invoiceUpload());
  expect(real.requests.map(({ complete }) => complete)).toEqual([true]);
  expect(real.requests[0]?.body.includes(files.pdf)).toBe(true);
});
