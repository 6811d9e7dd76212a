import net, { type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { InstallmentClient, type AnyInstallmentError } from '../../src/index.js';
import { recordingServer, type RecordingServer, type Script } from '../helpers/recording-server.js';
import { manualRuntime, settle } from '../helpers/runtime.js';
import {
  approvedPayment,
  demo,
  demoClient,
  invoiceUpload,
  paymentRequest,
  rejection,
} from '../helpers/samples.js';
import { event, saying } from './transport.contract.js';

let server: RecordingServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const approval = JSON.stringify(approvedPayment());
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const transports = [
  ['node:http', {}],
  ['fetch', { fetch: globalThis.fetch }],
] as const;

/** Runs a call against a script until what the server has to say has arrived. */
async function stalled(script: Script, options: object = {}) {
  const said = event();
  server = await recordingServer((socket, request) => {
    if (typeof script === 'function') script(socket, request);
    said.fire();
  });
  const runtime = manualRuntime();
  const stop = new AbortController();
  const client = demoClient({ baseUrl: server.url, maxRetries: 0, ...options }, runtime);
  const call = client.initiatePayment(paymentRequest(), { signal: stop.signal }).then(
    (payment) => ({ payment, error: undefined }),
    (error: unknown) => ({ payment: undefined, error: error as AnyInstallmentError }),
  );
  await said.fired;
  await settle(50);
  return { call, runtime, stop };
}

describe.each(transports)('a limit that strikes a body without an end, over %s', (_name, options) => {
  const unended = (text: string) => saying('200 OK\r\nTransfer-Encoding: chunked', chunk(text));

  it('has no effect if the body is whole JSON', async () => {
    const { call, runtime } = await stalled(unended(approval), options);
    runtime.advance(15_000);
    const { payment } = await call;
    expect(payment?.resultStatus).toBe('APPROVED');
    expect(payment?.$metadata.attempts).toMatchObject([{ outcome: 'accepted', phase: 'receiving' }]);
    expect(runtime.pending()).toEqual([]);
  });

  it('is a time-out if the JSON is not closed, and names the phase', async () => {
    const { call, runtime } = await stalled(unended(approval.slice(0, -1)), options);
    runtime.advance(15_000);
    const { error } = await call;
    expect(error).toMatchObject({ code: 'TIMEOUT', outcome: 'unknown', $metadata: { httpStatus: 200 } });
    expect(error?.message).toContain('no answer within 15000 ms: the answer began and did not end');
  });

  it('does not hide an abort', async () => {
    const { call, stop } = await stalled(unended(approval), options);
    stop.abort();
    expect((await call).error).toMatchObject({ code: 'ABORTED', outcome: 'unknown' });
  });
});

describe('a limit, or an abort, that strikes while connecting', () => {
  /** A server that takes connections and never answers the TLS handshake. */
  async function silent() {
    const greeted = event();
    const sockets: Socket[] = [];
    const listener = net.createServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      socket.once('data', greeted.fire);
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const { port } = listener.address() as AddressInfo;
    const close = () => {
      for (const socket of sockets) socket.destroy();
      listener.close();
    };
    return { port, greeted: greeted.fired, close };
  }

  it.each(['initiatePayment', 'uploadInvoice'] as const)(
    'has sent no part of %s, and says so',
    async (operation) => {
      const { port, greeted, close } = await silent();
      const runtime = manualRuntime();
      const client = demoClient({ baseUrl: `https://127.0.0.1:${String(port)}`, maxRetries: 0 }, runtime);
      const call = rejection(
        operation === 'initiatePayment'
          ? client.initiatePayment(paymentRequest())
          : client.uploadInvoice(invoiceUpload()),
      );
      await greeted;
      runtime.advance(15_000);
      const error = (await call) as AnyInstallmentError;
      close();
      expect(error).toMatchObject({ code: 'TIMEOUT', outcome: 'not_sent', retryable: true });
      expect(error.$metadata?.attempts).toMatchObject([{ phase: 'connecting', outcome: 'not_sent' }]);
      expect(error.message).toContain(
        `no answer within 15000 ms: still connecting to 127.0.0.1:${String(port)}`,
      );
      expect(error.message).toContain('Nothing was sent');
    },
  );

  it('is an AbortedError, and nothing was sent', async () => {
    const { port, greeted, close } = await silent();
    const stop = new AbortController();
    const client = demoClient({ baseUrl: `https://127.0.0.1:${String(port)}` });
    const call = rejection(client.uploadInvoice(invoiceUpload(), { signal: stop.signal }));
    await greeted;
    stop.abort();
    expect(await call).toMatchObject({ code: 'ABORTED', outcome: 'not_sent' });
    close();
  });
});

describe('a limit that strikes while the event loop is blocked', () => {
  it.each([
    ['initiatePayment', 'attemptTimeoutMs'],
    ['uploadInvoice', 'attemptTimeoutMs'],
    ['initiatePayment', 'totalTimeoutMs'],
    ['uploadInvoice', 'totalTimeoutMs'],
  ] as const)(
    'while connecting ends the attempt: %s is not sent any more, by %s',
    async (operation, limit) => {
      // A thread of its own, whose connections are accepted while this one is blocked.
      const worker = new Worker(
        `const { createServer } = require('node:net');
      const { parentPort } = require('node:worker_threads');
      let bytes = 0;
      const server = createServer((socket) => {
        socket.on('error', () => undefined).on('data', ({ length }) => { bytes += length; });
        socket.on('close', () => parentPort.postMessage(bytes));
      });
      server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
        { eval: true },
      );
      const [port] = (await once(worker, 'message')) as [number];
      const client = new InstallmentClient({ ...demo, baseUrl: `http://127.0.0.1:${String(port)}` });
      const closed = once(worker, 'message');
      const options = { [limit]: 100, maxRetries: 0 };
      const call = rejection(
        operation === 'initiatePayment'
          ? client.initiatePayment(paymentRequest(), options)
          : client.uploadInvoice(invoiceUpload(), options),
      );
      // The connection is begun, and the event loop has not turned.
      for (let tick = 0; tick < 50; tick++) await new Promise<void>((resolve) => process.nextTick(resolve));
      const untilMs = performance.now() + 200;
      while (performance.now() < untilMs);
      expect(await call).toMatchObject({
        code: 'TIMEOUT',
        outcome: 'not_sent',
        $metadata: { attempts: [{ phase: 'connecting' }] },
      });
      expect(await closed).toEqual([0]);
      await worker.terminate();
    },
  );

  it('does not count if the answer has arrived at the socket', async () => {
    // A thread of its own: the server has to answer while this one is blocked.
    const answered = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(
      `const { createServer } = require('node:http');
      const { parentPort, workerData } = require('node:worker_threads');
      const server = createServer((request, response) => {
        request.resume().on('end', () => {
          parentPort.postMessage('received');
          setTimeout(() => {
            response.end(workerData.approval, () => {
              Atomics.store(workerData.answered, 0, 1);
              Atomics.notify(workerData.answered, 0);
            });
          }, 20);
        });
      });
      server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
      { eval: true, workerData: { approval, answered } },
    );
    const [port] = (await once(worker, 'message')) as [number];
    const client = new InstallmentClient({ ...demo, baseUrl: `http://127.0.0.1:${String(port)}` });
    const received = once(worker, 'message');
    const call = client.initiatePayment(paymentRequest(), { attemptTimeoutMs: 1_000, maxRetries: 0 });
    await received;
    // 'not-equal' where the answer was there before the wait.
    expect(Atomics.wait(answered, 0, 0, 10_000)).not.toBe('timed-out');
    const untilMs = performance.now() + 1_000;
    while (performance.now() < untilMs);
    const payment = await call;
    expect(payment.resultStatus).toBe('APPROVED');
    expect(payment.$metadata.attempts[0]?.durationMs).toBeGreaterThan(1_000);
    await worker.terminate();
  });
});
