import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'vitest';
import { InstallmentClient, isInstallmentError } from '../../src/entries/index.js';
import { demo, paymentRequest } from '../helpers/samples.js';
import { haproxy, nginx } from './run-proxy.js';

/**
 * A service that acts on the first request for a payment and loses the connection, and knows the reference afterwards.
 */
async function forgetful(): Promise<AsyncDisposable & { port: number; requests: () => number }> {
  let requests = 0;
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => {
      requests++;
      if (requests === 1) request.socket.destroy();
      else response.end('{"resultStatus":"DUPLICATE_REFERENCE_ID"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const retryAll = 'retry-on all-retryable-errors';
const off = 'http-request disable-l7-retry if METH_POST';
const next = 'proxy_next_upstream error timeout';

// As docs/proxies-and-certificates.md says of these settings.
describe.concurrent('One payment through', () => {
  test.for([
    { name: 'HAProxy with retry-on', proxy: haproxy, lines: [retryAll], times: 2 },
    {
      name: 'HAProxy with retry-on, switched off for POST',
      proxy: haproxy,
      lines: [retryAll, off],
      times: 1,
    },
    { name: 'HAProxy without retry-on', proxy: haproxy, lines: [], times: 1 },
    { name: 'nginx with non_idempotent', proxy: nginx, lines: [`${next} non_idempotent;`], times: 2 },
    { name: 'nginx without non_idempotent', proxy: nginx, lines: [`${next};`], times: 1 },
    { name: 'nginx with repeats switched off', proxy: nginx, lines: ['proxy_next_upstream off;'], times: 1 },
  ])('$name is sent $times times, and its outcome is unknown', async (row, { expect }) => {
    const { proxy, lines, times } = row;
    await using service = await forgetful();
    await using running = await proxy(service.port, lines);
    const client = new InstallmentClient({ ...demo, baseUrl: running.url, maxRetries: 0 });
    const error: unknown = await client.initiatePayment(paymentRequest()).catch((reason: unknown) => reason);

    expect(service.requests()).toBe(times);
    if (!isInstallmentError(error)) throw error;
    expect([error.outcome, error.code]).toEqual([
      'unknown',
      times === 1 ? 'UNEXPECTED_RESPONSE' : 'DUPLICATE_REFERENCE_ID',
    ]);
  });
});

describe.concurrent('A proxy that replaces the response of the service, which has acted,', () => {
  test.for([
    { status: 403, outcome: 'rejected' },
    { status: 502, outcome: 'unknown' },
  ])('makes the outcome $outcome by HTTP $status', async ({ status, outcome }, { expect }) => {
    await using service = await forgetful();
    await using running = await haproxy(service.port, [retryAll, `http-response deny deny_status ${status}`]);
    const client = new InstallmentClient({ ...demo, baseUrl: running.url, maxRetries: 0 });
    const error: unknown = await client.initiatePayment(paymentRequest()).catch((reason: unknown) => reason);

    expect(service.requests()).toBe(2);
    if (!isInstallmentError(error)) throw error;
    expect([error.outcome, error.code]).toEqual([outcome, 'UNEXPECTED_RESPONSE']);
  });
});
