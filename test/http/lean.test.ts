import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { recordingServer } from '../helpers/recording-server.js';
import { approvedInvoice, approvedPayment } from '../helpers/samples.js';

type Counts = Readonly<Record<string, number>>;

let payment: Counts;
let upload: Counts;
beforeAll(async () => {
  const server = await recordingServer((socket, { path }) => {
    const answer = JSON.stringify(path.endsWith('upload-invoice') ? approvedInvoice() : approvedPayment());
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${String(Buffer.byteLength(answer))}\r\n\r\n${answer}`);
  });
  const script = fileURLToPath(new URL('lean-counts.ts', import.meta.url));
  const env = { ...process.env, LEAN_SERVER: server.url };
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script], { env });
  await server.close();
  ({ payment, upload } = JSON.parse(stdout) as { payment: Counts; upload: Counts });
}, 60_000);

describe('a payment that succeeds at once', () => {
  it.each([
    ['safeParse', 1],
    ['reads of a field', 1],
    ['JSON.stringify', 1],
    ['JSON.parse', 1],
    ['createHmac', 1],
    ['createHash', 1],
    ['setTimeout', 1],
    ['http.request', 1],
  ])('makes %s exactly %d time', (name, times) => {
    expect(payment[name]).toBe(times);
  });

  it.each([
    'Request',
    'Headers',
    'AbortController',
    'ReadableStream',
    'publish',
    'runStores',
    'Error',
    'TypeError',
    'RangeError',
  ])('makes no %s', (name) => {
    expect(payment[name] ?? 0).toBe(0);
  });
});

describe('an upload of 5 MB', () => {
  it.each(['Error', 'TypeError', 'RangeError'])('makes no %s', (name) => {
    expect(upload[name] ?? 0).toBe(0);
  });

  it('is signed once and not hashed again', () => {
    expect(upload['createHmac']).toBe(1);
    expect(upload['createHash']).toBe(0);
  });

  it('has one copy of the file in memory when it is sent', () => {
    expect(upload['copiesSent']).toBeGreaterThan(0.9);
    expect(upload['copiesSent']).toBeLessThan(1.5);
  });

  it('is not copied again for a fetch', () => {
    expect(upload['copiesStreamed']).toBeGreaterThan(0.9);
    expect(upload['copiesStreamed']).toBeLessThan(1.5);
  });
});
