import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';

type Counts = Readonly<Record<string, number>>;

let payment: Counts;
let upload: Counts;
beforeAll(async () => {
  const script = fileURLToPath(new URL('lean-counts.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script]);
  ({ payment, upload } = JSON.parse(stdout) as { payment: Counts; upload: Counts });
}, 60_000);

describe('a payment that succeeds at once makes', () => {
  it.each([
    ['safeParse', 1],
    ['reads of a field', 1],
    ['JSON.stringify', 1],
    ['JSON.parse', 1],
    ['createHmac', 1],
    ['createHash', 1],
    ['setTimeout', 1],
  ])('%s exactly %d time', (name, times) => {
    expect(payment[name]).toBe(times);
  });

  // ky makes it for itself and it is never sent: what is sent goes to fetch as an address and an init.
  it('one Request', () => {
    expect(payment['Request']).toBe(1);
  });

  // A clone of ky's Request would bring one more.
  it('an AbortController for itself and those of ky and its Request', () => {
    expect(payment['AbortController']).toBeLessThanOrEqual(3);
  });

  it('no Headers but those of ky', () => {
    expect(payment['Headers']).toBeLessThanOrEqual(3);
  });

  it('no stream', () => {
    expect(payment['ReadableStream'] ?? 0).toBe(0);
  });
});

describe('an upload of 5 MB', () => {
  it('is signed once and hashed no further', () => {
    expect(upload['createHmac']).toBe(1);
    expect(upload['createHash']).toBe(0);
  });

  it('holds one copy of the file when it is sent', () => {
    expect(upload['copiesSent']).toBeGreaterThan(0.9);
    expect(upload['copiesSent']).toBeLessThan(1.5);
  });

  it('is not copied again on its way to the runtime’s fetch', () => {
    expect(upload['copiesStreamed']).toBeGreaterThan(0.9);
    expect(upload['copiesStreamed']).toBeLessThan(1.5);
  });
});
