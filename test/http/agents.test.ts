import http from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { agentFor } from '../../src/http/agents.js';
import type { InstallmentClientOptions } from '../../src/entries/index.js';
import {
  approvedInvoice,
  approvedPayment,
  demoClient,
  invoiceUpload,
  paymentRequest,
} from '../helpers/samples.js';
import { listening } from '../helpers/listening.js';
import { receiver } from '../helpers/receiver.js';
import { settle } from '../helpers/runtime.js';
import { nodeTransport } from './transmission.js';
import { responseOf, wireRequest } from './transport.contract.js';

const answerTo = (path: string | undefined) =>
  JSON.stringify(path?.endsWith('upload-invoice') ? approvedInvoice() : approvedPayment());

interface Serving {
  readonly url: string;
  readonly port: number;
  /** Every connection that was made. */
  readonly sockets: readonly Socket[];
  /** The connection of each request, in order. */
  readonly servedBy: readonly Socket[];
}

/** A server of Node that responds to everything, with a Keep-Alive header that the test chooses. */
async function serving(hint?: string): Promise<Serving> {
  const sockets: Socket[] = [];
  const servedBy: Socket[] = [];
  const server = http.createServer((request, response) => {
    servedBy.push(request.socket);
    // This header replaces Node's, which is absent without a time limit.
    if (hint !== undefined) response.setHeader('Keep-Alive', hint);
    request.resume().on('end', () => response.end(answerTo(request.url)));
  });
  server.keepAliveTimeout = 0;
  server.on('connection', (socket) => sockets.push(socket));
  const port = await listening(server);
  return { url: `http://127.0.0.1:${port}`, port, sockets, servedBy };
}

/** The idle connections of a shared agent to a port. */
function idleTo(port: number): Socket[] {
  const { freeSockets } = agentFor(new URL('http://127.0.0.1'), false);
  return Object.entries(freeSockets).flatMap(([name, found]) =>
    name.includes(String(port)) ? (found ?? []) : [],
  );
}

describe('an idle connection', () => {
  test.each<readonly [string | undefined, number | undefined]>([
    [undefined, 55_000],
    ['timeout=5', 4_000],
    ['timeout=90, max=100', 89_000],
    ['max=100, timeout=3', 2_000],
    ['timeout=1', undefined],
    ['timeout=0', undefined],
    ['max=100', 55_000],
    ['timeout=99999999', 2 ** 31 - 1 - 1_000],
  ])('is kept after the Keep-Alive header %j for %s ms', async (hint, keptMs) => {
    const { url, port } = await serving(hint);
    await nodeTransport()(wireRequest({ url })).result;
    await settle();
    expect(idleTo(port).map(({ timeout }) => timeout)).toEqual(keptMs === undefined ? [] : [keptMs]);
  });

  test('is not used in the last second of the hint, even if the event loop was blocked meanwhile', async () => {
    const { url, port, servedBy } = await serving('timeout=2');
    await nodeTransport()(wireRequest({ url })).result;
    await expect.poll(() => idleTo(port).length).toBe(1);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100);
    expect(responseOf(await nodeTransport()(wireRequest({ url })).result).httpStatus).toBe(200);
    expect(servedBy[1]).not.toBe(servedBy[0]);
  });

  test('is neither used nor closed by a request that asks for a new connection', async () => {
    const { url, port, sockets } = await serving('timeout=5');
    await nodeTransport()(wireRequest({ url }), { isFresh: true }).result;
    await settle();
    expect(idleTo(port)).toEqual([]);
    await nodeTransport()(wireRequest({ url })).result;
    await settle();
    await nodeTransport()(wireRequest({ url }), { isFresh: true }).result;
    expect(sockets).toHaveLength(3);
  });
});

describe('the connections of successive calls', () => {
  test.each<readonly [string, string | undefined, number]>([
    ['payments, without a hint', undefined, 1],
    ['payments, with a hint', 'timeout=5', 1],
    ['uploads, with a hint', 'timeout=5', 3],
    ['uploads, without a hint', undefined, 3],
    ['payments that are not repeated, without a hint', undefined, 3],
  ])('are as many as their kind of call allows: %s (%j): %i', async (what, hint, connections) => {
    const { url, sockets, servedBy } = await serving(hint);
    const client = demoClient({ baseUrl: url, ...(what.includes('not repeated') && { maxRetries: 0 }) });
    for (let call = 0; call < 3; call++) {
      if (what.startsWith('uploads')) await client.uploadInvoice(invoiceUpload());
      else await client.initiatePayment(paymentRequest());
      await settle();
    }
    expect(servedBy).toHaveLength(3);
    expect(sockets).toHaveLength(connections);
  });
});

const whole = (status: string, body = '') =>
  `HTTP/1.1 ${status}\r\nContent-Length: ${String(Buffer.byteLength(body))}\r\n\r\n${body}`;

/** A server that acts on the second request of a connection as the test asks, and responds to all others. */
async function actingOnReuse(act: (socket: Socket) => void, hint = '') {
  const connections = new Set<Socket>();
  const { url, requests } = await receiver((socket, { path }) => {
    if (connections.has(socket)) act(socket);
    else socket.write(whole(`200 OK${hint}`, answerTo(path)));
    connections.add(socket);
  });
  return { url, requests, connections };
}

/** A client whose log shows the waits before its retries. */
function recordingWaits(baseUrl: string, options: Partial<InstallmentClientOptions> = {}) {
  const messages: string[] = [];
  const ignore = () => undefined;
  const logger = {
    ...console,
    debug: ignore,
    warn: ignore,
    info: (message: string) => messages.push(message),
  };
  return {
    client: demoClient({ baseUrl, logger, ...options }),
    waits: () => messages.filter((message) => message.includes(' follows in ')),
  };
}

describe('an idle connection that turns out to be dead', () => {
  test.each<readonly [string, (socket: Socket) => void]>([
    ['closes', (socket) => socket.end()],
    ['is reset', (socket) => socket.resetAndDestroy()],
  ])('is replaced at once by a new connection, if %s after the request was written', async (_, act) => {
    const server = await actingOnReuse(act);
    const { client, waits } = recordingWaits(server.url);
    await client.initiatePayment(paymentRequest());
    await settle();
    const { $metadata } = await client.initiatePayment(paymentRequest());
    expect($metadata.attempts).toMatchObject([{ outcome: 'unknown' }, { outcome: 'accepted' }]);
    expect(waits()).toEqual([]);
    expect(server.requests).toHaveLength(3);
    expect(server.connections.size).toBe(2);
  });

  test('is followed by a wait before the next retry, if the same call has lost such a connection before', async () => {
    const server = await actingOnReuse((socket) => socket.resetAndDestroy());
    // An agent of the merchant gives an idle connection to each attempt.
    const agent = new http.Agent({ keepAlive: true });
    const { client, waits } = recordingWaits(server.url, { agent });
    await Promise.all([client.initiatePayment(paymentRequest()), client.initiatePayment(paymentRequest())]);
    await settle();
    const { $metadata } = await client.initiatePayment(paymentRequest());
    expect($metadata.attempts.map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown', 'accepted']);
    expect(waits()).toHaveLength(1);
    expect(server.connections.size).toBe(3);
  });

  test('is followed by a wait, like every other failure, if a byte of a response had arrived', async () => {
    const server = await actingOnReuse((socket) => socket.end('HTTP/1.1 2'));
    const { client, waits } = recordingWaits(server.url);
    await client.initiatePayment(paymentRequest());
    await settle();
    const { $metadata } = await client.initiatePayment(paymentRequest());
    expect($metadata.attempts.map(({ outcome }) => outcome)).toContain('unknown');
    expect(waits().length).toBeGreaterThan(0);
  });
});

describe('unexpected bytes on an idle connection', () => {
  const another = whole('200 OK', JSON.stringify(approvedInvoice({ invoiceId: 'OF-ANOTHER' })));
  const stale: readonly (readonly [string, string])[] = [
    ['a second answer', another],
    ['an empty 400', whole('400 Bad Request')],
    ['a 429', whole('429 Too Many Requests')],
    ['an answer in two pieces', another.slice(0, 40)],
    ['a line break', '\r\n'],
    ['no HTTP', 'x'],
    ['an interim answer', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ];
  const moments = ['with the first answer', 'unread', 'read'] as const;

  /**
   * A server that sends extra bytes on its first connection: with its first response, or when the test asks for them.
   */
  async function talking(more: string, isAtOnce: boolean) {
    const kept = '200 OK\r\nConnection: keep-alive\r\nKeep-Alive: timeout=60';
    let first: Socket | undefined;
    const { url, requests } = await receiver((socket, { path }) => {
      const isFirst = first === undefined;
      first ??= socket;
      socket.write(whole(kept, answerTo(path)) + (isFirst && isAtOnce ? more : ''));
    });
    return { url, requests, say: () => first?.write(more) };
  }

  const agents = [
    ['of the shared agent', () => ({})],
    ['of an agent of the merchant', () => ({ agent: new http.Agent({ keepAlive: true, maxSockets: 1 }) })],
  ] as const;

  describe.each(agents)('%s', (agent, options) => {
    describe.each(moments)('%s', (moment) => {
      // Node reports a parse error in the chunk of a response before it delivers the response.
      const all = stale.filter(([what]) => what !== 'no HTTP' || moment !== 'with the first answer');
      const rows = agent === 'of the shared agent' ? all : all.slice(0, 1);
      test.each(rows)('%s: the next request uses another connection', async (_what, more) => {
        const { url, requests, say } = await talking(more, moment === 'with the first answer');
        const client = demoClient({ baseUrl: url, maxRetries: 0, ...options() });
        await client.uploadInvoice(invoiceUpload());
        await settle();
        if (moment !== 'with the first answer') say();
        if (moment === 'read') await settle(50);
        const { invoiceId, $metadata } = await client.uploadInvoice(invoiceUpload());
        expect(invoiceId).toBe('INVOICE-1');
        expect($metadata.attempts).toHaveLength(1);
        expect(requests).toHaveLength(2);
      });
    });
  });
});

describe('the shared agents', () => {
  test("use the environment's proxy, as Node's own agent does", () => {
    const key = Symbol.for('installment-payments.agents.3');
    const shared: unknown = Reflect.get(globalThis, key);
    const { options } = http.globalAgent as unknown as { options: { proxyEnv: object | undefined } };
    const before = options.proxyEnv;
    options.proxyEnv = { HTTPS_PROXY: 'http://proxy.internal:3128' };
    Reflect.deleteProperty(globalThis, key);
    try {
      const agent: unknown = agentFor(new URL('https://pay.example'), false);
      expect(agent).toMatchObject({ options: { proxyEnv: options.proxyEnv } });
    } finally {
      options.proxyEnv = before;
      Reflect.set(globalThis, key, shared);
    }
  });
});
