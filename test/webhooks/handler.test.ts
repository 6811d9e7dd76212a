import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
import express from 'express';
import * as v from 'valibot';
import { afterEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { ConfigurationError } from '../../src/errors/errors.js';
import {
  createWebhookHandler,
  signWebhook,
  WebhookError,
  type WebhookHandlerOptions,
  type WebhookRequest,
} from '../../src/entries/webhooks.js';
import { thrownBy } from '../helpers/samples.js';
import { recordingHandler, secretKey, send, serve, sign, signedRequest } from './support.js';

const body = '{"orderId":"1"}';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe.each(['node', 'fetch'] as const)('the %s adapter', (adapter) => {
  /** Sends one request to a handler, over a socket for `node`. */
  async function answerOf(
    webhook: ReturnType<typeof createWebhookHandler>,
    { method = 'POST', text = body, headers = {} }: { method?: string; text?: string; headers?: object } = {},
  ) {
    const all = { signature: sign(text), ...headers };
    if (adapter === 'node') {
      await using shop = await serve((request, response) => void webhook.node(request, response));
      return await send(shop.url, { method, body: text, headers: all });
    }
    const response = await webhook.fetch(
      new Request('https://shop.example/', {
        method,
        headers: all,
        ...(method === 'GET' ? {} : { body: text }),
      }),
    );
    const { status } = response;
    return { status, headers: Object.fromEntries(response.headers), body: await response.text() };
  }

  test('responds with 204 and no body once onEvent has resolved', async () => {
    const steps: string[] = [];
    const webhook = recordingHandler({
      async onEvent() {
        await wait(5);
        steps.push('stored');
      },
    });

    expect(await answerOf(webhook)).toMatchObject({ status: 204, body: '' });
    expect(steps).toEqual(['stored']);
  });

  test('passes the verified bytes and the headers to onEvent', async () => {
    let seen: WebhookRequest | undefined;
    const webhook = recordingHandler({ onEvent: (_event, request) => void (seen = request) });
    await answerOf(webhook, { headers: { 'x-delivery': '7' } });

    expect(Buffer.from(seen?.body ?? [])).toEqual(Buffer.from(body));
    expect(seen?.headers.get('X-Delivery')).toBe('7');
  });

  const text = { 'content-type': 'text/plain;charset=UTF-8' };
  const json = { 'content-type': 'application/json' };
  test.each<[string, unknown, object]>([
    ['a text as it is', { body: 'OK' }, { status: 200, body: 'OK', headers: text }],
    ['an object as JSON', { status: 202, body: { code: 0 } }, { status: 202, body: '{"code":0}', headers: json }],
    ['a status alone', { status: 599 }, { status: 599, body: '' }],
    ['no body where HTTP allows none', { status: 204, body: 'OK' }, { status: 204, body: '' }],
  ])('responds with the acknowledgement of onEvent: %s', async (_what, returned, answer) => {
    expect(await answerOf(recordingHandler({ onEvent: () => returned }))).toMatchObject(answer);
  }); // oxfmt-ignore

  test.each([
    [{ status: 'paid', body: 'row' }],
    [{ status: 200, body: 'row', id: 7 }],
    [{ id: 7 }],
    [{ status: 199 }],
    [{ status: 600 }],
    [{ status: 200.5 }],
    [[{ body: 'row' }]],
    ['OK'],
    [200],
    [null],
  ])('responds with 204 if onEvent returned no acknowledgement: %j', async (returned) => {
    expect(await answerOf(recordingHandler({ onEvent: () => returned }))).toMatchObject({
      status: 204,
      body: '',
    });
  });

  test.each(['GET', 'PUT', 'OPTIONS'])('responds with 405 to %s, with Allow', async (method) => {
    const webhook = recordingHandler();

    expect(await answerOf(webhook, { method })).toMatchObject({
      status: 405,
      headers: { allow: 'POST' },
      body: '',
    });
    expect(webhook.errors).toEqual([]);
  });

  test.each(['gzip', 'identity, gzip', 'GZIP'])(
    'responds with 415 to Content-Encoding %s',
    async (encoding) => {
      const webhook = recordingHandler();

      expect(await answerOf(webhook, { headers: { 'content-encoding': encoding } })).toMatchObject({
        status: 415,
        headers: { 'accept-encoding': 'identity' },
        body: '{"error":"BODY_NOT_RAW"}',
      });
      expect(webhook.errors).toMatchObject([
        {
          code: 'BODY_NOT_RAW',
          status: 415,
          message: 'the body is compressed: Content-Encoding must be absent or identity',
        },
      ]);
    },
  );

  test('accepts Content-Encoding identity', async () => {
    const headers = { 'content-encoding': 'Identity' };
    expect(await answerOf(recordingHandler(), { headers })).toMatchObject({ status: 204 });
  });

  test('accepts 1 MiB, and responds with 413 to one byte more', async () => {
    const webhook = recordingHandler();
    const exact = JSON.stringify('x'.repeat(1024 * 1024 - 2));

    expect(await answerOf(webhook, { text: exact })).toMatchObject({ status: 204 });
    expect(await answerOf(webhook, { text: `${exact} ` })).toMatchObject({
      status: 413,
      body: '{"error":"BODY_TOO_LARGE"}',
    });
    expect(webhook.events).toHaveLength(1);
    expect(webhook.errors).toMatchObject([
      { message: 'the body is larger than 1048576 bytes (maxBodyBytes)' },
    ]);
  });

  test('responds with 400 to a body that is not JSON, including an empty body', async () => {
    for (const text of ['', 'orderId=1']) {
      const webhook = recordingHandler();
      expect(await answerOf(webhook, { text })).toMatchObject({
        status: 400,
        body: '{"error":"BODY_NOT_JSON"}',
      });
      expect(webhook.errors).toMatchObject([{ code: 'BODY_NOT_JSON' }]);
    }
  });

  test.each([
    ['rejects', () => Promise.reject(new Error('the database of khách-hàng is down'))],
    ['throws undefined', () => Promise.reject(undefined as unknown as Error)],
    ['acknowledges with a body that JSON does not have', () => ({ body: 1n })],
  ])('responds with 500 and no body if onEvent %s', async (_how, onEvent) => {
    const webhook = recordingHandler({ onEvent });

    expect(await answerOf(webhook)).toMatchObject({ status: 500, body: '' });
    expect(webhook.errors).toHaveLength(1);
  });

  const thrown = new WebhookError('SIGNATURE_MISSING', 'of another call');
  const fails = () => Promise.reject(thrown);
  test.each<[string, Partial<WebhookHandlerOptions>]>([
    ['secretKey', { secretKey: fails }],
    ['verify', { secretKey: undefined, verify: fails }],
    ['schema', { schema: { '~standard': { version: 1, vendor: 'test', validate: fails } } }],
    ['onEvent', { onEvent: fails }],
  ])('responds with 500 if %s throws its own WebhookError', async (_name, options) => {
    const webhook = recordingHandler(options);

    expect(await answerOf(webhook)).toMatchObject({ status: 500, body: '' });
    expect(webhook.errors).toEqual([thrown]);
  });

  test('responds with the status of the refusal even if onError fails', async () => {
    const onError = () => Promise.reject(new Error('log full'));
    const webhook = createWebhookHandler({ secretKey, onEvent: () => undefined, onError });

    expect(await answerOf(webhook, { headers: { signature: 'wrong' } })).toMatchObject({ status: 401 });
  });

  test('responds with a refusal only after onError has reported it', async () => {
    const steps: unknown[] = [];
    const webhook = createWebhookHandler({
      secretKey,
      onEvent: () => undefined,
      onError: async () => {
        await wait(20);
        steps.push('reported');
      },
    });
    steps.push((await answerOf(webhook, { headers: { signature: 'wrong' } })).status);

    expect(steps).toEqual(['reported', 401]);
  });

  test('accepts a signature in a different header and encoding, made with one of several keys', async () => {
    const webhook = recordingHandler({
      secretKey: ['new', 'old'],
      signatureHeader: 'X-Notify-Hmac',
      signatureEncoding: 'base64',
    });
    const signature = sign(body, 'old', 'base64');

    expect(await answerOf(webhook, { headers: { 'x-notify-hmac': signature } })).toMatchObject({
      status: 204,
    });
    expect(await answerOf(webhook, { headers: { signature } })).toMatchObject({
      status: 401,
      body: '{"error":"SIGNATURE_MISSING"}',
    });
  });
});

describe('a handler without secretKey', () => {
  test('reads the key of the environment for each webhook', async () => {
    vi.stubEnv('INSTALLMENT_SECRET_KEY', undefined);
    const webhook = recordingHandler({ secretKey: undefined });
    vi.stubEnv('INSTALLMENT_SECRET_KEY', 'from-environment');

    expect((await webhook.fetch(signedRequest(body, 'from-environment'))).status).toBe(204);
    expect((await webhook.fetch(signedRequest(body))).status).toBe(401);
  });

  test.each([undefined, ''])(
    'responds with 500 if the variable is %j, and the log explains it',
    async (value) => {
      vi.stubEnv('INSTALLMENT_SECRET_KEY', value);
      const written = vi.spyOn(console, 'error').mockReturnValue(undefined);
      const webhook = createWebhookHandler({ onEvent: () => expect.unreachable() });

      for (const key of ['', secretKey])
        expect((await webhook.fetch(signedRequest(body, key))).status).toBe(500);
      expect(written).toHaveBeenCalledWith(
        expect.objectContaining({
          name: 'ConfigurationError',
          message: 'secretKey is required: pass it, or set INSTALLMENT_SECRET_KEY',
        }),
      );
    },
  );
});

describe('verify', () => {
  test('replaces the signature, and receives the bytes, the headers and the URL', async () => {
    const asked: WebhookRequest[] = [];
    const webhook = recordingHandler({
      secretKey: undefined,
      verify: async (request) => {
        asked.push(request);
        return Promise.resolve(request.headers.get('authorization') === 'Bearer token');
      },
    });
    const request = (token: string) =>
      new Request('https://shop.example/hook?x=1', {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${token}` },
      });

    expect((await webhook.fetch(request('token'))).status).toBe(204);
    const refused = await webhook.fetch(request('guess'));
    expect([refused.status, await refused.text()]).toEqual([401, '{"error":"SIGNATURE_MISMATCH"}']);
    expect(webhook.events).toEqual([{ orderId: '1' }]);
    expect(asked).toMatchObject([{ url: 'https://shop.example/hook?x=1' }, {}]);
    expect(Buffer.from(asked[0]?.body ?? [])).toEqual(Buffer.from(body));
  });

  test.each([1, 'true', {}, null, undefined])('refuses every webhook if it returns %j', async (returned) => {
    const webhook = recordingHandler({ secretKey: undefined, verify: () => returned as never });

    expect((await webhook.fetch(signedRequest(body))).status).toBe(401);
    expect(webhook.events).toEqual([]);
  });
});

describe('several merchants with one handler', () => {
  const keys: Readonly<Record<string, string | readonly string[]>> = {
    '/shops/1': 'secret-1',
    '/shops/2': ['secret-2-new', 'secret-2'],
    '/shops/empty': '',
    '/shops/none': [],
  };
  const byPath = ({ url }: Pick<WebhookRequest, 'url'>) => keys[new URL(url, 'http://shop').pathname];
  const at = (path: string, key: string) => signedRequest(body, key, {}, `https://shop.example${path}?x=1`);

  test.each<[string, WebhookHandlerOptions['secretKey']]>([
    ['a function of the address', byPath],
    ['an asynchronous one', async (request) => (await wait(1), byPath(request))], // oxfmt-ignore
  ])('are distinguished by %s', async (_, secretKey) => {
    const webhook = recordingHandler({ secretKey });
    const statusOf = async (key: string, path: string) => (await webhook.fetch(at(path, key))).status;

    expect(await statusOf('secret-1', '/shops/1')).toBe(204);
    expect(await statusOf('secret-2', '/shops/2')).toBe(204);
    expect(await statusOf('secret-2', '/shops/1')).toBe(401);
    expect(webhook.errors).toMatchObject([{ code: 'SIGNATURE_MISMATCH' }]);
  });

  test('have the full URL, even if a router has shortened it', async () => {
    const webhook = recordingHandler({ secretKey: byPath });
    const app = express().use('/shops', express.Router().post('/1', webhook.node));
    await using shop = await serve(app);
    const headers = { signature: sign(body, 'secret-1') };

    expect(await send(`${shop.url}/shops/1?x=1`, { body, headers })).toMatchObject({ status: 204 });
  });

  test.each(['/shops/3', '/shops/none'])('get the response 401 without a key: %s', async (path) => {
    const webhook = recordingHandler({ secretKey: byPath });

    expect((await webhook.fetch(at(path, 'secret-1'))).status).toBe(401);
    expect(webhook.events).toEqual([]);
    expect(webhook.errors).toMatchObject([
      { code: 'SIGNATURE_MISMATCH', message: 'there is no secret key for this request' },
    ]);
  });

  test.each<[string, WebhookHandlerOptions['secretKey'], object]>([
    ['rejects', () => Promise.reject(new Error('database down')), { message: 'database down' }],
    ['returns a key that cannot be one', byPath, { name: 'ConfigurationError', option: 'secretKey' }],
    ['returns no text', () => 7 as never, { name: 'ConfigurationError', option: 'secretKey' }],
  ])(
    'get the response 500 if the function %s, so that the event is sent again',
    async (_, secretKey, error) => {
      const webhook = recordingHandler({ secretKey });

      expect((await webhook.fetch(at('/shops/empty', ''))).status).toBe(500);
      expect(webhook.errors).toMatchObject([error]);
      expect(webhook.events).toEqual([]);
    },
  );
});

test('without onError, mistakes of the receiver are console errors, and refusals are warnings', async () => {
  const written = vi.spyOn(console, 'error').mockReturnValue(undefined);
  const warned = vi.spyOn(console, 'warn').mockReturnValue(undefined);
  const failure = new Error('database down');
  const webhook = createWebhookHandler({ secretKey, onEvent: () => Promise.reject(failure) });

  expect((await webhook.fetch(signedRequest(body, 'wrong'))).status).toBe(401);
  expect((await webhook.fetch(signedRequest('{'))).status).toBe(400);
  expect(written).not.toHaveBeenCalled();
  expect(warned).toHaveBeenCalledTimes(2);

  expect((await webhook.fetch(signedRequest(body))).status).toBe(500);
  const used = signedRequest(body);
  await used.text();
  expect((await webhook.fetch(used)).status).toBe(500);
  expect(written.mock.calls).toEqual([[failure], [expect.objectContaining({ code: 'BODY_NOT_RAW' })]]);
  expect(warned).toHaveBeenCalledTimes(2);
});

describe('a schema', () => {
  const event = (state: string) => signedRequest(JSON.stringify({ orderId: '1', state }));
  const isPaidLater = async ({ state }: { readonly state: string }) => (await wait(1), state === 'paid');

  test.each([
    ['zod', z.object({ orderId: z.string(), state: z.literal('paid') })],
    ['valibot', v.object({ orderId: v.string(), state: v.literal('paid') })],
    ['valibot, asynchronous', v.pipeAsync(v.object({ state: v.string() }), v.checkAsync(isPaidLater))],
  ])('of %s decides whether the event is accepted', async (_name, schema) => {
    const webhook = recordingHandler({ schema });

    expect((await webhook.fetch(event('paid'))).status).toBe(204);
    expect(webhook.events).toHaveLength(1);

    const refused = await webhook.fetch(event('lost'));
    expect(refused.status).toBe(400);
    expect(await refused.text()).toBe('{"error":"SCHEMA"}');
    expect(webhook.errors).toMatchObject([
      {
        code: 'SCHEMA',
        message: 'the event does not match the schema: see error.issues',
        issues: [{ message: expect.any(String) as string }],
      },
    ]);
    expect(webhook.events).toHaveLength(1);
  });

  test('passes on the event that it parsed', async () => {
    const webhook = recordingHandler({ schema: z.object({ paidAt: z.coerce.date() }) });
    await webhook.fetch(signedRequest('{"paidAt":"2026-11-20T03:04:05Z"}'));

    expect(webhook.events).toEqual([{ paidAt: new Date('2026-11-20T03:04:05Z') }]);
  });

  test('is not used for a body whose signature is wrong', async () => {
    const asked = vi.fn(() => true);
    const webhook = recordingHandler({ schema: z.custom(asked) });
    await webhook.fetch(signedRequest(body, 'another'));

    expect(asked).not.toHaveBeenCalled();
  });
});

describe('the options', () => {
  const sizeRule = 'maxBodyBytes must be an integer from 1 to 9007199254740991';

  test.each([
    ['secretKey', { secretKey: '' }, 'secretKey must not be empty'],
    ['verify', { verify: () => true }, 'verify cannot be combined with secretKey'],
    ['verify', { secretKey: undefined, verify: 'token' }, 'verify must be a function'],
    ['onEvent', { onEvent: undefined }, 'onEvent must be a function'],
    ['schema', { schema: {} }, 'schema must be a Standard Schema, such as a schema of zod or valibot'],
    ['signatureHeader', { signatureHeader: 'X Signature' }, 'signatureHeader must be a header name'],
    [
      'secretKey',
      { secretKeyEncoding: 'hex' },
      "secretKey must be an even number of hex digits, because secretKeyEncoding is 'hex'",
    ],
    ['maxBodyBytes', { maxBodyBytes: 0 }, sizeRule],
    ['onError', { onError: console }, 'onError must be a function'],
  ])('name a wrong %s: %j', (option, wrong, message) => {
    const options = { secretKey, onEvent: () => undefined, ...wrong };
    const error = thrownBy(() => createWebhookHandler(options as never));

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ option, message });
  });

  test('show no secret if the handler is printed', () => {
    expect(inspect(recordingHandler(), { depth: Infinity, showHidden: true })).not.toContain(secretKey);
  });
});

test('signWebhook signs a body for a handler', async () => {
  const signature = signWebhook(body, secretKey);
  const headers = { signature };

  expect(signature).toBe(sign(body));
  const request = new Request('https://shop.example/', { method: 'POST', body, headers });
  expect((await recordingHandler().fetch(request)).status).toBe(204);
});

test.each([
  ['', 'utf8'],
  ['demo-secret', 'hex'],
] as const)('signWebhook refuses the key %j in %s, as the handler does', (key, secretKeyEncoding) => {
  const refused = expect.objectContaining({ option: 'secretKey' }) as unknown;
  expect(() => signWebhook(body, key as string, { secretKeyEncoding })).toThrow(refused);
});

/** A logger that keeps its lines. */
function recordingLogger() {
  const lines: unknown[] = [];
  const at = (level: string) => (message: string, record: object) =>
    void lines.push([level, message, record]);
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

describe('the log', () => {
  const event = JSON.stringify({ referenceId: 'ORDER-1', phone: '0912345678' });
  const handled = (record: object) => [
    'debug',
    'webhook handled',
    { status: 204, bodyBytes: event.length, ...record },
  ];

  test.each([
    [false, event, handled({})],
    [true, event, handled({ referenceId: 'ORDER-1' })],
    [true, '{"referenceId":"0912345678 An"}', handled({ bodyBytes: 31 })],
    [true, '7', handled({ bodyBytes: 1 })],
  ])(
    'records a handled event, with its reference if includeReference is %s: %s',
    async (include, text, line) => {
      const logger = recordingLogger();
      await recordingHandler({ logger, includeReference: include }).fetch(signedRequest(text));
      expect(logger.lines).toEqual([line]);
    },
  );

  test('records the status that onEvent returned', async () => {
    const logger = recordingLogger();
    await recordingHandler({ logger, onEvent: () => ({ status: 500 }) }).fetch(signedRequest(event));
    expect(logger.lines).toEqual([handled({ status: 500 })]);
  });

  test('records the code of a refusal, and nothing that a function threw', async () => {
    const logger = recordingLogger();
    const webhook = recordingHandler({
      logger,
      onEvent: () => Promise.reject(new Error('khách 0912345678')),
    });
    await webhook.fetch(signedRequest(event, 'another'));
    await webhook.fetch(signedRequest(event));
    expect(logger.lines).toEqual([
      ['warn', 'webhook not accepted', { status: 401, code: 'SIGNATURE_MISMATCH' }],
      ['error', 'webhook not accepted', { status: 500 }],
    ]);
  });

  test('records a warning for each refusal if there is no logger, without body and signature', async () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue(undefined);
    const failed = vi.spyOn(console, 'error').mockReturnValue(undefined);
    const webhook = createWebhookHandler({ secretKey, onEvent: () => undefined });
    await webhook.fetch(signedRequest(event, 'another'));
    await webhook.fetch(signedRequest(event));
    expect(warned.mock.calls).toEqual([
      [
        'installment-payments: a webhook was refused (SIGNATURE_MISMATCH): the signature does not match: the sender ' +
          'used a different secret key, or signed a different body',
      ],
    ]);
    const logger = recordingLogger();
    await createWebhookHandler({ secretKey, onEvent: () => undefined, logger }).fetch(
      signedRequest(event, 'another'),
    );
    expect(logger.lines).toHaveLength(1);
    expect(warned).toHaveBeenCalledOnce();
    expect(failed).not.toHaveBeenCalled();
  });

  test('goes to standard error at the level of INSTALLMENT_LOG if there is no logger', async () => {
    const written = vi.spyOn(console, 'error').mockReturnValue(undefined);
    vi.stubEnv('INSTALLMENT_LOG', 'warn');
    const webhook = recordingHandler();
    await webhook.fetch(signedRequest(event));
    await webhook.fetch(signedRequest(event, 'another'));
    expect(written.mock.calls).toEqual([
      [expect.stringMatching(/ installment-payments warn: webhook not accepted \{"status":401,/)],
    ]);
  });

  test('changes nothing if the logger fails', async () => {
    const fail = () => {
      throw new Error('log full');
    };
    const logger = { debug: fail, info: fail, warn: fail, error: fail };
    expect((await recordingHandler({ logger }).fetch(signedRequest(event))).status).toBe(204);
  });
});
