import http, { type ClientRequest } from 'node:http';
import net, { type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { TransportResult } from '../../src/http/transport.js';
import { listening } from '../helpers/listening.js';
import { receiver } from '../helpers/receiver.js';
import { settle } from '../helpers/runtime.js';
import { nodeTransport } from './transmission.js';
import { event, responseOf, saying, textOf, wireRequest } from './transport.contract.js';

/** A server that reads nothing by itself; the test receives each connection. */
async function accepting(onConnection: (socket: Socket) => void): Promise<string> {
  return `http://127.0.0.1:${await listening(net.createServer(onConnection))}`;
}

const nowhere = 'http://127.0.0.1:9';

/** An agent that connects nothing: the test does what an interceptor or a broken agent might. */
function acting(act: (request: ClientRequest) => void): http.Agent {
  return Object.assign(new http.Agent(), { addRequest: act });
}

function sentBy(agent: http.Agent, url = nowhere): Promise<TransportResult> {
  return nodeTransport(agent)(wireRequest({ url })).result;
}

describe('an unexpected response', () => {
  test.each([
    ['100 Continue', 'UNEXPECTED_100'],
    ['101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x', 'UNEXPECTED_101'],
  ])('ends the request at once and is named: %j', async (head, code) => {
    const closed = event();
    const { url } = await receiver((socket) => {
      socket.once('close', closed.fire);
      saying(head)(socket);
    });
    const { response, failure } = await nodeTransport()(wireRequest({ url })).result;
    expect(response).toBeUndefined();
    expect(failure).toMatchObject({ outcome: 'unknown', transient: true, code });
    await closed.fired;
  });
});

describe('an upload that reports its progress', () => {
  const onProgress = (seen: number[]) => (bytes: number) => void seen.push(bytes);

  test('reports nothing after it was stopped', async () => {
    const url = await accepting((socket) => socket.once('data', () => socket.pause()));
    const seen: number[] = [];
    const body = Buffer.alloc(32 * 1024 * 1024);
    const agent = new http.Agent();
    const transmission = nodeTransport(agent)(wireRequest({ url }, { body, onProgress: onProgress(seen) }));
    await expect.poll(() => seen.length).toBeGreaterThan(0);
    await settle(50);
    const before = [...seen];
    transmission.stop();
    await transmission.result;
    await settle(20);
    expect(seen).toEqual(before);
    agent.destroy();
  });

  test('ends its request, so that the connection is used again', async () => {
    const connections = new Set<Socket>();
    const { url } = await receiver((socket) => {
      connections.add(socket);
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    const agent = new http.Agent({ keepAlive: true });
    for (let call = 0; call < 3; call++) {
      const seen: number[] = [];
      const body = Buffer.alloc(100_000);
      const sent = nodeTransport(agent)(wireRequest({ url }, { body, onProgress: onProgress(seen) }));
      expect(textOf(responseOf(await sent.result))).toBe('ok');
      expect(seen).toEqual([65_536, 100_000]);
      await settle();
    }
    expect(connections.size).toBe(1);
    agent.destroy();
  });
});

describe('the phase', () => {
  test('stays receiving if the request is read to its end only after the response began', async () => {
    const began = event();
    const finished = event();
    const url = await accepting((socket) => {
      socket.once('data', () => {
        socket.pause();
        saying('200 OK\r\nContent-Length: 9', 'cut')(socket);
      });
      void began.fired.then(() => socket.resume());
    });
    class Watching extends http.Agent {
      override createConnection(...given: Parameters<http.Agent['createConnection']>) {
        return super.createConnection(...given)?.once('data', began.fire);
      }
    }
    const agent = new Watching();
    const body = Buffer.alloc(8 * 1024 * 1024);
    const onProgress = (bytes: number) => {
      if (bytes === body.length) finished.fire();
    };
    const transmission = nodeTransport(agent)(wireRequest({ url }, { body, onProgress }));
    await finished.fired;
    await settle();
    transmission.stop();
    expect(await transmission.result).toMatchObject({ phase: 'receiving', response: { bodyState: 'cut' } });
    agent.destroy();
  });
});

describe('an agent', () => {
  test('has sent nothing if it closes the request', async () => {
    const agent = acting((request) => void setImmediate(() => request.emit('close')));
    expect(await sentBy(agent)).toMatchObject({
      phase: 'connecting',
      response: undefined,
      failure: { outcome: 'not_sent', transient: true, code: 'ECONNRESET' },
    });
  });

  test('does not send a request twice if it passes a second connection to it', async () => {
    const { url, requests } = await receiver(() => undefined);
    class Doubling extends http.Agent {
      override createConnection(...given: Parameters<http.Agent['createConnection']>) {
        const socket = super.createConnection(...given);
        socket?.once('connect', () => setImmediate(() => doubled.emit('socket', new net.Socket())));
        return socket;
      }
    }
    const agent = new Doubling();
    let doubled = new http.ClientRequest(nowhere);
    doubled.on('error', () => undefined).destroy();
    const add = Reflect.get(agent, 'addRequest') as (...given: unknown[]) => void;
    Object.assign(agent, {
      addRequest(request: ClientRequest, ...rest: unknown[]) {
        doubled = request;
        Reflect.apply(add, agent, [request, ...rest]);
      },
    });
    const { response, failure } = await sentBy(agent, url);
    expect(response).toBeUndefined();
    expect(failure).toMatchObject({ outcome: 'unknown', code: 'ECONNRESET' });
    expect(requests.length).toBeLessThan(2);
    agent.destroy();
  });

  /** An interceptor: its socket is not a socket of Node, and it makes the response itself. */
  function intercepting(act: (response: http.IncomingMessage, request: ClientRequest) => void): http.Agent {
    return acting((request) => {
      setImmediate(() => {
        const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
        request.emit('socket', socket);
        const response = new http.IncomingMessage(new net.Socket());
        response.statusCode = 200;
        request.emit('response', response);
        response.push('half');
        setImmediate(() => act(response, request));
      });
    });
  }

  test('has cut a response if it closes it before its end', async () => {
    const result = await sentBy(intercepting((response) => response.emit('close')));
    expect(result).toMatchObject({
      phase: 'receiving',
      failure: { outcome: 'unknown', code: 'ECONNRESET' },
      response: { httpStatus: 200, bodyState: 'cut' },
    });
    expect(textOf(responseOf(result))).toBe('half');
  });

  test('decides the error of a response if it destroys it', async () => {
    const failing = intercepting((response) => {
      response.emit('error', Object.assign(new Error('x'), { code: 'EPIPE', syscall: 'write' }));
    });
    expect(await sentBy(failing)).toMatchObject({
      phase: 'receiving',
      failure: { outcome: 'unknown', code: 'EPIPE' },
    });
  });

  test('does not lose the response if it closes the request early', async () => {
    const closing = intercepting((response, request) => {
      request.emit('close');
      setImmediate(() => {
        response.complete = true;
        response.push(null);
      });
    });
    const { phase, failure, response } = await sentBy(closing);
    expect([phase, failure]).toEqual(['complete', undefined]);
    expect(Buffer.from(response?.body ?? []).toString()).toBe('half');
  });
});

describe("a refusal that Node's own proxy support reports", () => {
  const failed = (about: object) => Object.assign(new Error('x'), about);
  const refusing = (error: Error) =>
    acting((request) => void setImmediate(() => request.emit('error', error)));

  test('proves that nothing was sent, and is final', async () => {
    const error = failed({ code: 'ERR_PROXY_TUNNEL', statusCode: 407 });
    expect((await sentBy(refusing(error))).failure).toMatchObject({
      outcome: 'not_sent',
      transient: false,
      code: 'ERR_PROXY_TUNNEL',
    });
  });

  test.each([
    { code: 'ERR_PROXY_TUNNEL' },
    { code: 'ERR_PROXY_TUNNEL', statusCode: '407' },
    { code: 'E', statusCode: 407 },
  ])('does not count without its code and a status: %j', async (about) => {
    expect((await sentBy(refusing(failed(about)))).failure).toMatchObject({
      outcome: 'not_sent',
      transient: true,
      code: about.code,
    });
  });

  test('proves nothing once the request was sent', async () => {
    const sockets: Socket[] = [];
    const { url, requests } = await receiver(() => undefined);
    class Proxied extends http.Agent {
      override createConnection(...given: Parameters<http.Agent['createConnection']>) {
        const socket = super.createConnection(...given);
        if (socket instanceof net.Socket) sockets.push(socket);
        return socket;
      }
    }
    const agent = new Proxied();
    const result = sentBy(agent, url);
    await expect.poll(() => requests.length).toBe(1);
    sockets[0]?.destroy(failed({ code: 'ERR_PROXY_TUNNEL', statusCode: 407 }));
    expect(await result).toMatchObject({
      phase: 'waiting',
      failure: { outcome: 'unknown', code: 'ERR_PROXY_TUNNEL' },
    });
    agent.destroy();
  });
});
