import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { InstallmentClient } from '../../src/entries/index.js';
import { approvedPayment, demo, invoiceUpload, paymentRequest, rejection } from '../helpers/samples.js';

const approval = JSON.stringify(approvedPayment());
describe('a time limit that passes while the event loop is blocked', () => {
  test.each([
    ['initiatePayment', 'attemptTimeoutMs'],
    ['uploadInvoice', 'totalTimeoutMs'],
  ] as const)(
    'ends the attempt while connecting: %s is not sent any more, by %s',
    async (operation, limit) => {
      // A separate thread, whose connections are accepted while this thread is blocked.
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
      // The delay is longer than a busy machine needs to begin the connection.
      const options = { [limit]: 1_000, maxRetries: 0 };
      const call = rejection(
        operation === 'initiatePayment'
          ? client.initiatePayment(paymentRequest(), options)
          : client.uploadInvoice(invoiceUpload(), options),
      );
      // The connection is begun, and the event loop has not turned.
      for (let tick = 0; tick < 50; tick++) await new Promise<void>((resolve) => process.nextTick(resolve));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200);
      expect(await call).toMatchObject({
        code: 'TIMEOUT',
        outcome: 'not_sent',
        $metadata: { attempts: [{ phase: 'connecting' }] },
      });
      expect(await closed).toEqual([0]);
      await worker.terminate();
    },
  );

  test('does not count if the response has arrived at the socket', async () => {
    // A separate thread: the server must respond while this thread is blocked.
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
    // The result is 'not-equal' if the response was there before the wait.
    expect(Atomics.wait(answered, 0, 0, 10_000)).not.toBe('timed-out');
    const untilMs = performance.now() + 1_000;
    while (performance.now() < untilMs);
    const payment = await call;
    expect(payment.resultStatus).toBe('APPROVED');
    expect(payment.$metadata.attempts[0]?.durationMs).toBeGreaterThan(1_000);
    await worker.terminate();
  });
});
