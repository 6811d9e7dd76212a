import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LenderClient } from '../../src/entries/lender.js';
import { InstallmentClient } from '../../src/entries/index.js';
import { samplePaymentRequest } from '../../src/entries/mock.js';
import { receipt } from '../helpers/lender-samples.js';
import { knownSecrets } from '../helpers/request-watch.js';
import { approvedPayment, files, invoiceUpload, rejection } from '../helpers/samples.js';
import { scriptedFetch } from '../helpers/scripted-fetch.js';
import { exportedText, instrumented } from './support.js';

/** Data that must never be visible. */
const secret = 'SECRET';
knownSecrets.add(`key-${secret}`);
/** The identifiers of a call. */
const reference = 'REFERENCE';

const order = samplePaymentRequest({
  referenceId: reference,
  description: secret,
  successRedirectUrl: `https://shop.example/${secret}`,
  unSuccessRedirectUrl: `https://shop.example/${secret}`,
  items: [{ productId: secret, productName: secret, category: secret }],
  customer: {
    phoneNumber: '0909090909',
    email: `${secret}@shop.example`,
    firstName: secret,
    lastName: secret,
  },
  shipping: { city: secret, district: secret, ward: secret, street: secret, houseNumber: secret },
});

const signed: string[] = [];

/** A lost response, an approval, and then refusals with an undocumented status. */
function scripted() {
  return scriptedFetch(({ headers }, index) => {
    signed.push(headers.get('signature') ?? secret);
    if (index % 3 === 0)
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', request: headers });
    const merchantId = `M-${secret}`;
    const answer = {
      merchantId,
      referenceId: reference,
      paymentUrl: `https://pay.example/${secret}`,
      extra: secret,
    };
    const hidden = { headers: { 'X-Request-Id': secret }, statusText: secret };
    if (index % 3 === 1) return Response.json(approvedPayment(answer), hidden);
    return Response.json({ ...answer, resultStatus: `NEW_${reference}` }, { ...hidden, status: 400 });
  });
}

/** Every operation, in every way that it can end. */
async function callEverything(): Promise<void> {
  const { fetch } = scripted();
  const ids = { merchantId: `M-${secret}`, storeId: `S-${secret}`, platformId: `P-${secret}` };
  const client = new InstallmentClient({
    baseUrl: 'https://pay.example',
    clientId: `client-${secret}`,
    secretKey: `key-${secret}`,
    ...ids,
    headers: { 'X-Token': secret },
    fetch,
  });
  await client.initiatePayment(order);
  await rejection(client.initiatePayment(order));
  await rejection(client.initiatePayment({ ...order, amount: { value: -1 } }));
  const file = { data: files.pdf, filename: `${secret}.pdf` };
  await rejection(
    client.uploadInvoice(invoiceUpload({ referenceId: reference, file, extraData: { secret } })),
  );
  await client.post(`/v2/${reference}?q=${secret}`, { secret }, { referenceId: reference });
  const signal = AbortSignal.abort();
  await rejection(client.initiatePayment(order, { signal }));
  const lender = new LenderClient({
    baseUrl: 'https://lender.example',
    lenderCode: secret,
    serviceApplicationId: secret,
    headers: { Authorization: secret },
    fetch,
  });
  const notification = receipt({
    contractNumber: secret,
    lenderTransactionCode: reference,
    requestId: reference,
  });
  await rejection(lender.notifyPaymentReceipt(notification));
}

const events = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];
const channels = [
  ...events.map((event) => `tracing:installment-payments:call:${event}`),
  'installment-payments:attempt',
];
let messages: string[];
const onMessage = (message: unknown) => {
  messages.push(
    inspect(message, { depth: Infinity, getters: true }),
    // Hidden properties too, but not what the accessor of responseHeaders returns.
    inspect(message, { depth: Infinity, showHidden: true }),
    JSON.stringify(message),
  );
};
beforeEach(() => {
  messages = [];
  for (const channel of channels) subscribe(channel, onMessage);
});
afterEach(() => {
  for (const channel of channels) unsubscribe(channel, onMessage);
});

/** The secrets that a text contains, including signatures. */
function secretsIn(text: string): string[] {
  expect(signed.length).toBeGreaterThan(5);
  return [secret, '0909090909', ...signed].filter((each) => text.includes(each));
}

describe('the telemetry of calls', () => {
  test('is exported without customer data, secrets and identifiers', async () => {
    const { spans, histograms } = instrumented();
    await callEverything();
    const exported = `${exportedText(spans())}${JSON.stringify(await histograms())}`;
    expect(spans().length).toBeGreaterThan(12);
    expect(secretsIn(exported)).toEqual([]);
    expect(exported).not.toContain(reference);
  });

  test('is exported with identifiers on request, and still without the rest', async () => {
    const { spans, histograms } = instrumented({ includeReference: true });
    await callEverything();
    const text = exportedText(spans());
    expect(text).toContain(reference);
    expect(secretsIn(text)).toEqual([]);
    expect(JSON.stringify(await histograms())).not.toContain(reference);
  });

  test('is published on the channels without customer data and secrets', async () => {
    await callEverything();
    expect(messages.length).toBeGreaterThan(60);
    expect(secretsIn(messages.join('\n'))).toEqual([]);
  });
});
