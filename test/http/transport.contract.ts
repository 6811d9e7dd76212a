import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import {
  headerOf,
  maxResponseBytes,
  type BodyState,
  type TransportResult,
  type WireRequest,
  type WireResponse,
} from '../../src/http/transport.js';
import { recordingServer, type RecordingServer, type Script } from '../helpers/recording-server.js';
import { settle } from '../helpers/runtime.js';
import type { Transmit } from './transmission.js';

const body = Buffer.from('{"a":1}');

/** A request to a server of the test. */
export function wireRequest(
  { url }: { readonly url: string },
  changes: Partial<WireRequest & { readonly body: Uint8Array }> = {},
): WireRequest & { readonly body: Uint8Array } {
  return { method: 'POST', url: new URL(`${url}/x`), headers: { 'X-A': '1' }, body, ...changes };
}

/** The response of a result; the test fails without one. */
export function responseOf({ response, failure }: TransportResult): WireResponse {
  if (!response) throw new Error(`a response was expected, not ${failure?.summary ?? 'nothing'}`);
  return response;
}

export const textOf = ({ body: bytes }: WireResponse) => Buffer.from(bytes).toString();

/** Sends exact bytes, and ends the connection or leaves it open. */
export const saying =
  (head: string, bytes: Uint8Array | string = '', then: 'ends' | 'stays' = 'stays') =>
  (socket: Socket): void => {
    socket.write(Buffer.concat([Buffer.from(`HTTP/1.1 ${head}\r\n\r\n`), Buffer.from(bytes)]));
    if (then === 'ends') socket.end();
  };

/** A body in one chunk, and the chunk that ends it. */
export function chunked(bytes: Uint8Array | string): Buffer {
  const size = Buffer.byteLength(bytes);
  const chunk =
    size === 0
      ? Buffer.of()
      : Buffer.concat([Buffer.from(`${size.toString(16)}\r\n`), Buffer.from(bytes), Buffer.from('\r\n')]);
  return Buffer.concat([chunk, Buffer.from('0\r\n\r\n')]);
}

/** Something that happens once. */
export function event(): { readonly fired: Promise<void>; readonly fire: () => void } {
  let fire: () => void = () => undefined;
  const fired = new Promise<void>((resolve) => (fire = resolve));
  return { fired, fire };
}

export interface TransportContract {
  readonly make: () => Transmit;
}

/** The behaviour of every transport. */
export function describeTransport(name: string, { make }: TransportContract): void {
  let server: RecordingServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  async function serve(...scripts: readonly Script[]): Promise<RecordingServer> {
    return (server = await recordingServer(...scripts));
  }

  async function send(script: Script, changes?: Parameters<typeof wireRequest>[1]): Promise<TransportResult> {
    return make()(wireRequest(await serve(script), changes)).result;
  }

  async function stateOf(script: Script): Promise<BodyState> {
    return responseOf(await send(script)).bodyState;
  }

  describe(`${name}: a request`, () => {
    test('is sent with its own method, and without a body if it has none', async () => {
      const { url, requests } = await serve({ body: '{}' });
      const request = { method: 'GET', url: new URL(`${url}/x`), headers: { 'X-A': '1' } } as const;
      expect(responseOf(await make()(request).result).httpStatus).toBe(200);
      expect(requests[0]).toMatchObject({ method: 'GET', path: '/x', body: Buffer.of() });
      expect(requests[0]?.headers).not.toHaveProperty('content-length');
      expect(requests[0]?.headers).not.toHaveProperty('transfer-encoding');
    });

    test('is posted once with its headers and frozen bytes, and its response is read to the end', async () => {
      const { url, requests } = await serve({ status: 418, body: 'short' });
      const target = new URL(`${url}/prefix/x?y=1`);
      const result = await make()({ method: 'POST', url: target, headers: { 'X-A': '1', 'X-B': 'ü' }, body })
        .result;
      expect(result).toMatchObject({ phase: 'complete', failure: undefined });
      const response = responseOf(result);
      expect(response).toMatchObject({
        httpStatus: 418,
        isRedirect: false,
        bodyState: 'whole',
      });
      expect(textOf(response)).toBe('short');
      expect(requests).toHaveLength(1);
      expect(requests[0]).toMatchObject({ method: 'POST', path: '/prefix/x?y=1', body });
      expect(requests[0]?.headers).toMatchObject({ 'x-a': '1', 'x-b': 'ü', 'content-length': '7' });
      expect(requests[0]?.headers).not.toHaveProperty('transfer-encoding');
    });

    test('may have an empty body', async () => {
      expect(textOf(responseOf(await send({ body: 'ok' }, { body: Buffer.of() })))).toBe('ok');
      expect(server?.requests[0]?.headers['content-length']).toBe('0');
    });

    test.each([301, 302, 303, 307, 308])('follows no redirect: %i', async (status) => {
      const elsewhere = await recordingServer({ body: 'followed' });
      const response = responseOf(await send({ status, headers: { location: elsewhere.url } }));
      await elsewhere.close();
      expect(response.isRedirect).toBe(true);
      expect(server?.requests).toHaveLength(1);
      expect(elsewhere.requests).toHaveLength(0);
    });

    test.each([500, 503, 429, 413, 408, 425, 421])('is one request on the wire under %i', async (status) => {
      const { url, requests } = await serve({ body: 'first' }, { status, headers: { 'retry-after': '0' } });
      const transport = make();
      const request = wireRequest({ url });
      await transport(request).result; // so that the next one may meet a connection that is kept alive
      expect(responseOf(await transport(request).result)).toMatchObject({ httpStatus: status });
      expect(requests).toHaveLength(2);
    });

    test('is one request where a connection that was kept alive is closed after it was read', async () => {
      const { url, requests } = await serve({ body: 'first' }, (socket) => socket.end());
      const transport = make();
      const request = wireRequest({ url });
      await transport(request).result;
      const result = await transport(request).result;
      expect(result).toMatchObject({ response: undefined, failure: { outcome: 'unknown', transient: true } });
      expect(requests).toHaveLength(2);
    });
  });

  describe(`${name}: a header`, () => {
    test('is kept as received, joined if it is sent twice, and may be absent', async () => {
      const twice = '503 Busy\r\nContent-Length: 0\r\nRetry-After: 7\r\nVia: a\r\nRETRY-AFTER: 7';
      const response = responseOf(await send(saying(twice)));
      expect(headerOf(response, 'via')).toBe('a');
      expect(headerOf(response, 'retry-after')).toBe('7, 7');
      expect(headerOf(response, 'age')).toBeUndefined();
    });
  });

  describe(`${name}: a response`, () => {
    test('keeps the received part if its body is cut', async () => {
      const result = await send(saying('200 OK\r\nContent-Length: 100', '{"half":', 'ends'));
      expect(result).toMatchObject({ phase: 'receiving', failure: { outcome: 'unknown', transient: true } });
      expect(responseOf(result)).toMatchObject({ httpStatus: 200, bodyState: 'cut' });
      expect(textOf(responseOf(result))).toBe('{"half":');
    });

    test.each<readonly [string, Script, BodyState]>([
      ['a length', saying('404 No\r\nContent-Length: 2', 'no'), 'whole'],
      ['a length of 0', saying('404 No\r\nContent-Length: 0'), 'whole'],
      ['chunks', saying('404 No\r\nTransfer-Encoding: chunked', chunked('no')), 'whole'],
      ['no chunk but the last', saying('404 No\r\nTransfer-Encoding: chunked', chunked('')), 'whole'],
      ['the end of the connection', saying('404 No\r\nConnection: close', 'no', 'ends'), 'ended'],
      ['the end of the connection, and empty', saying('404 No\r\nConnection: close', '', 'ends'), 'ended'],
      ['a status without a body', saying('304 Same'), 'whole'],
      ['a length that did not arrive', saying('404 No\r\nContent-Length: 3', 'no', 'ends'), 'cut'],
      [
        'chunks without the last',
        saying('404 No\r\nTransfer-Encoding: chunked', '2\r\nno\r\n', 'ends'),
        'cut',
      ],
      ['no chunk at all', saying('404 No\r\nTransfer-Encoding: chunked', '', 'ends'), 'cut'],
    ])('has the state of its framing: %s', async (_name, script, state) => {
      expect(await stateOf(script)).toBe(state);
    });

    test('is not whole if its connection closes before its first chunk, as the response said it would', async () => {
      const closing = '404 No\r\nConnection: close\r\nTransfer-Encoding: chunked';
      expect(await stateOf(saying(closing, '', 'ends'))).not.toBe('whole');
    });

    test('is whole at exactly 1 MiB, and too large at one byte more', async () => {
      const exact = responseOf(await send({ body: Buffer.alloc(maxResponseBytes, 0x20) }));
      expect(exact.bodyState).toBe('whole');
      expect(exact.body.length).toBe(maxResponseBytes);
      expect(await stateOf({ body: Buffer.alloc(maxResponseBytes + 1, 0x20) })).toBe('too_large');
    });
  });

  describe(`${name}: an encoded response`, () => {
    const text = '{"resultStatus":"APPROVED"}';
    const headers = { 'content-encoding': 'gzip' };

    test('is decoded, and its end proves nothing, because nobody asked for an encoding', async () => {
      const response = responseOf(await send({ headers, body: gzipSync(text) }));
      expect(textOf(response)).toBe(text);
      expect(response.bodyState).toBe('ended');
    });

    test('is never whole if it was cut before it was framed, or if the encoding is unknown', async () => {
      const { url } = await serve();
      const transport = make();
      const bytes = gzipSync(text);
      for (const cut of [0, 5, 12, bytes.length - 9, bytes.length - 1]) {
        server?.answer({ status: 400, headers, body: bytes.subarray(0, cut) });
        const result = await transport(wireRequest({ url })).result;
        expect(result.response?.bodyState, `cut at ${String(cut)}`).not.toBe('whole');
        expect(result.failure?.outcome).not.toBe('not_sent');
      }
      server?.answer({ status: 400, headers: { 'content-encoding': 'rot13' }, body: 'ab' });
      expect((await transport(wireRequest({ url })).result).response?.bodyState).not.toBe('whole');
    });
  });

  describe(`${name}: stop()`, () => {
    test('before anything was connected ends it at once, and sends nothing', async () => {
      const { url, requests } = await serve({ body: 'late' });
      const transmission = make()(wireRequest({ url }));
      transmission.stop();
      expect(await transmission.result).toMatchObject({ response: undefined, failure: undefined });
      await settle(50);
      expect(requests).toHaveLength(0);
    });

    test('while no answer has begun ends it at once, and closes the connection', async () => {
      const [received, closed] = [event(), event()];
      const { url } = await serve((socket) => {
        socket.once('close', closed.fire);
        received.fire();
      });
      const transmission = make()(wireRequest({ url }));
      await received.fired;
      transmission.stop();
      expect(await transmission.result).toMatchObject({ response: undefined, failure: undefined });
      await closed.fired;
    });

    test('while a body stalls returns the received part at once, and closes the connection', async () => {
      const [stalled, closed] = [event(), event()];
      const { url } = await serve((socket) => {
        socket.once('close', closed.fire);
        saying('200 OK\r\nContent-Length: 100')(socket);
        socket.write('{"whole":1}', stalled.fire);
      });
      const transmission = make()(wireRequest({ url }));
      await stalled.fired;
      await settle(50);
      transmission.stop();
      const result = await transmission.result;
      expect(result).toMatchObject({ phase: 'receiving', failure: undefined });
      expect(responseOf(result).bodyState).toBe('cut');
      expect(textOf(responseOf(result))).toBe('{"whole":1}');
      await closed.fired;
    });

    test('twice, or after the end, has no effect', async () => {
      const { url } = await serve({ body: 'ok' });
      const transmission = make()(wireRequest({ url }));
      const result = await transmission.result;
      transmission.stop();
      transmission.stop();
      expect(await transmission.result).toBe(result);
      expect(textOf(responseOf(await make()(wireRequest({ url })).result))).toBe('ok');
    });
  });

  describe(`${name}: progress`, () => {
    test.each([1, 65_536, 65_537, 300_000])(
      'is reported in steps of 64 KiB, to the end: %i bytes',
      async (size) => {
        const seen: number[] = [];
        const sent = Buffer.alloc(size, 'x');
        await send({}, { body: sent, onProgress: (bytes) => void seen.push(bytes) });
        const steps = Array.from({ length: Math.ceil(size / 65_536) }, (_, index) =>
          Math.min(size, (index + 1) * 65_536),
        );
        expect(seen).toEqual(steps);
        expect(server?.requests[0]?.body.equals(sent)).toBe(true);
      },
    );
  });
}
