import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createMockService, type MockServer } from '../../../src/entries/mock.js';
import { initiate, now } from '../../helpers/signed-requests.js';

const mock = createMockService({ now });
let server: MockServer;

beforeAll(async () => {
  server = await mock.listen();
});
afterAll(() => server.close());

/** Checks that the next request is served, whatever happened before. */
afterEach(async () => {
  mock.reset();
  const { path, init } = initiate();
  const response = await fetch(server.url + path, init);
  expect(await response.json()).toMatchObject({ resultStatus: 'APPROVED' });
  mock.reset();
});

interface Talk {
  readonly socket: Socket;
  /** Everything that arrived until the server closed the connection. */
  readonly answer: Promise<string>;
}

async function talk(): Promise<Talk> {
  const socket = connect(server.port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const answer = new Promise<string>((resolve) => {
    socket.on('close', () => {
      resolve(Buffer.concat(chunks).toString('latin1'));
    });
  });
  return { socket, answer };
}

async function say(bytes: string | Buffer): Promise<string> {
  const { socket, answer } = await talk();
  socket.end(bytes);
  return answer;
}

const head = (lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;
const post = (path: string, ...headers: string[]) =>
  head([`POST ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close', ...headers]);

describe('bytes that are not a request', () => {
  const badRequest = /^HTTP\/1\.1 400 /;
  // The server can close the connection before the sender has written everything. Then the response can be lost.
  const tooLarge = /^HTTP\/1\.1 431 |^$/;

  test.each([
    ['a TLS greeting', Buffer.from('16030100a5010000a10303', 'hex'), badRequest],
    ['an unknown version of HTTP', 'POST /v2/payments HTTP/9.9\r\n\r\n', badRequest],
    ['two lengths', post('/v2/payments', 'Content-Length: 1', 'Content-Length: 2'), badRequest],
    ['a header with NUL', post('/v2/payments', 'Client-Id: a\0b'), badRequest],
    ['a header of 1 MiB', post('/v2/payments', `X-Long: ${'x'.repeat(1024 * 1024)}`), tooLarge],
    ['a path with backslashes', post('\\\\evil'), badRequest],
  ])('are refused without an effect: %s', async (_title, bytes, answer) => {
    expect(await say(bytes)).toMatch(answer);
    expect(mock.journal.filter(({ resultStatus }) => resultStatus !== undefined)).toEqual([]);
    expect(mock.payments.all()).toEqual([]);
  });
});

describe('unusual requests', () => {
  test.each([
    ['http://evil.example/v2/payments', 'INVALID_CLIENT_ID'],
    ['HTTPS://evil.example:8443/v2/payments?x', 'INVALID_CLIENT_ID'],
    ['http://evil.example', 'INVALID_API'],
    ['http://[/v2/payments', 'INVALID_API'],
    ['ftp://evil.example/v2/payments', 'INVALID_API'],
    ['xhttp://evil.example/v2/payments', 'INVALID_API'],
  ])('use only the path of the absolute target %s', async (target, resultStatus) => {
    expect(await say(post(target, 'Content-Length: 0'))).toContain(resultStatus);
    expect(mock.journal.all()[0]?.headers['host']).not.toContain('evil');
  });

  test('do not bypass the guard with an absolute target', async () => {
    const lines = ['GET http://localhost/_mock/journal HTTP/1.1', 'Host: evil.example', 'Connection: close'];
    expect(await say(head(lines))).toMatch(/^HTTP\/1\.1 403/);
  });

  test('are closed for CONNECT', async () => {
    expect(await say(head(['CONNECT evil.example:443 HTTP/1.1', 'Host: x']))).toBe('');
  });

  test('are handled as usual for an upgrade', async () => {
    const lines = ['GET /v2/payments HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: websocket'];
    const { socket, answer } = await talk();
    socket.write(head(lines));
    await once(socket, 'data');
    socket.destroy();
    expect(await answer).toContain('INVALID_HTTP_METHOD');
  });
});

describe('bodies that are too large', () => {
  const mebibyte = Buffer.alloc(1024 * 1024, 0x20);

  test.each([
    ['/v2/payments', 2, 'INVALID_REQUEST'],
    ['/v2/payments/upload-invoice', 8, 'FILE_TOO_LARGE'],
    ['/lender/open/notify/payment-receipt', 2, 'INVALID_REQUEST'],
  ])('get a response on %s before %i MiB of the declared body are read', async (path, size, resultStatus) => {
    const { socket, answer } = await talk();
    const declared = post(path, `Content-Length: ${String(size * mebibyte.length)}`);
    socket.write(declared.replace('Connection: close\r\n', ''));
    // The response arrives before any of the body is sent.
    await once(socket, 'data');
    for (let sent = 0; sent < size; sent += 1) socket.write(mebibyte);
    expect(await answer).toContain(resultStatus);
    expect(await answer).toMatch(/^connection: close/im);
    // The rest of the body was read, because a reset could lose the response.
    expect(socket.errored).toBeNull();
  });

  test('leave the connection open if they are read to their end', async () => {
    const { path, init } = initiate(' '.repeat(mebibyte.length));
    const response = await fetch(server.url + path, init);
    expect(response.headers.get('connection')).toBe('keep-alive');
  });

  test.each([
    ['of a declared length', (size: number) => [`Content-Length: ${size}`, '', '']],
    [
      'of unknown length',
      (size: number) => ['Transfer-Encoding: chunked', `${size.toString(16)}\r\n`, '\r\n0\r\n\r\n'],
    ],
  ])('%s are accepted with 1 MiB, and refused with one byte more', async (_what, framed) => {
    for (const extra of [0, 1]) {
      const [header = '', before = '', after = ''] = framed(mebibyte.length + extra);
      const { socket, answer } = await talk();
      socket.write(post('/v2/payments', header) + before);
      socket.end(Buffer.concat([mebibyte, Buffer.alloc(extra, 0x20), Buffer.from(after)]));
      await answer;
    }
    const [whole, larger] = mock.journal.all();
    expect(whole?.bodyBytes).toBe(mebibyte.length);
    expect(larger?.bodyBytes).toBeUndefined();
  });

  test('are cut off if the sender never stops', async () => {
    const { socket, answer } = await talk();
    socket.write(post('/v2/payments', 'Transfer-Encoding: chunked'));
    let sent = 0;
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), mebibyte, Buffer.from('\r\n')]);
    while (!socket.destroyed && sent < 200) {
      sent += 1;
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain').catch(() => undefined), answer]);
    }
    await answer;
    expect(sent).toBeLessThan(60);
  });
});

describe('senders that close the connection', () => {
  test.each([
    ['an answer', { delayMs: 50 }],
    ['a stalled answer', 'stalled-body'],
    ['nothing', 'hang'],
  ] as const)('a sender that is gone by the time of %s leaves nothing behind', async (_title, fault) => {
    mock.injectFault('initiatePayment', fault, { phase: 'after' });
    const { path, init } = initiate();
    const caller = new AbortController();
    const pending = fetch(server.url + path, { ...init, signal: caller.signal }).catch(() => undefined);
    await mock.journal.waitFor({ fault, completed: typeof fault === 'string' });
    caller.abort();
    await pending;
    expect(await mock.journal.waitFor({ fault })).toMatchObject({ resultStatus: 'APPROVED' });
  });
});

test('nested JSON with 100,000 levels is refused like any other JSON', async () => {
  const deep = '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000);
  const { path, init } = initiate(deep);
  const response = await fetch(server.url + path, init);
  expect(await response.json()).toMatchObject({ resultStatus: 'INVALID_REQUEST' });
});
