import { describe, expect, test, vi } from 'vitest';
import { RefusedRequests } from '../../../src/mock/state/refused-requests.js';
import type { Diagnosis } from '../../../src/mock/state/diagnosis.js';

const megabyte = 1024 * 1024;
const explained = { cause: 'unexplained' } as Diagnosis;
const add = (requests: RefusedRequests, size: number, explain = () => explained) =>
  requests.add({ size, explain, expected: 'e', received: 'r' });
const causes = (read: readonly (() => Diagnosis)[]) => read.map((explain) => explain().cause);

describe('the bytes of refused requests', () => {
  test('are limited in number, and the oldest are dropped first', () => {
    const requests = new RefusedRequests();
    const read = Array.from({ length: 102 }, () => add(requests, 1));
    expect(causes(read.slice(0, 3))).toEqual(['request-not-kept', 'request-not-kept', 'unexplained']);
  });

  test('are limited in size, and the oldest are dropped first', () => {
    const requests = new RefusedRequests();
    const large = Array.from({ length: 30 }, () => add(requests, 6 * megabyte));
    // 21 times 6 MiB are 126 MiB.
    expect(causes(large).lastIndexOf('request-not-kept')).toBe(8);
  });

  test('are kept up to 128 MiB', () => {
    const requests = new RefusedRequests();
    const read = [64, 64].map((size) => add(requests, size * megabyte));
    expect(causes(read)).toEqual(['unexplained', 'unexplained']);
    const more = [64, 64, 1].map((size) => add(requests, size * megabyte));
    expect(causes(more)).toEqual(['request-not-kept', 'unexplained', 'unexplained']);
  });

  test('do not count any more once their request was explained', () => {
    const requests = new RefusedRequests();
    const first = add(requests, 100 * megabyte);
    const second = add(requests, megabyte);
    expect(first()).toBe(explained);
    add(requests, 100 * megabyte);
    expect(second()).toBe(explained);
    expect(first()).toBe(explained);
  });

  test('count once, even if a request is explained after it was dropped, or twice', () => {
    const requests = new RefusedRequests();
    const [dropped] = [100, 100].map((size) => add(requests, size * megabyte));
    for (let time = 0; time < 3; time++) dropped?.();
    const next = [28, 100, 1].map((size) => add(requests, size * megabyte));
    expect(causes(next)).toEqual(['request-not-kept', 'unexplained', 'unexplained']);
  });

  test('are dropped at a reset, and an older explanation never reads a later request', () => {
    const requests = new RefusedRequests();
    const [held] = [100, 1].map((size) => add(requests, size * megabyte));
    requests.reset();
    const later = add(requests, 100 * megabyte);
    expect(held?.().cause).toBe('request-not-kept');
    expect(later()).toBe(explained);
  });

  test('are kept if an explanation fails, so that it can be read again', () => {
    const explain = vi
      .fn<() => Diagnosis>()
      .mockImplementationOnce(() => {
        throw new Error('out of memory');
      })
      .mockReturnValue(explained);
    const read = add(new RefusedRequests(), 1, explain);
    expect(read).toThrow('out of memory');
    expect(read()).toBe(explained);
  });
});

describe('a request that is no longer kept', () => {
  function dropped(received: string | undefined): Diagnosis {
    const requests = new RefusedRequests();
    const read = requests.add({ size: 1, explain: () => explained, expected: 'e', received });
    for (let more = 0; more < 100; more++) add(requests, 1);
    return read();
  }

  test('has both signatures, the limits and a step in its explanation', () => {
    expect(dropped('r')).toEqual({
      cause: 'request-not-kept',
      message:
        'The mock no longer has the bytes of this request, so it cannot explain the signature. It keeps only the last 100 refused requests, up to 128 MiB in total, and none from before a reset.',
      fix: 'Send the request again, and read its diagnosis before many other requests are refused.',
      expected: 'e',
      received: 'r',
    });
  });

  test('has the first 256 characters of the received signature, if there is one', () => {
    expect(dropped('ab'.repeat(200)).received).toBe('ab'.repeat(128));
    expect(dropped(undefined).received).toBe('');
  });
});
