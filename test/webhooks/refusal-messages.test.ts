import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createWebhookHandler, verifyWebhook, WebhookError } from '../../src/webhooks/index.js';
import { thrownBy } from '../helpers/samples.js';
import { recordingHandler, secretKey, sign } from './support.js';

const body = '{"orderId":"1"}';
const signature = sign(body);

describe('the message of a refusal says what is wrong:', () => {
  test.each([
    [{ signature: undefined }, {}, 'the request has no header Signature'],
    [{ signature: [signature, signature] }, {}, 'the request has more than one header Signature'],
    [{ signature: 'zzz' }, {}, "the signature is not 64 hexadecimal characters (signatureEncoding: 'hex')"],
    [
      { signature },
      { signatureEncoding: 'base64' },
      "the signature is not 44 characters of base64 (signatureEncoding: 'base64')",
    ],
    [
      { signature: sign(body, 'another') },
      {},
      'the signature does not match: the secret key is another one, or the body is not, byte for byte, what was signed',
    ],
    [{ body: '{', signature: sign('{') }, {}, 'the signature is valid, but the body is not JSON in UTF-8'],
  ] as const)('of %j with %j', (received, options, message) => {
    const error = thrownBy(() => verifyWebhook({ body, ...received }, { secretKey, ...options }));

    expect(error).toMatchObject({ message });
  });

  test('of a parsed body, with the way to the bytes in each framework', () => {
    const error = thrownBy(() => verifyWebhook({ body: {} as never, signature }, { secretKey }));

    const parts = String(error).split('. ');
    expect(parts.map((part) => part.split(': ')[0])).toEqual([
      'WebhookError',
      'Express',
      'Fastify',
      'NestJS',
      'Next.js',
    ]);
    for (const part of parts) expect(part).toMatch(/: .{30,}/);
    expect(parts[0]).toContain('was parsed or read before');
  });

  const cut = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.error(new Error('reset'));
    },
  });
  test.each([
    ['too large', { body: `${body} ` }, {}, 'the body is larger than 15 bytes (maxBodyBytes)'],
    [
      'compressed',
      {},
      { 'content-encoding': 'gzip' },
      'the body is compressed: Content-Encoding must be absent or identity',
    ],
    [
      'cut short',
      { body: cut, duplex: 'half' as const },
      {},
      'the connection ended before the whole body arrived',
    ],
    [
      'of another shape',
      {},
      {},
      'the signature is valid, but the event does not match the schema: see issues',
    ],
  ])('of a body that is %s', async (_what, init, headers, message) => {
    const webhook = recordingHandler({ maxBodyBytes: 15, schema: z.number() });
    await webhook.fetch(
      new Request('https://shop.example/', {
        method: 'POST',
        body,
        ...init,
        headers: { signature, ...headers },
      }),
    );

    expect(webhook.errors).toMatchObject([{ message }]);
  });
});

test.each([
  ['SIGNATURE_MISSING', 401],
  ['SIGNATURE_MISMATCH', 401],
  ['BODY_NOT_RAW', 500],
  ['BODY_NOT_JSON', 400],
  ['BODY_TOO_LARGE', 413],
  ['SCHEMA', 400],
] as const)('a refusal of the code %s has the status %i', (code, status) => {
  const error = new WebhookError(code, 'why');

  expect(error).toMatchObject({ code, status });
  expect(error).not.toHaveProperty('issues');
  expect(Object.keys(error)).toEqual(['code', 'status']);
});

test('a WebhookError has a name of its own, which a program may change', () => {
  const error = new WebhookError('SCHEMA', 'why');
  error.name = 'ShopError';

  expect([WebhookError.name, String(error)]).toEqual(['WebhookError', 'ShopError: why']);
  expect(String(new WebhookError('SCHEMA', 'why'))).toBe('WebhookError: why');
});

test('a body of which a framework kept more than the limit is refused, and at the limit it is taken', async () => {
  const answers: number[] = [];
  const response = {
    headersSent: false,
    writeHead: (status: number) => answers.push(status),
    end: () => undefined,
  };
  for (const maxBodyBytes of [body.length, body.length - 1]) {
    const webhook = recordingHandler({ maxBodyBytes });
    for (const kept of [{ rawBody: Buffer.from(body) }, { body }])
      await webhook.node({ method: 'POST', headers: { signature }, ...kept } as never, response);
  }

  expect(answers).toEqual([204, 204, 413, 413]);
});

describe('the message for a wrong option says what is expected:', () => {
  test.each([
    [{ secretKey: 7 }, 'secretKey must be a string, or a list of strings'],
    [{ secretKey: [] }, 'secretKey must have at least one key'],
    [{ onEvent: 7 }, 'onEvent must be a function'],
    [{ schema: {} }, 'schema must be a Standard Schema, such as one of zod or valibot'],
    [{ schema: { '~standard': {} } }, 'schema must be a Standard Schema, such as one of zod or valibot'],
    [{ signatureHeader: 7 }, 'signatureHeader must be a header name'],
    [{ signatureHeader: 'a b' }, 'signatureHeader must be a header name'],
    [{ signatureEncoding: 'utf8' }, "signatureEncoding must be 'hex' or 'base64'"],
    [{ maxBodyBytes: 0 }, 'maxBodyBytes must be a whole number of bytes greater than 0'],
    [{ maxBodyBytes: 1.5 }, 'maxBodyBytes must be a whole number of bytes greater than 0'],
  ])('%j', (wrong, message) => {
    const options = { secretKey, onEvent: () => undefined, ...wrong } as never;

    expect(thrownBy(() => createWebhookHandler(options))).toMatchObject({ message });
  });

  test('of no options at all', () => {
    const error = thrownBy(() => createWebhookHandler(undefined as never));
    expect(error).toMatchObject({ message: 'options must be an object' });
  });
});
