import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { type TransportResult } from '../../src/http/transport.js';
import { FaultServer } from '../faults/fault-server.js';
import { settle } from '../helpers/runtime.js';
import { demoClient, paymentRequest } from '../helpers/samples.js';
import { systemError } from '../helpers/scripted-failures.js';
import { framed, scriptedFetch, sentBytes, type FetchScript } from '../helpers/scripted-fetch.js';
import { failure as classifyFailure, summary } from './failure.js';
import { fetchTransport } from './transmission.js';
import { describeTransport, responseOf, wireRequest } from './transport.contract.js';

describeTransport('fetch', { make: () => fetchTransport(globalThis.fetch) });

const request = wireRequest({ url: 'https://pay.example' });

async function answered(script: FetchScript): Promise<TransportResult> {
  return fetchTransport(scriptedFetch(script).fetch)(request).result;
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const bodyOf = (body: unknown) => Object.defineProperty(new Response(''), 'body', { value: body });

describe('an injected fetch', () => {
  test('receives an address, the frozen bytes as a stream, their length and a signal', async () => {
    const { fetch, requests } = scriptedFetch(() => framed('ok'));
    await fetchTransport(fetch)(request).result;
    const [sent] = requests;
    if (!sent) throw new Error('a request was expected');
    expect(sent.url).toBe('https://pay.example/x');
    expect(sent.init).toMatchObject({ method: 'POST', redirect: 'manual', duplex: 'half' });
    expect(sent.init.signal).toBeInstanceOf(AbortSignal);
    expect(sent.headers.get('x-a')).toBe('1');
    expect(sent.headers.get('content-length')).toBe(String(request.body.length));
    // A runtime can replay bytes by itself; a stream it cannot read again.
    expect(sent.init.body).toBeInstanceOf(ReadableStream);
    expect((await sentBytes(sent)).equals(request.body)).toBe(true);
  });

  test.each<readonly [string, () => unknown]>([
    [
      'throws at once',
      () => {
        throw new Error('at once');
      },
    ],
    ['rejects', () => Promise.reject(new Error('later'))],
    ['resolves to nothing', () => undefined],
    ['resolves to something without a status', () => ({ headers: new Headers() })],
    ['resolves to something whose headers are a plain object', () => ({ status: 200, headers: {} })],
    [
      'resolves to a response that was read already',
      async () => {
        const response = framed('ok');
        response.body?.getReader();
        await settle(1);
        return response;
      },
    ],
  ])('fails with an unknown outcome if it %s', async (_name, script) => {
    const { failure, response } = await answered(script as FetchScript);
    expect(response).toBeUndefined();
    expect(failure).toMatchObject({ outcome: 'unknown', transient: true });
  });

  test('is not awaited if it ignores its signal, and its late response is cancelled', async () => {
    let answer: ((response: Response) => void) | undefined;
    const { fetch, requests } = scriptedFetch(() => new Promise<Response>((resolve) => (answer = resolve)));
    const transmission = fetchTransport(fetch)(request);
    await settle(1);
    transmission.stop();
    expect(await transmission.result).toEqual({ phase: undefined, response: undefined, failure: undefined });
    expect(requests[0]?.init.signal?.aborted).toBe(true);
    let cancelled = false;
    const late = new ReadableStream({ cancel: () => void (cancelled = true) });
    answer?.(new Response(late));
    await settle();
    expect(cancelled).toBe(true);
  });

  test('receives no byte of the body after it was stopped, even if it ignores its signal', async () => {
    const { fetch, requests } = scriptedFetch(() => new Promise<Response>(() => undefined));
    const transmission = fetchTransport(fetch)(request);
    await settle(2);
    transmission.stop();
    const [sent] = requests;
    if (!sent) throw new Error('a request was expected');
    await expect(sentBytes(sent)).rejects.toThrow('the attempt was stopped');
  });

  test.each<readonly [string, (body: unknown) => unknown]>([
    ['text', (body) => String(body)],
    ['part of a text', (body) => `body: ${String(body)}`],
    ['JSON', (body) => JSON.stringify({ body })],
    ['a Blob', (body) => new Blob([body as string])],
  ])(
    'has an unknown outcome if it turns the body into %s, whatever its response is',
    async (_name, convert) => {
      const script: FetchScript = ({ init }) => {
        convert(init.body);
        return framed('{"resultStatus":"APPROVED"}');
      };
      const { failure, response } = await answered(script);
      expect(response).toBeUndefined();
      expect(failure).toMatchObject({
        outcome: 'unknown',
        transient: false,
        summary: 'fetch does not accept a stream',
      });
      const { fetch, requests } = scriptedFetch(script);
      const error = await classifyFailure(demoClient({ fetch }).initiatePayment(paymentRequest()));
      expect(summary(error)).toEqual({
        code: 'CONNECTION',
        outcome: 'unknown',
        retryable: false,
        attempts: 1,
      });
      expect(error.message).toContain('the option fetch does not accept a stream');
      expect(requests).toHaveLength(1);
    },
  );

  test('is judged by its response if it logs the body, and then sends it', async () => {
    const log: string[] = [];
    const logging: FetchScript = async (sent) => {
      log.push(''.concat(sent.init.body as never));
      return framed(await sentBytes(sent));
    };
    expect(Buffer.from(responseOf(await answered(logging)).body)).toEqual(Buffer.from(request.body));
    expect(log).toEqual(['[object ReadableStream]']);
  });

  test('is not called once the attempt is over, which is not_sent', async () => {
    const { fetch, requests } = scriptedFetch(() => framed('late'));
    const stopped = fetchTransport(fetch)(request);
    stopped.stop();
    expect(await stopped.result).toEqual({ phase: 'connecting' });
    const late = await fetchTransport(fetch)(request, { canBegin: () => false }).result;
    expect(late).toEqual({ phase: 'connecting' });
    await settle();
    expect(requests).toHaveLength(0);
  });

  test('receives no byte of the body if it connects until the limit has passed', async () => {
    let hasTime = true;
    const { fetch, requests } = scriptedFetch(async (sent) => {
      hasTime = false; // the event loop was blocked, so no timer fired
      await sentBytes(sent);
      return framed('late');
    });
    const { phase, response } = await fetchTransport(fetch)(request, { canBegin: () => hasTime }).result;
    expect({ phase, response }).toEqual({ phase: 'connecting', response: undefined });
    expect(requests).toHaveLength(1);
  });

  test('drops an idle connection with unexpected bytes', async () => {
    let idle: Socket | undefined;
    await using server = await FaultServer.start([
      { at: 'end', act: (socket) => (idle = socket.setNoDelay()).write(ok) },
      { at: 'end', act: (socket) => socket.write(ok) },
    ]);
    const transport = fetchTransport(globalThis.fetch);
    expect(responseOf(await transport(wireRequest(server)).result).httpStatus).toBe(200);
    await settle();
    // The bytes arrive in the same turn as the next request, so that nothing has read them before.
    idle?.write('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
    expect(responseOf(await transport(wireRequest(server)).result).httpStatus).toBe(200);
  });

  test('has a response even if its header values are not strings', async () => {
    const values = [
      ['X-Odd', Symbol('odd')],
      [undefined, {}],
    ];
    const { response } = await answered((() => ({ status: 200, headers: values, body: ['{}'] })) as never);
    expect(response?.headers).toEqual(['X-Odd', 'Symbol(odd)', 'undefined', '[object Object]']);
  });

  test('has a response without headers if they can only be read with get', async () => {
    const headers = { get: () => null };
    const body = [Buffer.from('{}')];
    const { response } = await answered((() => ({ status: 200, headers, body })) as never);
    expect(response).toMatchObject({ httpStatus: 200, headers: [], bodyState: 'ended' });
  });

  test('returns the received part if it is stopped while its body stalls, and cancels the rest', async () => {
    let cancelled = false;
    const stalling = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(Buffer.from('{"half":'));
      },
      cancel: () => void (cancelled = true),
    });
    const transmission = fetchTransport(scriptedFetch(() => new Response(stalling)).fetch)(request);
    await settle();
    transmission.stop();
    const response = responseOf(await transmission.result);
    expect(Buffer.from(response.body).toString()).toBe('{"half":');
    expect(response.bodyState).toBe('cut');
    await settle();
    expect(cancelled).toBe(true);
  });

  test('reports a redirect if it has followed one, or hides one', async () => {
    const followed = () => Object.defineProperty(framed('{}'), 'redirected', { value: true });
    expect(responseOf(await answered(followed))).toMatchObject({ httpStatus: 200, isRedirect: true });
    const opaque = () => Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' });
    expect(responseOf(await answered(opaque)).isRedirect).toBe(true);
  });

  test('has a complete response without a body only if the status has no body', async () => {
    const nothing = (status: number) => () => new Response(null, { status });
    expect(responseOf(await answered(nothing(204)))).toMatchObject({ httpStatus: 204, bodyState: 'whole' });
    expect(responseOf(await answered(nothing(404))).bodyState).toBe('ended');
  });

  test('has an incomplete response if the length does not match the body', async () => {
    const mismatch = () => new Response('four', { headers: { 'content-length': '5' } });
    expect(responseOf(await answered(mismatch)).bodyState).toBe('ended');
  });

  test('has an incomplete response if the body is text instead of bytes', async () => {
    const text = new ReadableStream({
      start: (controller) => {
        controller.enqueue('text');
        controller.close();
      },
    });
    const result = await answered(() => bodyOf(text));
    expect(result.failure).toMatchObject({ outcome: 'unknown', code: 'TypeError' });
    expect(responseOf(result).bodyState).toBe('cut');
  });

  test('reads a body that can only be iterated, as in older libraries, to its end or its limit', async () => {
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
    const read = responseOf(await answered(() => bodyOf(pieces(2))));
    expect(read.body.length).toBe(128 * 1024);
    ended = false;
    expect(responseOf(await answered(() => bodyOf(pieces(10_000)))).bodyState).toBe('too_large');
    await settle(1);
    expect(ended).toBe(true);
  });

  test('has an unknown outcome if the body fails with a connection error', async () => {
    const refused = systemError('ECONNREFUSED', 'connect');
    const failing = new ReadableStream({
      pull: (controller) => {
        controller.error(refused);
      },
    });
    const { phase, failure } = await answered(() => new Response(failing));
    expect(phase).toBe('receiving');
    expect(failure).toMatchObject({ outcome: 'unknown', summary: 'ECONNREFUSED (connect)' });
  });

  test('is not aborted after a complete response', async () => {
    const { fetch, requests } = scriptedFetch(() => framed('ok'));
    const transmission = fetchTransport(fetch)(request);
    expect((await transmission.result).phase).toBe('complete');
    transmission.stop();
    await settle(2);
    expect(requests[0]?.init.signal?.aborted).toBe(false);
  });

  test.each([
    [
      'throws',
      {
        cancel: () => {
          throw new Error('cannot be stopped');
        },
      },
    ],
    ['is missing', {}],
  ])('has an incomplete response if the body fails and its cancel %s', async (_name, stop) => {
    const reader = { read: () => Promise.reject(new Error('gone')), ...stop };
    const odd = { status: 200, headers: new Headers(), body: { getReader: () => reader } };
    const result = await answered(() => odd as unknown as Response);
    expect(result.failure).toMatchObject({ outcome: 'unknown' });
    expect(responseOf(result).bodyState).toBe('cut');
  });
});
