import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { maxAnswerBytes } from '../../src/http/answer-body.js';
import { sendOnce, type Answer, type Exchange } from '../../src/http/transport.js';
import { recordingServer, type RecordingServer, type Script } from '../helpers/recording-server.js';
import { scriptedFetch, type FetchScript } from '../helpers/scripted-fetch.js';

let server: RecordingServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const body = Buffer.from('{"a":1}');
const signal = new AbortController().signal;
const realFetch = (input: string | URL, init?: RequestInit) => fetch(input, init);

async function overSocket(script: Script): Promise<Exchange> {
  server = await recordingServer(script);
  return sendOnce({ url: `${server.url}/x`, headers: { 'X-A': '1' }, body }, realFetch, signal);
}

async function overStub(script: FetchScript): Promise<Exchange> {
  const { fetch } = scriptedFetch(script);
  return sendOnce({ url: 'https://pay.example/x', headers: {}, body }, fetch, signal);
}

function asAnswer(exchange: Exchange): Answer {
  if (exchange.kind !== 'answer') throw new Error('an answer was expected');
  return exchange;
}

describe('one attempt', () => {
  it('posts the frozen bytes and reads the whole answer', async () => {
    const answer = asAnswer(
      await overSocket({ status: 418, headers: { 'retry-after': '7' }, body: 'short' }),
    );
    expect(answer).toMatchObject({
      httpStatus: 418,
      redirect: false,
      retryAfter: '7',
      state: { arrived: 'whole' },
    });
    expect(Buffer.from(answer.body).toString()).toBe('short');
    expect(server?.requests).toHaveLength(1);
    expect(server?.requests[0]).toMatchObject({ method: 'POST', path: '/x', body });
    expect(server?.requests[0]?.headers['x-a']).toBe('1');
  });

  it.each([301, 302, 303, 307, 308])('follows no redirect: %i', async (status) => {
    const answer = asAnswer(await overSocket({ status, headers: { location: '/elsewhere' } }));
    expect(answer).toMatchObject({ httpStatus: status, redirect: true });
    expect(server?.requests).toHaveLength(1);
  });

  it.each([500, 503, 429, 413, 408])('is not repeated by anything below us: %i', async (status) => {
    await overSocket({ status, headers: { 'retry-after': '0' } });
    expect(server?.requests).toHaveLength(1);
  });

  it('that is reset is a failure and no exception', async () => {
    const exchange = await overSocket((socket) => {
      socket.resetAndDestroy();
    });
    expect(exchange).toMatchObject({
      kind: 'failure',
      failure: { outcome: 'unknown', description: 'ECONNRESET (read)' },
    });
  });

  it('that is cut in the body keeps what arrived', async () => {
    const answer = asAnswer(
      await overSocket((socket) => {
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"half":');
      }),
    );
    expect(answer.state).toMatchObject({ arrived: 'cut' });
    expect(Buffer.from(answer.body).toString()).toBe('{"half":');
  });

  it('stops at 1 MiB of a body that unpacks to 50 MB', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const answer = asAnswer(await overSocket({ headers: { 'content-encoding': 'gzip' }, body: bomb }));
    expect(answer.state).toEqual({ arrived: 'too_large' });
    expect(answer.body.length).toBeLessThan(maxAnswerBytes + 1024 * 1024);
  });

  it('takes exactly 1 MiB', async () => {
    const answer = asAnswer(await overStub(() => new Response(new Uint8Array(maxAnswerBytes))));
    expect(answer.state).toEqual({ arrived: 'whole' });
    expect(answer.body.length).toBe(maxAnswerBytes);
  });
});

describe('an injected fetch', () => {
  it('that throws at once, rejects, or gives nothing is a failed connection', async () => {
    const throwing = () => {
      throw new Error('at once');
    };
    const request = { url: 'https://pay.example/x', headers: {}, body };
    expect((await sendOnce(request, throwing, signal)).kind).toBe('failure');
    expect((await sendOnce(request, () => Promise.reject(new Error('later')), signal)).kind).toBe('failure');
    expect((await sendOnce(request, () => Promise.reject(new TypeError('text')), signal)).kind).toBe(
      'failure',
    );
  });

  it('whose answer has no body', async () => {
    expect(asAnswer(await overStub(() => new Response(null, { status: 204 })))).toMatchObject({
      httpStatus: 204,
      state: { arrived: 'whole' },
    });
  });

  it('whose redirect is opaque, as in a browser', async () => {
    const opaque = () => Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' });
    expect(asAnswer(await overStub(opaque))).toMatchObject({ redirect: true });
  });

  it('whose body is of text and not of bytes', async () => {
    const stream = new ReadableStream({
      start: (controller) => {
        controller.enqueue('text');
        controller.close();
      },
    });
    const odd = () => Object.defineProperty(new Response(''), 'body', { value: stream });
    expect(asAnswer(await overStub(odd)).state).toMatchObject({ arrived: 'cut' });
  });

  it('whose body can only be iterated, as of an older library', async () => {
    let ended = false;
    async function* pieces(count: number) {
      try {
        for (let piece = 0; piece < count; piece++) {
          await Promise.resolve();
          yield Buffer.alloc(64 * 1024, 0x20);
        }
      } finally {
        ended = true;
      }
    }
    const iterated = (count: number) => () =>
      Object.defineProperty(new Response(''), 'body', { value: pieces(count) });
    expect(asAnswer(await overStub(iterated(2))).body.length).toBe(128 * 1024);
    expect(asAnswer(await overStub(iterated(10_000))).state).toEqual({ arrived: 'too_large' });
    expect(ended).toBe(true);
  });

  it('is told to stop reading a body that is too large', async () => {
    let cancelled = false;
    const endless = () =>
      new Response(
        new ReadableStream({
          pull: (controller) => {
            controller.enqueue(new Uint8Array(256 * 1024));
          },
          cancel: () => {
            cancelled = true;
            return Promise.reject(new Error('too late'));
          },
        }),
      );
    expect(asAnswer(await overStub(endless)).state).toEqual({ arrived: 'too_large' });
    expect(cancelled).toBe(true);
  });

  it.each([
    [
      'throws',
      {
        cancel: () => {
          throw new Error('cannot be stopped');
        },
      },
    ],
    ['is missing', {}],
  ])('whose body fails, and whose way to stop it %s, is an answer that was cut', async (_name, stop) => {
    const reader = { read: () => Promise.reject(new Error('gone')), ...stop };
    const response = { status: 200, headers: new Headers(), body: { getReader: () => reader } };
    expect(asAnswer(await overStub(() => response as unknown as Response)).state).toMatchObject({
      arrived: 'cut',
    });
  });

  it('is handed the frozen bytes themselves, and the signal', async () => {
    const { fetch, requests } = scriptedFetch(() => new Response('ok'));
    await sendOnce({ url: 'https://pay.example/x', headers: { 'X-A': '1' }, body }, fetch, signal);
    expect(requests[0]?.url).toBe('https://pay.example/x');
    expect(requests[0]?.init.body).toBe(body);
    expect(requests[0]?.init).toMatchObject({
      method: 'POST',
      redirect: 'manual',
      headers: { 'X-A': '1' },
      signal,
    });
  });
});
