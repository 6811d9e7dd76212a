import { createHmac, timingSafeEqual, type BinaryToTextEncoding } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createMockService, samplePaymentRequest, type MockOptions } from '../../../src/entries/mock.js';
import { ConfigurationError, InstallmentClient, type WireSwitches } from '../../../src/entries/index.js';
import { createWebhookHandler, signWebhook, type WebhookHandler } from '../../../src/entries/webhooks.js';
import { receiver } from '../../helpers/receiver.js';
import { runOnce } from '../cli/support.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'schemes-'));
});
afterAll(() => rm(folder, { recursive: true }));
// Deliveries are captured and received at the same time.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Number(seconds) * 1000 });
  handleEvent.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const handleEvent = vi.fn((_event: unknown) => Promise.resolve());

/** A delivery as a merchant has captured it. */
interface Delivery {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const body = JSON.stringify({
  orderId: 'ORDER-1',
  status: 'SUCCESS',
  amount: 12_000_000,
  note: 'Tủ lạnh/“hai cánh”',
});
const key = 'demo-secret';
const seconds = '1795600000';
const hexKey = '00ff6b6579';
const instant = new Date(Number(seconds) * 1000).toISOString().replace('.000Z', '.634234626Z');
const id = 'msg_2Lh9KRb0pzN4LePd3XiA4v12Axj';
const standardKey = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

function hmac(text: string, encoding: BinaryToTextEncoding = 'hex', secret: string | Buffer = key): string {
  return createHmac('sha256', secret).update(text).digest(encoding);
}

type Sign = typeof hmac;

interface Sample {
  readonly name: string;
  readonly secret?: string;
  readonly secretKeyEncoding?: 'hex' | 'base64';
  readonly delivery: Delivery;
  /** The argument of `handleEvent`, if it is not the whole body. */
  readonly event?: unknown;
}

/** A delivery of each kind of scheme, according to its public documentation. */
const samplesBy = (hmac: Sign): readonly Sample[] => [
  { name: 'GitHub', delivery: { body, headers: { 'X-Hub-Signature-256': `sha256=${hmac(body)}` } } },
  { name: 'Shopify', delivery: { body, headers: { 'X-Shopify-Hmac-Sha256': hmac(body, 'base64') } } },
  {
    name: 'Lemon Squeezy',
    delivery: { body, headers: { 'X-Signature': hmac(body), 'X-Event-Name': 'order_created' } },
  },
  {
    name: 'Typeform',
    delivery: { body, headers: { 'Typeform-Signature': `sha256=${hmac(body, 'base64')}` } },
  },
  {
    name: 'Stripe',
    delivery: {
      body,
      headers: { 'Stripe-Signature': `t=${seconds},v1=${hmac(`${seconds}.${body}`)},v0=${hmac('old')}` },
    },
  },
  {
    name: 'Paddle',
    delivery: { body, headers: { 'Paddle-Signature': `ts=${seconds};h1=${hmac(`${seconds}:${body}`)}` } },
  },
  {
    name: 'Slack',
    delivery: {
      body,
      headers: {
        'X-Slack-Request-Timestamp': seconds,
        'X-Slack-Signature': `v0=${hmac(`v0:${seconds}:${body}`)}`,
      },
    },
  },
  {
    name: 'Cashfree',
    delivery: {
      body,
      headers: {
        'x-webhook-timestamp': `${seconds}123`,
        'x-webhook-signature': hmac(`${seconds}123${body}`, 'base64'),
      },
    },
  },
  {
    name: 'Standard Webhooks',
    secret: standardKey,
    secretKeyEncoding: 'base64',
    delivery: {
      body,
      headers: {
        'webhook-id': id,
        'webhook-timestamp': seconds,
        'webhook-signature': `v1,${hmac(`${id}.${seconds}.${body}`, 'base64', Buffer.from(standardKey.slice(6), 'base64'))}`,
      },
    },
  },
  {
    name: 'Twitch',
    delivery: {
      body,
      headers: {
        'Twitch-Eventsub-Message-Id': id,
        'Twitch-Eventsub-Message-Timestamp': instant,
        'Twitch-Eventsub-Message-Signature': `sha256=${hmac(`${id}${instant}${body}`)}`,
      },
    },
  },
  {
    name: 'payOS',
    event: {
      orderCode: 123,
      amount: 3000,
      description: 'VQRIO123',
      reference: 'TF230204',
      counterAccountName: null,
    },
    delivery: {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        code: '00',
        success: true,
        data: {
          orderCode: 123,
          amount: 3000,
          description: 'VQRIO123',
          reference: 'TF230204',
          counterAccountName: null,
        },
        signature: hmac(
          'amount=3000&counterAccountName=&description=VQRIO123&orderCode=123&reference=TF230204',
        ),
      }),
    },
  },
  {
    name: 'ZaloPay',
    event: { app_id: 2553, amount: 50_000 },
    delivery: {
      headers: {},
      body: JSON.stringify({
        data: '{"app_id":2553,"amount":50000}',
        mac: hmac('{"app_id":2553,"amount":50000}'),
        type: 1,
      }),
    },
  },
  {
    name: 'sorted fields of the whole body',
    delivery: {
      headers: {},
      body: JSON.stringify({
        status: 'PAID',
        orderId: 'A-1',
        amount: 5000,
        checksum: hmac('amount=5000&orderId=A-1&status=PAID'),
      }),
    },
  },
  {
    name: 'sorted names and values of the whole body, joined by nothing',
    delivery: {
      headers: {},
      body: JSON.stringify({
        status: 'PAID',
        orderId: 'A-1',
        amount: 5000,
        checksum: hmac('amount5000orderIdA-1statusPAID'),
      }),
    },
  },
  {
    name: 'sorted names and values of a member, joined by nothing',
    event: { status: 'PAID', amount: 5000, note: null },
    delivery: {
      headers: { 'X-Signature': hmac('amount5000notestatusPAID') },
      body: JSON.stringify({ data: { status: 'PAID', amount: 5000, note: null } }),
    },
  },
  {
    name: 'the exact body with a key in hex',
    secret: hexKey,
    secretKeyEncoding: 'hex',
    delivery: { body, headers: { 'X-Signature': hmac(body, 'hex', Buffer.from(hexKey, 'hex')) } },
  },
  {
    name: 'the exact body behind a prefix with a key in hex',
    secret: hexKey,
    secretKeyEncoding: 'hex',
    delivery: { body, headers: { 'X-Signature': `v1=${hmac(body, 'hex', Buffer.from(hexKey, 'hex'))}` } },
  },
];

const samples = samplesBy(hmac);
/** The same deliveries, signed with an empty key. */
const forged = samplesBy((text, encoding) => hmac(text, encoding, ''));

/** Deliveries whose signature follows values that the next delivery does not have: [captured, next]. */
const behindOthers: readonly (readonly [name: string, secret: string, captured: Delivery, next: Delivery])[] =
  (() => {
    const later = '1795600099';
    const signed = (time: string) => hmac(`${time}.${body}`);
    const stripe = (value: string): Delivery => ({ body, headers: { 'Stripe-Signature': value } });
    const standardSecret = Buffer.from(standardKey.slice(6), 'base64');
    const standard = (time: string, others: string): Delivery => ({
      body,
      headers: {
        'webhook-id': id,
        'webhook-timestamp': time,
        'webhook-signature': `${others}v1,${hmac(`${id}.${time}.${body}`, 'base64', standardSecret)}`,
      },
    });
    return [
      [
        'a signature with the old key',
        key,
        stripe(`t=${seconds},v1=${hmac('old')},v1=${signed(seconds)}`),
        stripe(`t=${later},v1=${hmac('older')},v1=${signed(later)}`),
      ],
      [
        'a signature with the old key, which the next one has no more',
        key,
        stripe(`t=${seconds},v1=${hmac('old')},v1=${signed(seconds)}`),
        stripe(`t=${later},v1=${signed(later)}`),
      ],
      [
        'a nonce',
        key,
        stripe(`n=8f3a2b,t=${seconds},s=${signed(seconds)}`),
        stripe(`n=77cc01,t=${later},s=${signed(later)}`),
      ],
      [
        'another signature of Standard Webhooks',
        standardKey,
        standard(seconds, `v1,${hmac('old', 'base64')} `),
        standard(later, `v1,${hmac('older', 'base64')} `),
      ],
    ];
  })();

async function explain({ body: sent, headers }: Delivery, secret: string, lineEnd = '\n') {
  const [bodyFile, headersFile] = [join(folder, 'body.json'), join(folder, 'headers.txt')];
  await writeFile(bodyFile, sent);
  await writeFile(
    headersFile,
    Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}${lineEnd}`)
      .join(''),
  );
  const args = ['explain', 'notification', bodyFile, '--headers', headersFile, '--secret-env', 'WEBHOOK_KEY'];
  return runOnce(args, { WEBHOOK_KEY: secret });
}

/** The printed handler as a function. */
function printedHandler(out: string, secret: string | undefined): WebhookHandler {
  const [, code = ''] = /A handler that accepts the webhook:\n\n([^]*?)\n\nA template/.exec(out) ?? [];
  const runnable = code.replaceAll(/^import .*$/gm, '').replace('export const webhook =', 'return');
  const names = {
    timingSafeEqual,
    createWebhookHandler,
    signWebhook,
    payments: { handleEvent },
    process: { env: { WEBHOOK_KEY: secret } },
  };
  const make = compileFunction(runnable, Object.keys(names)) as (...values: unknown[]) => WebhookHandler;
  return make(...Object.values(names));
}

function printedTemplate(out: string): object {
  const [, json = ''] = /\n\nA template[^\n]*\n\n(\{[^]*?\n\})(?:\n|$)/.exec(out) ?? [];
  return JSON.parse(json) as object;
}

function statusOf(handler: WebhookHandler, { body: sent, headers }: Delivery): Promise<number> {
  const request = new Request('https://shop.example/hook', { method: 'POST', headers, body: sent });
  return handler.fetch(request).then(({ status }) => status);
}

/** The same delivery, with one letter of the signed text changed. */
const tampered = ({ body: sent, headers }: Delivery): Delivery => ({
  body: sent.replace(/(?<=\d)00/, '99'),
  headers,
});

/** The status of a handler with another key; `'none'` if it cannot be created with this key. */
async function statusWithKey(out: string, secret: string | undefined, delivery: Delivery) {
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  let handler: WebhookHandler;
  try {
    handler = printedHandler(out, secret);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return 'none';
  }
  return statusOf(handler, delivery);
}

/** The webhook that the mock sends with a template. */
async function sentByMock(
  template: NonNullable<MockOptions['webhook']>['template'],
  secret: string,
  secretKeyEncoding: WireSwitches['secretKeyEncoding'] = 'utf8',
): Promise<Delivery> {
  const { url, requests } = await receiver({ status: 204 });
  const mock = createMockService({
    webhook: { url, template, secretKey: secret.replace('whsec_', '') },
    // The key of its merchant is in the same notation.
    wire: { secretKeyEncoding },
  });
  await new InstallmentClient(mock.clientOptions()).initiatePayment(
    samplePaymentRequest({ referenceId: 'ORDER-1' }),
  );
  mock.settle('ORDER-1', 'paid');
  await vi.waitFor(() => {
    expect(requests).toHaveLength(1);
  }, 10_000);
  const [request] = requests;
  const headers = Object.entries(request?.headers ?? {}).filter(
    ([name, value]) => typeof value === 'string' && !['host', 'connection', 'content-length'].includes(name),
  );
  return {
    body: request?.body.toString() ?? '',
    headers: Object.fromEntries(headers),
  };
}

describe.each(samples)('a webhook signed as $name', ({ name, secret = key, delivery, ...sample }) => {
  const { secretKeyEncoding } = sample;

  test('is explained by a handler that accepts it, and refuses a different body and a different key', async () => {
    const { code, out, error } = await explain(delivery, secret);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    const handler = printedHandler(out, secret);
    expect(await statusOf(handler, delivery)).toBe(204);
    const { event = JSON.parse(delivery.body) as unknown } = sample;
    expect(handleEvent.mock.lastCall).toEqual([event]);
    expect(await statusOf(handler, tampered(delivery))).toBe(401);
    expect(await statusOf(printedHandler(out, secret.replace(/\w{4}$/, 'AAAA')), delivery)).toBe(401);
    for (const other of ['{}', 'null', 'no JSON'])
      expect(await statusOf(handler, { headers: {}, body: other })).toBe(401);
    expect(handleEvent).toHaveBeenCalledTimes(1);
  });

  test('is explained by a handler that accepts nothing without a usable key', async () => {
    const { out } = await explain(delivery, secret);
    const signedWithNothing = forged.find((each) => each.name === name)?.delivery ?? delivery;
    const notation = secretKeyEncoding === undefined ? [] : ['zz', 'whsec_zz', 'whsec_'];
    for (const unusable of ['', ' ', ...notation])
      expect([500, 'none']).toContain(await statusWithKey(out, unusable, signedWithNothing));
    expect([401, 500]).toContain(await statusWithKey(out, undefined, signedWithNothing));
    expect(handleEvent).not.toHaveBeenCalled();
  });

  test('is sent by the mock with the printed template, so that the same handler accepts it', async () => {
    const { out } = await explain(delivery, secret);
    const sent = await sentByMock(printedTemplate(out), secret, secretKeyEncoding);
    const handler = printedHandler(out, secret);
    expect(await statusOf(handler, sent)).toBe(204);
    expect(await statusOf(handler, tampered(sent))).toBe(401);
  });
});

const timed = ['Stripe', 'Paddle', 'Slack', 'Cashfree', 'Standard Webhooks', 'Twitch'];

test.each(samples)(
  'a handler for $name refuses a delivery that is five minutes old if its timestamp is signed',
  async ({ name, secret = key, delivery }) => {
    const { out } = await explain(delivery, secret);
    const handler = printedHandler(out, secret);
    for (const [laterMs, status] of [
      [295_000, 204],
      [301_000, timed.includes(name) ? 401 : 204],
    ] as const) {
      vi.setSystemTime(Number(seconds) * 1000 + laterMs);
      expect(await statusOf(handler, delivery)).toBe(status);
    }
  },
);

const memberNames = ['signature', 'mac', 'checksum'];

test.each(samples.filter(({ delivery }) => memberNames.some((name) => delivery.body.includes(`"${name}"`))))(
  'a handler for $name refuses a signature that is not a string',
  async ({ secret = key, delivery }) => {
    const { out } = await explain(delivery, secret);
    const sent = JSON.parse(delivery.body) as Record<string, unknown>;
    const member = memberNames.find((name) => name in sent) ?? '';
    for (const signature of [[sent[member]], { toString: 'x' }, 5, null]) {
      const changed = { ...delivery, body: JSON.stringify({ ...sent, [member]: signature }) };
      expect(await statusOf(printedHandler(out, secret), changed)).toBe(401);
    }
  },
);

test('a printed handler for a signed member refuses a member that is not a string', async () => {
  const [sample] = samples.filter(({ name }) => name === 'ZaloPay');
  const delivery = sample?.delivery ?? { headers: {}, body: '{}' };
  const { out } = await explain(delivery, key);
  const sent = JSON.parse(delivery.body) as Record<string, unknown>;
  for (const data of [[sent['data']], [[sent['data']]], { toString: 'x' }, null]) {
    const changed = { ...delivery, body: JSON.stringify({ ...sent, data }) };
    expect(await statusOf(printedHandler(out, key), changed)).toBe(401);
  }
});

test('headers can end with CR LF, and the printed template contains no value of the body', async () => {
  const [github] = samples;
  const { code, out } = await explain(github?.delivery ?? { body, headers: {} }, key, '\r\n');
  expect(code).toBe(0);
  expect(out).toContain('"prefix": "sha256="');
  expect(out).not.toMatch(/hai cánh|12000000|demo-secret/);
});

test('headers can begin with the byte order mark that a Windows shell writes', async () => {
  const { code } = await explain({ body, headers: { '\uFEFFX-Signature': hmac(body) } }, key);
  expect(code).toBe(0);
});

test.each([
  ['FF FE', (text: string) => Buffer.from(`\uFEFF${text}\r\n`, 'utf16le')],
  ['FE FF', (text: string) => Buffer.from(`\uFEFF${text}\r\n`, 'utf16le').swap16()],
])('body and headers can be files in UTF-16 that begin with %s', async (_mark, write) => {
  const [bodyFile, headersFile] = [join(folder, 'utf16.json'), join(folder, 'utf16.txt')];
  await writeFile(bodyFile, write(body));
  await writeFile(headersFile, write(`X-Event: paid\r\nX-Signature: sha256=${hmac(body)}`));
  const args = ['explain', 'notification', bodyFile, '--headers', headersFile, '--secret-env', 'WEBHOOK_KEY'];
  const { code, out } = await runOnce(args, { WEBHOOK_KEY: key });
  expect(code, out).toBe(0);
});

test('a handler for a signature over the exact body needs no function', async () => {
  const { out } = await explain({ body, headers: { 'X-Signature': hmac(body) } }, key);
  expect(out).toContain("signatureHeader: 'x-signature',\n  signatureEncoding: 'hex',");
  expect(out).not.toContain('verify(');
});

test.each(behindOthers)(
  'after %s, the printed handler accepts the next delivery too, and the template sends a delivery',
  async (_name, secret, captured, next) => {
    const { code, out } = await explain(captured, secret);
    expect(code, out).toBe(0);
    const handler = printedHandler(out, secret);
    expect([await statusOf(handler, captured), await statusOf(handler, next)]).toEqual([204, 204]);
    vi.spyOn(console, 'error').mockReturnValue(undefined); // of the webhook that was changed
    expect(await statusOf(handler, tampered(next))).toBe(401);
    const encoding = secret === standardKey ? 'base64' : 'utf8';
    const sent = await sentByMock(printedTemplate(out), secret, encoding);
    expect(await statusOf(handler, sent)).toBe(204);
  },
);

describe('explain notification', () => {
  test.each([
    ['by another key', { 'X-Signature': hmac(body, 'hex', 'other') }],
    ['of another body', { 'X-Signature': hmac(`${body}\n`) }],
    ['that is missing', { 'X-Event': 'paid' }],
  ])('prints no handler for a signature %s, and ends with 1', async (_what, headers) => {
    const { code, out } = await explain({ body, headers }, key);
    expect(code).toBe(1);
    expect(out).toContain('No known signature scheme matches');
    expect(out).not.toContain('createWebhookHandler');
  });

  test('names the line of the headers that it cannot read', async () => {
    const file = join(folder, 'broken.txt');
    await writeFile(file, 'X-Signature: a\nno header\n');
    await writeFile(join(folder, 'body.json'), body);
    const args = [
      'explain',
      'notification',
      join(folder, 'body.json'),
      '--secret-env',
      'KEY',
      '--headers',
      file,
    ];
    const { code, error } = await runOnce(args, { KEY: key });
    expect(code).toBe(1);
    expect(error).toContain('Line 2 of --headers does not have the form Name: value');
  });
});
