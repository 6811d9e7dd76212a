import { createServer, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { post } from '../../../src/mock/webhooks/post-webhook.js';
import type { PostRequest } from '../../../src/mock/common/exchange.js';
import { rejection } from '../../helpers/samples.js';
import { receiver } from '../../helpers/receiver.js';
import type { Script } from '../../helpers/recording-server.js';
import { settle as allThatIsReady } from '../../helpers/runtime.js';
import { listening } from '../../helpers/listening.js';

/** A server, and a POST request to it. */
async function receiving(...scripts: readonly Script[]) {
  const server = await receiver(...scripts);
  const send = (changes: Partial<PostRequest> = {}) =>
    post({
      url: `${server.url}/hook`,
      headers: {},
      body: '{}',
      limitMs: 10_000,
      signal: new AbortController().signal,
      ...changes,
    });
  return { ...server, send };
}

const closeOf = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));

describe('a POST request', () => {
  test('has the given headers and the length of its bytes, on its own connection', async () => {
    const { send, requests } = await receiving({ status: 204 });
    expect(await send({ headers: { 'X-Kind': 'a' }, body: 'trả góp' })).toBe(204);
    expect(requests).toMatchObject([
      {
        method: 'POST',
        path: '/hook',
        headers: { 'x-kind': 'a', 'content-length': '10', connection: 'close' },
      },
    ]);
    expect(requests[0]?.body.toString()).toBe('trả góp');
  });

  test('uses TLS for an https URL', async () => {
    const server = createServer();
    const url = `https://127.0.0.1:${await listening(server)}/`;
    const greeted = new Promise<number | undefined>((resolve) =>
      server.on('connection', (socket) => {
        socket.once('data', (bytes) => {
          resolve(bytes[0]);
          socket.destroy();
        });
      }),
    );
    const { send } = await receiving();
    const sent = rejection(send({ url }));
    expect(await greeted).toBe(0x16);
    expect(await sent).toMatchObject({ code: 'ECONNRESET' });
  });

  test.each([300, 302, 307, 421, 503])('resolves to the status %i, and is not repeated', async (status) => {
    const { send, requests, url } = await receiving(
      { status, headers: { location: '/elsewhere' } },
      { status: 200 },
    );
    expect(url).toMatch(/^http:/);
    expect(await send()).toBe(status);
    expect(requests).toHaveLength(1);
  });

  test.each([
    ['hangs up', (socket) => socket.destroy(), { code: 'ECONNRESET' }],
    [
      'answers in another protocol',
      (socket) => socket.end('nonsense\r\n\r\n'),
      { code: 'HPE_INVALID_CONSTANT' },
    ],
    [
      'changes the protocol',
      (socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      { message: 'the connection was closed without a response' },
    ],
  ] as const satisfies [string, Script, object][])(
    'rejects if the receiver %s',
    async (_does, script, error) => {
      const { send } = await receiving(script);
      expect(await rejection(send())).toMatchObject(error);
    },
  );

  test('rejects if there is no response in time, and its connection is closed', async () => {
    const closed: Promise<unknown>[] = [];
    const { send } = await receiving((socket) => {
      closed.push(closeOf(socket));
    });
    await expect(send({ limitMs: 1000 })).rejects.toThrow('no response within 1000 ms');
    expect(await Promise.all(closed)).toHaveLength(1);
  });

  test.each(['before it is sent', 'before its answer'])(
    'rejects with the reason if its signal fires %s',
    async (when) => {
      const reason = new Error('the mock was closed');
      const controller = new AbortController();
      const { send } = await receiving(() => {
        controller.abort(reason);
      });
      if (when === 'before it is sent') controller.abort(reason);
      expect(await rejection(send({ signal: controller.signal }))).toBe(reason);
    },
  );

  test('reads the rest of a short response, so that its sender does not get a reset', async () => {
    const sockets: Socket[] = [];
    const { send } = await receiving((socket) => {
      sockets.push(socket);
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nx');
    });
    expect(await send()).toBe(200);
    await allThatIsReady();
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false]);
  });

  test('closes the connection of a response that is not complete in time', async () => {
    const closed: Promise<unknown>[] = [];
    const { send } = await receiving((socket) => {
      closed.push(closeOf(socket));
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nx');
    });
    expect(await send({ limitMs: 500 })).toBe(200);
    expect(await Promise.all(closed)).toHaveLength(1);
  });
});
