import { readFile } from 'node:fs/promises';
import { mockWebhookEventSchema } from '../../../src/mock/webhooks/webhook-event.js';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ConfigurationError } from '../../../src/errors/errors.js';
import {
  createMockService,
  DEMO_MERCHANT,
  type MockOptions,
  type MockService,
  type WebhookDelivery,
} from '../../../src/entries/mock.js';
import { signPayment } from '../../../src/operations/signer.js';
import { createWebhookHandler } from '../../../src/entries/webhooks.js';
import { receiver } from '../../helpers/receiver.js';
import { knownSecrets } from '../../helpers/request-watch.js';
import { settle as allThatIsReady } from '../../helpers/runtime.js';
import { initiate, instant, now, order } from '../../helpers/signed-requests.js';
import { webhookRetries } from '../../../src/mock/webhooks/webhook-sender.js';
import type { MockChange } from '../../../src/mock/state/changes.js';
import type { MockWebhookOptions } from '../../../src/mock/webhooks/webhook-types.js';
import { listening } from '../../helpers/listening.js';

for (const secret of ['another-secret', 'other-secret', 'webhook-secret']) knownSecrets.add(secret);

const closeOf = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));

/** A delay that never ends, and the time for which it was called. */
function heldDelay() {
  const pauses: number[] = [];
  const held: (() => void)[] = [];
  const delay: MockOptions['delay'] = (ms, signal) =>
    new Promise((resolve, reject) => {
      pauses.push(ms);
      held.push(resolve);
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
    });
  return { delay, pauses, release: () => held.shift()?.() };
}

function mockWith(webhook: MockWebhookOptions, options: MockOptions = {}): MockService {
  const mock = createMockService({ now, delay: () => Promise.resolve(), ...options, webhook });
  onTestFinished(() => {
    mock.reset();
  });
  return mock;
}

async function create(mock: MockService, referenceId = 'ORDER-1'): Promise<void> {
  const { path, init } = initiate(order({ referenceId }));
  expect(await (await mock.fetch(`https://mock.example${path}`, init)).json()).toMatchObject({
    resultStatus: 'APPROVED',
  });
}

async function settled(mock: MockService, referenceId = 'ORDER-1'): Promise<void> {
  await create(mock, referenceId);
  mock.settle(referenceId, 'paid');
}

/** Resolves once this number of webhooks is no longer pending. */
const finished = (mock: MockService, count = 1) =>
  new Promise<WebhookDelivery[]>((resolve) => {
    const check = () => {
      const done = mock.webhooks.all().filter(({ status }) => status !== 'pending');
      if (done.length < count) return;
      unsubscribe();
      resolve(done);
    };
    const unsubscribe = mock.subscribe(check);
    check();
  });

describe('a settled payment', () => {
  test('is announced with a signed body that the webhook handler of this package accepts', async () => {
    const events: unknown[] = [];
    const handler = createWebhookHandler({
      secretKey: DEMO_MERCHANT.secretKey,
      schema: mockWebhookEventSchema,
      onEvent: (event) => void events.push(event),
    });
    const server = createServer((request, response) => void handler.node(request, response));
    const url = `http://127.0.0.1:${await listening(server)}/hook`;
    const mock = mockWith({ url });
    await settled(mock);

    expect(await finished(mock)).toMatchObject([{ status: 'delivered', tries: [{ httpStatus: 204 }] }]);
    expect(events).toEqual([
      {
        id: 'WH-00000001',
        event: 'payment.settled',
        merchantId: 'DEMO-MERCHANT',
        referenceId: 'ORDER-1',
        status: 'paid',
        amount: { value: 12_000_000, currency: 'VND' },
        description: order()['description'],
        paymentTransId: 'PT-00000001',
        settledAt: instant.toISOString(),
      },
    ]);
  });

  test('is kept with everything that was sent', async () => {
    const started = performance.now();
    const { url, requests } = await receiver();
    const mock = mockWith({ url: `${url}/hook?from=mock` });
    await settled(mock);
    const [delivery] = await finished(mock);
    const [request] = requests;

    expect(delivery).toEqual({
      id: 'WH-00000001',
      url: `${url}/hook?from=mock`,
      referenceId: 'ORDER-1',
      merchantId: 'DEMO-MERCHANT',
      paymentStatus: 'paid',
      createdAt: instant,
      status: 'delivered',
      body: request?.body.toString(),
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': expect.stringMatching(/^installment-payments-mock\//) as string,
        Signature: signPayment(request?.body ?? '', DEMO_MERCHANT.secretKey),
      },
      tries: [{ startedAt: instant, durationMs: expect.any(Number) as number, httpStatus: 200 }],
    });
    expect(delivery?.tries[0]?.durationMs).toBeLessThanOrEqual(performance.now() - started);
    expect(request).toMatchObject({ method: 'POST', path: '/hook?from=mock' });
    expect(request?.head).toContain(`Signature: ${delivery?.headers['Signature'] ?? ''}`);
    expect(mock.webhooks.get('WH-00000001')).toEqual(delivery);
    expect(mock.webhooks.get('WH-2')).toBeUndefined();
  });

  test('is announced with the body and key of the options', async () => {
    const { url, requests } = await receiver();
    const mock = mockWith({
      url,
      body: ({ referenceId, status }) => ({ orderId: referenceId, state: status }),
      secretKey: 'another-secret',
    });
    await settled(mock);
    await finished(mock);

    expect(requests[0]?.body.toString()).toBe('{"orderId":"ORDER-1","state":"paid"}');
    expect(requests[0]?.headers['signature']).toBe(
      signPayment('{"orderId":"ORDER-1","state":"paid"}', 'another-secret'),
    );
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('no such order');
      },
      'webhook.body failed: no such order',
    ],
    ['returns nothing', () => undefined, 'webhook.body returned a value that JSON cannot represent'],
  ])('has a failed webhook, but no failed control, if the body function %s', async (_title, body, error) => {
    const { url, requests } = await receiver();
    const mock = mockWith({ url, body });
    await settled(mock);

    await allThatIsReady();
    expect(mock.webhooks.all()).toMatchObject([{ status: 'failed', body: '', tries: [{ error }] }]);
    expect(mock.payments.get('ORDER-1')?.status).toBe('paid');
    expect(requests).toEqual([]);
  });

  test('is signed with the key of the merchant that created it', async () => {
    const { url, requests } = await receiver();
    const other = { ...DEMO_MERCHANT, clientId: 'other-client', secretKey: 'other-secret' };
    const mock = mockWith({ url }, { merchants: [other, DEMO_MERCHANT] });
    await settled(mock);
    await finished(mock);

    const [request] = requests;
    expect(request?.headers['signature']).toBe(signPayment(request?.body ?? '', DEMO_MERCHANT.secretKey));
  });

  test('sends nothing without the option', async () => {
    const mock = createMockService({ now });
    await settled(mock);

    expect(mock.webhooks.all()).toEqual([]);
  });
});

describe('a webhook that fails', () => {
  test.each([
    ['docs/mock-reference.md', 's'],
    ['src/mock/mock-types.ts', 'seconds'],
  ])('is sent again as %s describes it', async (file, unit) => {
    const { responseMs, pausesMs } = webhookRetries;
    const [first, second, last] = pausesMs.map((pauseMs) => pauseMs / 1000);
    const text = (await readFile(file, 'utf8')).replaceAll(/\n *\* /g, ' ');
    expect(text).toContain(`within ${responseMs / 1000} ${unit} `);
    expect(text).toContain(`again after ${first}, ${second} and ${last} ${unit}`);
  });

  test('is sent again after 1, 5 and 25 seconds, with the same bytes', async () => {
    const { url, requests } = await receiver({ status: 500 });
    const { delay, pauses, release } = heldDelay();
    const mock = mockWith({ url }, { delay });
    await settled(mock);
    for (const pauseMs of [1000, 5000, 25_000]) {
      await vi.waitFor(() => {
        expect(pauses.at(-1)).toBe(pauseMs);
      }, 10_000);
      const [delivery] = mock.webhooks.all();
      expect(delivery).toMatchObject({ status: 'pending' });
      expect(delivery?.nextTryAt).toEqual(new Date(instant.getTime() + pauseMs));
      release();
    }
    const [delivery] = await finished(mock);

    expect(delivery).toMatchObject({
      status: 'failed',
      tries: Array(4).fill({ httpStatus: 500 }) as unknown[],
    });
    expect(delivery).not.toHaveProperty('nextTryAt');
    expect(new Set(requests.map(({ head, body }) => head + body.toString())).size).toBe(1);
  });

  test('is delivered by a later try', async () => {
    const { url } = await receiver({ status: 503 }, (socket) => socket.destroy(), { status: 202 });
    const mock = mockWith({ url });
    await settled(mock);

    expect(await finished(mock)).toMatchObject([
      {
        status: 'delivered',
        tries: [{ httpStatus: 503 }, { error: 'ECONNRESET' }, { httpStatus: 202 }],
      },
    ]);
  });

  test.each([300, 404])('treats a %i as a response, and does not follow it', async (status) => {
    const elsewhere = await receiver();
    const { url, requests } = await receiver({ status, headers: { location: elsewhere.url } });
    const mock = mockWith({ url });
    await settled(mock);

    const [delivery] = await finished(mock);
    expect(delivery?.tries).toHaveLength(4);
    expect(delivery).toMatchObject({ status: 'failed', tries: [{ httpStatus: status }, {}, {}, {}] });
    expect(requests).toHaveLength(4);
    expect(elsewhere.requests).toEqual([]);
  });

  test('does not delay the next webhook', async () => {
    const { url } = await receiver(() => undefined, { status: 200 });
    const mock = mockWith({ url });
    await settled(mock, 'HANGS');
    await settled(mock, 'ORDER-2');
    await finished(mock);

    expect(mock.webhooks.all()).toMatchObject([
      { referenceId: 'HANGS', status: 'pending', tries: [] },
      { referenceId: 'ORDER-2', status: 'delivered' },
    ]);
  });
});

test('webhooks that wait for their next try are sent once more, for a rehearsal that does not wait', async () => {
  const statuses = [204, 500, 500, 503, 204];
  const { url, requests } = await receiver(...statuses.map((status) => ({ status })));
  const { delay, pauses } = heldDelay();
  const mock = mockWith({ url }, { delay, scenario: { settlement: 'reordered' } });
  await settled(mock, 'DELIVERED');
  await finished(mock);
  await create(mock, 'HELD');
  mock.settle('HELD', 'declined');
  await settled(mock, 'ORDER-1');
  await settled(mock, 'ORDER-2');
  await vi.waitFor(() => {
    expect(pauses).toEqual([1000, 1000, 1000]);
  }, 10_000);
  await mock.webhooks.resendWaiting?.();

  const [delivered, held, ...waited] = mock.webhooks.all().map(({ status, tries }) => [status, tries.length]);
  expect(delivered).toEqual(['delivered', 1]);
  expect(held).toEqual(['pending', 0]);
  expect(waited.sort()).toEqual([
    ['delivered', 2],
    ['failed', 2],
  ]);
  expect(requests).toHaveLength(5);
  expect(pauses).toEqual([1000, 1000, 1000]);
});

describe('resend', () => {
  test('sends the same bytes again, and keeps the earlier tries', async () => {
    const { url, requests } = await receiver();
    const mock = mockWith({ url });
    await settled(mock);
    const [{ id } = { id: '' }] = await finished(mock);

    expect(mock.webhooks.resend(id)).toMatchObject({ id, status: 'pending', tries: [{ httpStatus: 200 }] });
    const [delivery] = await finished(mock);
    expect(delivery?.tries).toHaveLength(2);
    expect(requests[1]?.body).toEqual(requests[0]?.body);
    expect(requests[1]?.headers).toEqual(requests[0]?.headers);
  });

  test('ends the wait of a pending webhook', async () => {
    const { url } = await receiver({ status: 500 }, { status: 200 });
    const { delay, pauses } = heldDelay();
    const mock = mockWith({ url }, { delay });
    await settled(mock);
    await vi.waitFor(() => {
      expect(pauses).toEqual([1000]);
    }, 10_000);
    expect(mock.webhooks.resend('WH-00000001')).not.toHaveProperty('nextTryAt');

    expect(await finished(mock)).toMatchObject([
      { status: 'delivered', tries: [{ httpStatus: 500 }, { httpStatus: 200 }] },
    ]);
    expect(pauses).toEqual([1000]);
  });

  test('does not repeat a webhook that is being sent', async () => {
    const { url, requests } = await receiver(() => undefined);
    const mock = mockWith({ url });
    await settled(mock);
    mock.webhooks.resend('WH-00000001');
    await vi.waitFor(() => {
      expect(requests).toHaveLength(1);
    }, 10_000);
    mock.webhooks.resend('WH-00000001');

    expect(mock.webhooks.all()).toMatchObject([{ status: 'pending', tries: [] }]);
    expect(requests).toHaveLength(1);
  });
});

describe('the end of the webhooks', () => {
  test('drops the webhooks, stops those in progress, and emits no change for them at a reset', async () => {
    const hanging: Promise<unknown>[] = [];
    const { url, requests } = await receiver((socket) => hanging.push(closeOf(socket)), {
      status: 500,
    });
    const { delay, pauses } = heldDelay();
    const mock = mockWith({ url }, { delay });
    await settled(mock);
    await settled(mock, 'ORDER-2');
    await vi.waitFor(() => {
      expect(requests).toHaveLength(2);
      expect(pauses).toHaveLength(1);
    }, 10_000);
    mock.reset();
    const after: MockChange[] = [];
    mock.subscribe((change) => after.push(change));
    await Promise.all(hanging);

    expect(mock.webhooks.all()).toEqual([]);
    expect(after).toEqual([]);
    await settled(mock);
    expect(mock.webhooks.all()).toMatchObject([{ id: 'WH-00000001' }]);
  });

  test('stops webhooks in progress when the last server is closed', async () => {
    const { url, requests } = await receiver(() => undefined);
    const mock = mockWith({ url });
    const [first, second] = [await mock.listen(), await mock.listen()];
    await settled(mock);
    await vi.waitFor(() => {
      expect(requests).toHaveLength(1);
    }, 10_000);
    await first.close();
    await first.close();
    expect(mock.webhooks.all()).toMatchObject([{ status: 'pending' }]);
    await second.close();

    expect(mock.webhooks.all()).toMatchObject([{ status: 'failed' }]);
    await vi.waitFor(() => {
      expect(mock.webhooks.all()).toMatchObject([{ tries: [{ error: 'the mock was closed' }] }]);
    }, 10_000);
  });

  test('keeps the status of delivered webhooks when the last server is closed', async () => {
    const { url } = await receiver({ status: 204 });
    const mock = mockWith({ url });
    const server = await mock.listen();
    await settled(mock);
    await finished(mock);
    await server.close();

    expect(mock.webhooks.all()).toMatchObject([{ status: 'delivered', tries: [{ httpStatus: 204 }] }]);
  });

  test('stops the tries of a webhook that is dropped', async () => {
    const { url, requests } = await receiver({ status: 500 }, { status: 204 }, { status: 204 });
    const { delay, pauses, release } = heldDelay();
    const mock = mockWith({ url }, { paymentLimit: 1, delay });
    await settled(mock, 'R-1');
    await vi.waitFor(() => {
      expect(pauses).toHaveLength(1);
    }, 10_000);
    await settled(mock, 'R-2');
    release();
    await finished(mock);
    mock.webhooks.resend('WH-00000002');
    await vi.waitFor(() => {
      expect(requests.length).toBeGreaterThanOrEqual(3);
    }, 10_000);

    expect(requests.map(({ body }) => /R-\d/.exec(body.toString())?.[0])).toEqual(['R-1', 'R-2', 'R-2']);
  });
});

test('subscribers get an event for each step', async () => {
  const { url } = await receiver({ status: 500 }, { status: 200 });
  const mock = mockWith({ url });
  const steps: unknown[] = [];
  await create(mock);
  mock.subscribe((change) => {
    if (change.kind === 'webhook') steps.push(mock.webhooks.get(change.id)?.status);
  });
  mock.settle('ORDER-1', 'paid');
  await finished(mock);

  expect(steps).toEqual(['pending', 'pending', 'delivered']);
});

test('the secret of the webhooks does not appear in the inspection or JSON of a mock', async () => {
  const { url } = await receiver();
  const mock = mockWith({ url, secretKey: 'webhook-secret' });
  await settled(mock);
  await finished(mock);
  const shown = inspect(mock, { depth: Infinity, showHidden: true }) + JSON.stringify(mock);

  expect(shown).not.toContain('webhook-secret');
  expect(shown).not.toContain(DEMO_MERCHANT.secretKey);
});

describe('the options of the webhooks', () => {
  test.each<[string, object]>([
    ['webhook.url', { url: 'localhost:3000' }],
    ['webhook.url', { url: 'ftp://shop.example' }],
    ['webhook.url', { url: 'https://user:pass@shop.example' }],
    ['webhook.url', {}],
    ['webhook.body', { url: 'https://shop.example', body: {} }],
    ['webhook.secretKey', { url: 'https://shop.example', secretKey: '' }],
    ['webhook.body', { url: 'https://shop.example', body: () => '', template: { body: '' } }],
  ])('refuse a wrong %s', (option, webhook) => {
    const make = () => createMockService({ webhook: webhook as MockWebhookOptions });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(option);
    expect(make).not.toThrow(/pass/);
  });
});
