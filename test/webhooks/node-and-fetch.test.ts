import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { WebhookContext } from '../../src/webhooks/index.js';
import { recordingHandler, sign } from './support.js';

// The requests of node:http, of HTTP/2 and of frameworks, and the answers to them.

const body = '{"orderId":"1"}';
const signature = sign(body);

/** A response that notes what is done with it. */
function recordingResponse() {
  const answer = { status: 0, headers: {} as object, closes: [] as number[] };
  const response = {
    headersSent: false,
    writeHead: (status: number, headers: object) => Object.assign(answer, { status, headers }),
    end: () => undefined,
    stream: { close: (code: number) => answer.closes.push(code) },
  };
  return { answer, response };
}

/** A request whose body arrives in pieces. */
function arriving(pieces: readonly string[], more: object = {}) {
  const stream = Readable.from(pieces.map((piece) => Buffer.from(piece)));
  return Object.assign(stream, { method: 'POST', headers: { signature }, httpVersionMajor: 1, ...more });
}

test.each([
  ['HTTP/1.1', 1, { connection: 'close' }],
  ['HTTP/2', 2, {}],
])(
  'too large a body over %s ends its connection or stream, after the answer',
  async (_name, major, headers) => {
    const { answer, response } = recordingResponse();
    const request = arriving([body, ' '], { httpVersionMajor: major });
    await recordingHandler({ maxBodyBytes: body.length }).node(request, response);

    expect(answer).toEqual({
      status: 413,
      headers: { 'content-type': 'application/json', ...headers },
      closes: [0],
    });
    // Destroyed, it would take the answer with it.
    expect(request.destroyed).toBe(false);
  },
);

test.each([
  [204, {}, {}],
  [401, { headers: { signature: 'wrong' } }, { 'content-type': 'application/json' }],
  [405, { method: 'GET' }, { allow: 'POST' }],
])('an answer %i leaves the connection open', async (status, more, headers) => {
  const { answer, response } = recordingResponse();
  await recordingHandler().node(arriving([body], more), response);

  expect(answer).toEqual({ status, headers, closes: [] });
});

test('a body of which fetch refuses the rest is not cancelled, which could end the connection before the answer', async () => {
  const cancelled: unknown[] = [];
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from(`${body} `));
    },
    cancel: (reason) => void cancelled.push(reason),
  });
  const init = { method: 'POST', body: stream, duplex: 'half', headers: { signature } };
  const request = new Request('https://shop.example/', init as RequestInit);

  expect((await recordingHandler({ maxBodyBytes: 5 }).fetch(request)).status).toBe(413);
  expect(cancelled).toEqual([]);
});

test.each([
  ['was read in part', { readableDidRead: true, readableEnded: false }],
  ['has ended', { readableDidRead: false, readableEnded: true }],
])('a stream that %s is not raw', async (_what, state) => {
  const { answer, response } = recordingResponse();
  const webhook = recordingHandler();
  const request = {
    method: 'POST',
    headers: { signature },
    iterator: () => Readable.from([body]).iterator(),
  };
  await webhook.node({ ...request, ...state }, response);

  expect(answer.status).toBe(500);
  expect(webhook.errors).toMatchObject([{ code: 'BODY_NOT_RAW' }]);
});

test('headers may be lists or missing, pseudo-headers are left out, and an address may be unknown', async () => {
  const seen: WebhookContext[] = [];
  const webhook = recordingHandler({ onEvent: (_event, context) => void seen.push(context) });
  const headers = { signature, 'x-list': ['1', '2'], 'x-none': undefined, ':path': '/' };
  await webhook.node(arriving([body], { headers }), recordingResponse().response);

  expect(seen.map(({ url }) => url)).toEqual(['/']);
  expect([...(seen[0]?.headers ?? [])]).toEqual([
    ['signature', signature],
    ['x-list', '1, 2'],
  ]);
});

test('only a refused encoding is told which one is accepted', async () => {
  const answerTo = async (headers: Record<string, string>) => {
    const request = new Request('https://shop.example/', { method: 'POST', body, headers });
    return Object.fromEntries((await recordingHandler().fetch(request)).headers);
  };

  expect(await answerTo({ signature: 'wrong' })).toEqual({ 'content-type': 'application/json' });
  expect(await answerTo({ signature, 'content-encoding': 'gzip' })).toEqual({
    'accept-encoding': 'identity',
    'content-type': 'application/json',
  });
});
