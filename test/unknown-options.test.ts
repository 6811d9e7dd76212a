import { describe, expect, it } from 'vitest';
import { InstallmentClient } from '../src/entries/index.js';
import { LenderClient } from '../src/entries/lender.js';
import { createMockService } from '../src/entries/mock.js';
import { connectMock } from '../src/entries/remote.js';
import { instrument } from '../src/entries/opentelemetry.js';
import { createOrderPayments } from '../src/entries/orders.js';
import { createWebhookHandler, verifyWebhook } from '../src/entries/webhooks.js';
import { demo, demoClient, invoiceUpload, paymentRequest, rejection } from './helpers/samples.js';
import { unreachable } from './helpers/scripted-fetch.js';

/** Options as JavaScript passes them. */
const options = (written: string): object => ({ [written]: {} });
const client = () => demoClient({ fetch: unreachable().fetch });
const mock = createMockService();
const orders = () =>
  createOrderPayments({
    client: client(),
    dialect: 'sqlite',
    query: () => Promise.resolve([]),
    onPaid: 'firstPaid',
  });
const secretKey = 'demo-secret';
const onEvent = () => undefined;

const takers: readonly (readonly [written: string, meant: string, pass: (options: never) => unknown])[] = [
  ['maxRetrys', 'maxRetries', (wrong: object) => new InstallmentClient({ ...demo, ...wrong })],
  [
    'timeout',
    'attemptTimeoutMs or totalTimeoutMs',
    (wrong: object) => new InstallmentClient({ ...demo, ...wrong }),
  ],
  [
    'timeoutMs',
    'attemptTimeoutMs or totalTimeoutMs',
    (wrong) => client().initiatePayment(paymentRequest(), wrong),
  ],
  ['base_url', 'baseUrl', (wrong: object) => new InstallmentClient(wrong)],
  ['beforeSent', 'beforeSend', (hooks) => new InstallmentClient({ ...demo, hooks })],
  ['absentField', 'absentFields', (wire) => new InstallmentClient({ ...demo, wire })],
  ['totaltimeout_ms', 'totalTimeoutMs', (wrong) => client().withOptions(wrong)],
  ['lendercode', 'lenderCode', (wrong) => new LenderClient(wrong)],
  ['idempotency_key', 'idempotencyKey', (wrong) => client().initiatePayment(paymentRequest(), wrong)],
  ['onUploadProgres', 'onUploadProgress', (wrong) => client().uploadInvoice(invoiceUpload(), wrong)],
  ['polcy', 'policy', (wrong) => client().post('/v2/payments/status', {}, wrong)],
  ['merchant', 'merchants', (wrong) => createMockService(wrong)],
  ['storeIDs', 'storeIds', (wrong) => createMockService({ merchants: [wrong] })],
  ['secretkey', 'secretKey', (webhook) => createMockService({ webhook })],
  ['time', 'times', (wrong) => mock.respondWith('initiatePayment', { httpStatus: 500 }, wrong)],
  ['resultstatus', 'resultStatus', (answer) => mock.respondWith('initiatePayment', answer)],
  ['phases', 'phase', (wrong) => mock.injectFault('initiatePayment', 'hang', wrong)],
  ['timeoutms', 'timeoutMs', (wrong) => mock.journal.waitFor({}, wrong)],
  ['waitms', 'waitMs', (wrong) => connectMock('http://127.0.0.1:4010', wrong)],
  ['onevent', 'onEvent', (wrong: object) => createWebhookHandler({ secretKey, onEvent, ...wrong })],
  ['secretKeys', 'secretKey', (wrong) => verifyWebhook({ body: '', signature: '' }, wrong)],
  [
    'storages',
    'storage',
    (wrong: object) => createOrderPayments({ client: client(), onPaid: 'firstPaid', ...wrong }),
  ],
  ['acount', 'account', (wrong) => orders().start('1', undefined, wrong)],
  ['limits', 'limit', (wrong) => orders().sweep(wrong)],
  ['tracerprovider', 'tracerProvider', (wrong) => instrument(wrong)],
];

describe('a misspelled option', () => {
  it.each(takers)('%s is answered with the one that was meant: %s', async (written, meant, pass) => {
    const error = (await rejection(Promise.resolve().then(() => pass(options(written) as never)))) as Error;
    expect(error.message).toMatch(
      new RegExp(`\\b${written}\\b[^;]* unknown option: did you mean ${meant}\\?`),
    );
  });
});

it('an option that resembles none is only called unknown', () => {
  expect(() => new InstallmentClient({ ...demo, ...options('proxy') })).toThrow(
    /proxy is an unknown option$/,
  );
});

it('an option that may be data is not quoted', () => {
  const wrong = options('merchantId 0912345678');
  expect(() => new InstallmentClient({ ...demo, ...wrong })).toThrow(/\[redacted\] is an unknown option$/);
});
