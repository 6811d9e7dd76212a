import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { InstallmentClient } from '../../src/entries/index.js';
import { approvedInvoice, approvedPayment, demo, invoiceUpload, paymentRequest } from '../helpers/samples.js';
import { haproxy } from './run-proxy.js';

interface Closing extends AsyncDisposable {
  readonly port: number;
  /** Requests by the last part of their path. */
  readonly requests: Readonly<Record<string, number>>;
}

/** Runs work, and counts the connections that are made meanwhile. */
async function connectionsDuring(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const made = () => {
    count++;
  };
  subscribe('net.client.socket', made);
  await work();
  unsubscribe('net.client.socket', made);
  return count;
}

/** A server that closes idle connections after a time, and says so or not. */
async function closingAfter(idleMs: number, says: boolean): Promise<Closing> {
  const requests: Record<string, number> = {};
  const server = http.createServer({ keepAliveTimeout: idleMs }, (request, response) => {
    const path = request.url?.split('/').at(-1) ?? '';
    requests[path] = (requests[path] ?? 0) + 1;
    // With a header of this name from the program, Node adds no Keep-Alive.
    if (!says) response.setHeader('Connection', 'keep-alive');
    const answer = path === 'payments' ? approvedPayment() : approvedInvoice();
    request.resume().on('end', () => response.end(JSON.stringify(answer)));
  });
  // Node itself waits a little longer from version 24 on.
  Object.assign(server, { keepAliveTimeoutBuffer: 0 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Told {
  readonly outcomes: Readonly<Record<string, number>>;
  readonly attempts: number;
}

/** Makes calls in many rows at once: in each row one call after the other, with pauses about as long as said. */
async function callsInRows(
  call: (
    client: InstallmentClient,
  ) => Promise<{ readonly $metadata: { readonly attempts: readonly unknown[] } }>,
  { baseUrl, rows, calls, pauseMs }: { baseUrl: string; rows: number; calls: number; pauseMs: number },
): Promise<Told> {
  const client = new InstallmentClient({ ...demo, baseUrl });
  const outcomes: Record<string, number> = {};
  let attempts = 0;
  const count = (outcome: string) => void (outcomes[outcome] = (outcomes[outcome] ?? 0) + 1);
  const inRow = async (row: number) => {
    for (let index = 0; index < calls; index++) {
      // From 12 ms before to 4 ms after the moment at which the connection is closed.
      if (index > 0) await pause(pauseMs - 12 + ((row * 7 + index * 3) % 17));
      try {
        const { $metadata } = await call(client);
        attempts += $metadata.attempts.length;
        count('accepted');
      } catch (error) {
        count((error as { readonly outcome: string }).outcome);
      }
    }
  };
  await Promise.all(Array.from({ length: rows }, (_, row) => inRow(row)));
  return { outcomes, attempts };
}

const upload = (client: InstallmentClient) => client.uploadInvoice(invoiceUpload());
const pay = (client: InstallmentClient) => client.initiatePayment(paymentRequest());

describe('calls through HAProxy that keeps idle connections for a second', () => {
  test('420 uploads a second apart: each is accepted at once and seen once', async () => {
    // The hint of the server speaks of the connection behind the proxy, which passes it on.
    await using server = await closingAfter(60_000, true);
    await using proxy = await haproxy(server.port, ['timeout http-keep-alive 1s']);
    const connections = await connectionsDuring(async () => {
      const told = await callsInRows(upload, { baseUrl: proxy.url, rows: 42, calls: 10, pauseMs: 1_000 });
      expect(told).toEqual({ outcomes: { accepted: 420 }, attempts: 420 });
    });
    // Whether a connection is met at the moment of its end is chance; no upload takes that chance.
    expect(connections).toBe(420);
    expect(server.requests).toEqual({ 'upload-invoice': 420 });
  }, 60_000);

  test('210 payments a second apart: each is accepted, over connections that were used before', async () => {
    await using server = await closingAfter(60_000, true);
    await using proxy = await haproxy(server.port, ['timeout http-keep-alive 1s']);
    const connections = await connectionsDuring(async () => {
      const told = await callsInRows(pay, { baseUrl: proxy.url, rows: 42, calls: 5, pauseMs: 900 });
      expect(told.outcomes).toEqual({ accepted: 210 });
    });
    expect(connections).toBeLessThan(210);
  }, 60_000);
});

/** Uploads around the end of idle connections, and around the moment until which they may be used. */
async function uploadsTo({ port }: Closing, idleMs: number): Promise<Told[]> {
  const baseUrl = `http://127.0.0.1:${String(port)}`;
  const pauses = [idleMs, Math.max(100, idleMs - 1_000)];
  return Promise.all(pauses.map((pauseMs) => callsInRows(upload, { baseUrl, rows: 20, calls: 4, pauseMs })));
}

test('uploads to servers that close idle connections after 1 to 5 s, and say so or not, are accepted at once', async () => {
  const all = { outcomes: { accepted: 80 }, attempts: 80 };
  const told = [1_000, 2_000, 4_500, 5_000].map(async (idleMs) => {
    await using hinting = await closingAfter(idleMs, true);
    await using silent = await closingAfter(idleMs, false);
    expect(await Promise.all([uploadsTo(hinting, idleMs), uploadsTo(silent, idleMs)])).toEqual([
      [all, all],
      [all, all],
    ]);
    expect(hinting.requests).toEqual({ 'upload-invoice': 160 });
  });
  await Promise.all(told);
}, 60_000);
