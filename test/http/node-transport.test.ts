import http from 'node:http';
import net, { type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { compiledSource, processTimeoutMs, runNode } from '../helpers/compiled.js';
import { listening } from '../helpers/listening.js';
import { receiver } from '../helpers/receiver.js';
import { settle } from '../helpers/runtime.js';
import { approvedPayment, demo, paymentRequest } from '../helpers/samples.js';
import { nodeTransport } from './transmission.js';
import { describeTransport, event, responseOf, saying, textOf, wireRequest } from './transport.contract.js';

describeTransport('node:http', { make: () => nodeTransport() });

describe('the phase', () => {
  test('is complete after the response, and receiving if its body was cut', async () => {
    const server = await receiver({ body: 'ok' });
    const { url } = server;
    expect((await nodeTransport()(wireRequest({ url })).result).phase).toBe('complete');
    server.answer(saying('200 OK\r\nContent-Length: 9', 'cut', 'ends'));
    expect((await nodeTransport()(wireRequest({ url })).result).phase).toBe('receiving');
  });

  test.each(['at once', 'later'])('is connecting if the look-up of the name fails %s', async (when) => {
    const agent = new http.Agent({
      lookup: (_host, _options, done) => {
        const fail = () =>
          done(Object.assign(new Error('x'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' }), '');
        if (when === 'at once') fail();
        else setImmediate(fail);
      },
    });
    expect(await nodeTransport(agent)(wireRequest({ url: 'http://pay.example' })).result).toMatchObject({
      phase: 'connecting',
      failure: { outcome: 'not_sent', transient: true, code: 'ENOTFOUND' },
    });
  });

  test('is connecting while a connection is being made', async () => {
    // The connection is never made: the agent's socket never gets an address.
    class Nowhere extends http.Agent {
      override createConnection(): Socket {
        return Object.assign(new net.Socket(), { connecting: true });
      }
    }
    const transmission = nodeTransport(new Nowhere())(wireRequest({ url: 'http://127.0.0.1:9' }));
    await settle();
    transmission.stop();
    expect(await transmission.result).toEqual({
      phase: 'connecting',
      response: undefined,
      failure: undefined,
    });
  });

  test('is connecting while a request waits for a connection of its agent', async () => {
    const { url, requests } = await receiver(() => undefined);
    const agent = new http.Agent({ maxSockets: 1 });
    const [first, second] = [
      nodeTransport(agent)(wireRequest({ url })),
      nodeTransport(agent)(wireRequest({ url })),
    ];
    while (requests.length === 0) await settle(1);
    second.stop();
    first.stop();
    expect((await second.result).phase).toBe('connecting');
    expect((await first.result).phase).toBe('waiting');
    await settle();
    expect(requests).toHaveLength(1);
  });

  test('is connecting while a TLS handshake gets no response', async () => {
    const greeted = event();
    const port = await listening(
      net.createServer((socket) => {
        socket.once('data', greeted.fire);
      }),
    );
    const transmission = nodeTransport()(wireRequest({ url: `https://127.0.0.1:${String(port)}` }));
    await greeted.fired;
    transmission.stop();
    expect(await transmission.result).toEqual({
      phase: 'connecting',
      response: undefined,
      failure: undefined,
    });
  });

  test('is sending while a server does not read a large body', async () => {
    const began = event();
    const port = await listening(
      net.createServer((socket) => {
        socket.once('data', () => {
          socket.pause();
          began.fire();
        });
      }),
    );
    const body = Buffer.alloc(32 * 1024 * 1024);
    const seen: number[] = [];
    const onProgress = (bytes: number) => void seen.push(bytes);
    for (const changes of [{ body }, { body, onProgress }]) {
      const url = `http://127.0.0.1:${String(port)}`;
      const transmission = nodeTransport()(wireRequest({ url }, changes));
      await began.fired;
      await settle(50);
      transmission.stop();
      expect((await transmission.result).phase).toBe('sending');
    }
    expect(seen.at(-1)).toBeLessThan(body.length);
  });

  test('is waiting if the request was sent and nothing was received', async () => {
    const server = await receiver(() => undefined);
    const { url, requests } = server;
    const transmission = nodeTransport()(wireRequest({ url }));
    while (requests.length === 0) await settle(1);
    transmission.stop();
    expect((await transmission.result).phase).toBe('waiting');
    server.answer((socket) => socket.end());
    expect(await nodeTransport()(wireRequest({ url })).result).toMatchObject({
      phase: 'waiting',
      failure: { outcome: 'unknown', code: 'ECONNRESET' },
    });
  });

  test('is complete if a server refuses an upload that it has not read, and the upload is ended', async () => {
    const closed = event();
    let accepted: Socket | undefined;
    const port = await listening(
      net.createServer((socket) => {
        accepted = socket.once('close', closed.fire);
        socket.once('data', () => {
          socket.pause();
          saying('413 Too Large\r\nContent-Length: 2', 'no')(socket);
        });
      }),
    );
    const body = Buffer.alloc(32 * 1024 * 1024);
    const result = await nodeTransport()(wireRequest({ url: `http://127.0.0.1:${String(port)}` }, { body }))
      .result;
    expect(result).toMatchObject({ phase: 'complete', response: { httpStatus: 413, bodyState: 'whole' } });
    accepted?.resume(); // the socket detects the end only if it reads
    await closed.fired;
  });
});

describe('connections', () => {
  test('are not ended by the idle limit of their agent during a request', async () => {
    const idle = event();
    class Impatient extends http.Agent {
      override createConnection(...given: Parameters<http.Agent['createConnection']>) {
        return super.createConnection(...given)?.once('timeout', idle.fire);
      }
    }
    const { url } = await receiver((socket) => {
      void idle.fired.then(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate'));
    });
    const agent = new Impatient({ keepAlive: true, timeout: 10 });
    expect(textOf(responseOf(await nodeTransport(agent)(wireRequest({ url })).result))).toBe('late');
    agent.destroy();
  });

  test('are not used again after a response that was cut or too large, or a request that was stopped', async () => {
    const { url, requests } = await receiver(saying('200 OK\r\nContent-Length: 9', 'cut'));
    const agent = new http.Agent({ keepAlive: true });
    const transmission = nodeTransport(agent)(wireRequest({ url }));
    while (requests.length === 0) await settle(1);
    await settle();
    transmission.stop();
    await transmission.result;
    await settle();
    expect(Object.values(agent.freeSockets).flat()).toEqual([]);
    expect(Object.values(agent.sockets).flat()).toEqual([]);
  });

  test(
    'do not keep a finished process running while they are idle',
    { timeout: processTimeoutMs },
    async () => {
      const server = http.createServer((request, response) => {
        request.resume().on('end', () => response.end(JSON.stringify(approvedPayment())));
      });
      // The server would keep the connection for a minute.
      server.keepAliveTimeout = 60_000;
      const baseUrl = `http://127.0.0.1:${String(await listening(server))}`;
      const heldMs = await runNode(`
      import { InstallmentClient } from '${compiledSource('entries/index.js')}';
      const client = new InstallmentClient(${JSON.stringify({ ...demo, baseUrl })});
      const payment = await client.initiatePayment(${JSON.stringify(paymentRequest())});
      const answeredMs = performance.now();
      if (payment.resultStatus !== 'APPROVED') throw new Error('an approval was expected');
      process.on('exit', () => console.log(performance.now() - answeredMs));`);
      expect(heldMs).toMatch(/^[\d.]+$/);
      expect(Number(heldMs)).toBeLessThan(1_000);
    },
  );
});

describe('a request that cannot be made', () => {
  test('is not_sent', async () => {
    const result = await nodeTransport()(
      wireRequest({ url: 'http://127.0.0.1' }, { headers: { 'X-A': 'a\nb' } }),
    ).result;
    expect(result).toMatchObject({
      phase: 'connecting',
      failure: { outcome: 'not_sent', code: 'ERR_INVALID_CHAR' },
    });
    const wrongScheme = nodeTransport(new http.Agent())(wireRequest({ url: 'https://127.0.0.1:9' }));
    expect(await wrongScheme.result).toMatchObject({ failure: { outcome: 'not_sent' } });
  });
});
