import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ConfigurationError, InstallmentClient, type InstallmentApi } from '../src/entries/index.js';
import type { ChangeableOptions } from '../src/options/client-options.js';
import { instantRuntime } from './helpers/runtime.js';
import {
  approvedInvoice,
  approvedPayment,
  demo,
  demoClient,
  invoiceUpload,
  paymentRequest,
  rejection,
  thrownBy,
} from './helpers/samples.js';
import { knownSecrets } from './helpers/request-watch.js';
import { answering, scriptedFetch, unreachable } from './helpers/scripted-fetch.js';

const calls: readonly (readonly [
  name: keyof InstallmentApi,
  call: (api: InstallmentApi) => Promise<object>,
])[] = [
  ['initiatePayment', ({ initiatePayment }) => initiatePayment(paymentRequest())],
  ['uploadInvoice', ({ uploadInvoice }) => uploadInvoice(invoiceUpload())],
  ['post', ({ post }) => post('/v2/payments/status', { referenceId: 'ORDER-1' })],
];

/** Answers that fit each of the calls. */
const approving = () =>
  scriptedFetch(({ url }) => Response.json(url.endsWith('invoice') ? approvedInvoice() : approvedPayment()));

const others: readonly (readonly [name: string, of: (client: InstallmentClient) => InstallmentApi])[] = [
  ['itself', (client) => client],
  ['behind a Proxy', (client) => new Proxy(client, {})],
  ['as the prototype of an object', (client) => Object.create(client) as InstallmentClient],
  ['copied', (client) => Object.assign({}, client)],
  [
    'copied with its prototype',
    (client) => Object.assign(Object.create(InstallmentClient.prototype), client) as InstallmentClient,
  ],
  ['with other options', (client) => client.withOptions({})],
];

describe.each(others)('the client %s', (_name, of) => {
  it.each(calls)('calls %s taken off it', async (_call, call) => {
    const { fetch, requests } = approving();
    await expect(call(of(demoClient({ fetch })))).resolves.toBeTypeOf('object');
    expect(requests).toHaveLength(1);
  });

  it('shows no option', () => {
    const client = of(demoClient({ headers: { 'X-Token': 'canary-token' } }));
    const shown =
      inspect(client, { depth: Infinity, showHidden: true, getters: true }) + JSON.stringify(client);
    expect(shown).not.toMatch(/demo-secret|canary-token/);
  });
});

it('a subclass of the client is called in place of it, and calls it', async () => {
  class Counting extends InstallmentClient {
    count = 0;
    override initiatePayment(...input: Parameters<InstallmentClient['initiatePayment']>) {
      this.count += 1;
      return super.initiatePayment(...input);
    }
  }
  const client = new Counting({ ...demo, fetch: approving().fetch });
  const callTakenOff = ({ initiatePayment }: InstallmentApi) => initiatePayment(paymentRequest());
  await callTakenOff(client);
  expect(client.count).toBe(1);
});

describe('withOptions', () => {
  const failing = () => answering({}, { status: 503 });

  it('changes the options that it is given and keeps the others', async () => {
    const { fetch, requests } = failing();
    const client = demoClient({ fetch, maxRetries: 1, headers: { 'X-Shop': '1' } });
    await rejection(
      client.withOptions({ maxRetries: 0, headers: undefined }).initiatePayment(paymentRequest()),
    );
    expect(requests).toHaveLength(1);
    expect(requests[0]?.headers.get('X-Shop')).toBe('1');
    await rejection(client.initiatePayment(paymentRequest()));
    expect(requests).toHaveLength(3);
  });

  it('replaces an option as a whole', async () => {
    const { fetch, requests } = approving();
    const client = demoClient({ fetch, headers: { 'X-Shop': '1', 'X-Team': 'a' } });
    await client.withOptions({ headers: { 'X-Shop': '2' } }).initiatePayment(paymentRequest());
    expect(requests[0]?.headers.get('X-Shop')).toBe('2');
    expect(requests[0]?.headers.has('X-Team')).toBe(false);
  });

  it('calls for another merchant, signed with its key', async () => {
    knownSecrets.add('other-secret');
    const { fetch, requests } = answering(approvedPayment({ merchantId: 'OTHER' }));
    const other = { clientId: 'other-client', secretKey: 'other-secret', merchantId: 'OTHER' };
    const payment = await demoClient({ fetch }).withOptions(other).initiatePayment(paymentRequest());
    expect(payment.merchantId).toBe('OTHER');
    expect(requests[0]?.headers.get('Client-Id')).toBe('other-client');
  });

  it('keeps the clock of the client unless it is given another', async () => {
    const { fetch } = approving();
    const client = demoClient({ fetch, now: () => new Date('2030-01-01T00:00:00Z') });
    const startedAt = async ({ initiatePayment }: InstallmentApi) =>
      (await initiatePayment(paymentRequest())).$metadata.attempts[0]?.startedAt.getUTCFullYear();
    expect(await startedAt(client.withOptions({ maxRetries: 0 }))).toBe(2030);
    expect(await startedAt(client.withOptions({ now: () => new Date('2031-01-01T00:00:00Z') }))).toBe(2031);
  });

  it('warns once of requests that are not encrypted', () => {
    const warnings: string[] = [];
    const logger = { ...console, warn: (message: string) => warnings.push(message) };
    const client = demoClient({ baseUrl: 'http://mock.test', allowInsecureHttp: true, logger });
    client.withOptions({ maxRetries: 0 });
    expect(warnings).toHaveLength(1);
  });

  it.each([
    ['a value that the constructor refuses', { maxRetries: -1 }, 'maxRetries'],
    ['a reserved header', { headers: { signature: 'x' } }, 'headers'],
    ['an empty secret', { secretKey: '' }, 'secretKey'],
    ['null', { merchantId: null }, 'merchantId'],
    ['an unknown option', { maxRetrys: 1 }, 'maxRetrys'],
    ['something that is not an object', 'x', 'options'],
  ])('refuses %s', (_name, changes, option) => {
    const error = thrownBy(() => demoClient().withOptions(changes as ChangeableOptions));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ option });
    expect((error as Error).message).not.toContain('demo-secret');
  });

  it.each(['baseUrl', 'wire', 'allowInsecureHttp', 'agent', 'fetch', 'retryBudget'])(
    'refuses %s, which belongs to what both clients share',
    (name) => {
      const changes: object = { [name]: false };
      expect(thrownBy(() => demoClient().withOptions(changes))).toMatchObject({ option: name });
    },
  );

  it('does not read the environment again', async () => {
    process.env['INSTALLMENT_STORE_ID'] = 'STORE-OF-ENVIRONMENT';
    try {
      const { storeId: _, ...without } = demo;
      delete process.env['INSTALLMENT_STORE_ID'];
      const client = new InstallmentClient({ ...without, fetch: unreachable().fetch }, instantRuntime());
      process.env['INSTALLMENT_STORE_ID'] = 'STORE-OF-ENVIRONMENT';
      const error = await rejection(client.withOptions({ maxRetries: 0 }).initiatePayment(paymentRequest()));
      expect(error).toMatchObject({ issues: [{ path: ['storeId'] }] });
    } finally {
      delete process.env['INSTALLMENT_STORE_ID'];
    }
  });
});

describe('the headers of a call', () => {
  const traced = { headers: { 'x-trace': 'of-the-call' } };
  const withHeaders: readonly (readonly [name: string, call: (api: InstallmentApi) => Promise<object>])[] = [
    ['initiatePayment', (api) => api.initiatePayment(paymentRequest(), traced)],
    ['uploadInvoice', (api) => api.uploadInvoice(invoiceUpload(), traced)],
    ['post', (api) => api.post('/v2/payments/status', {}, traced)],
  ];

  it.each(withHeaders)('are sent with %s, in place of the client’s', async (_name, call) => {
    const { fetch, requests } = approving();
    const client = demoClient({ fetch, headers: { 'X-Trace': 'of-the-client', 'X-Shop': '1' } });
    await call(client);
    await client.initiatePayment(paymentRequest());
    expect(requests[0]?.headers.get('X-Trace')).toBe('of-the-call');
    expect(requests[0]?.headers.get('X-Shop')).toBe('1');
    expect(requests[0]?.headers.get('Client-Id')).toBe('demo-client');
    expect(requests[1]?.headers.get('X-Trace')).toBe('of-the-client');
  });

  it('go with every attempt, and do not change the derived key', async () => {
    const { fetch, requests } = answering({}, { status: 503 });
    const client = demoClient({ fetch, maxRetries: 1 });
    await rejection(client.initiatePayment(paymentRequest(), traced));
    await rejection(client.initiatePayment(paymentRequest()));
    expect(requests.map(({ headers }) => headers.get('X-Trace'))).toEqual([
      'of-the-call',
      'of-the-call',
      null,
      null,
    ]);
    expect(new Set(requests.map(({ headers }) => headers.get('Idempotency-Key'))).size).toBe(1);
  });

  it('are refused with a reserved name, and not quoted', async () => {
    const call = demoClient({ fetch: unreachable().fetch }).initiatePayment(paymentRequest(), {
      headers: { 'X-Shop': '1', Signature: 'forged' },
    });
    const error = await rejection(call);
    expect(error).toMatchObject({ code: 'VALIDATION', issues: [{ path: ['options', 'headers'] }] });
    expect(inspect(error)).not.toContain('forged');
  });
});
