import { MockAgent } from 'undici';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Fetch } from '../../src/entries/index.js';
import {
  approvedInvoice,
  approvedPayment,
  demoClient,
  invoiceUpload,
  paymentRequest,
} from '../helpers/samples.js';
import { failure, summary } from './failure.js';
import { undiciFetch } from './undici-fetch.js';

let agent: MockAgent;
let fetch: Fetch;

beforeEach(() => {
  agent = new MockAgent();
  agent.disableNetConnect();
  fetch = undiciFetch(agent);
});
afterEach(async () => {
  await agent.close();
});

const intercept = (path: string) => agent.get('https://pay.example').intercept({ path, method: 'POST' });
const payments = () => intercept('/v2/payments');
const invoices = () => intercept('/v2/payments/upload-invoice');

test("undici's fetch sends a payment and an upload", async () => {
  payments().reply(200, approvedPayment());
  invoices().reply(200, approvedInvoice());
  const client = demoClient({ fetch });
  expect(await client.initiatePayment(paymentRequest())).toMatchObject({ resultStatus: 'APPROVED' });
  expect(await client.uploadInvoice(invoiceUpload())).toMatchObject({ invoiceId: 'INVOICE-1' });
  agent.assertNoPendingInterceptors();
});

test('a network error of undici is unknown, and an upload is sent once', async () => {
  invoices().replyWithError(Object.assign(new Error('reset'), { code: 'ECONNRESET', syscall: 'read' }));
  const error = await failure(demoClient({ fetch }).uploadInvoice(invoiceUpload()));
  expect(summary(error)).toEqual({ code: 'CONNECTION', outcome: 'unknown', retryable: false, attempts: 1 });
});

test('a connection that undici could not open is not_sent', async () => {
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' });
  invoices().replyWithError(refused).times(3);
  const error = await failure(demoClient({ fetch }).uploadInvoice(invoiceUpload()));
  expect(summary(error)).toEqual({ code: 'CONNECTION', outcome: 'not_sent', retryable: true, attempts: 3 });
});
