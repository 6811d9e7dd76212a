import { describe, expect, test } from 'vitest';
import {
  shortDescription,
  rebuildError,
  innermostSafeFacts,
  safeFactsOf,
} from '../../src/errors/foreign-errors.js';

describe('the safe facts of an error', () => {
  test.each([
    ['name', 'TypeError', 'AbortException', 'E'.repeat(30) + 'Error'],
    ['code', 'ECONNRESET', 'ERR_SSL_SSL/TLS_ALERT', 'ConnectionRefused', 'E'],
    ['syscall', 'read', 'queryAaaa', 'getaddrinfo'],
  ])('are repeated if they have the shape of a %s: %s, %s, %s', (key, ...values) => {
    for (const value of values) expect(safeFactsOf({ [key]: value })).toMatchObject({ [key]: value });
  });

  test.each([
    ['name', 'type Error', 'TypeErrors', 'an Error', '0912Error', 'Error of 0912345678', 'Nguyễn'],
    ['code', 'a ECONNRESET', 'ECONNRESET 0912', 'econnreset', 'Refused', 'refusedConnection', 'Aa0912', 7],
    ['syscall', 'read 0912', '0912 read', 'x'.repeat(21), '', 7],
  ])('are left out if they do not have the shape of a %s: %s, %s', (key, ...values) => {
    for (const value of values) expect(safeFactsOf({ [key]: value })).toEqual({ name: 'Error' });
  });

  test('contain the innermost code, or else the code of the outermost error', () => {
    const inner = { code: 'EPIPE', cause: { name: 'TypeError', cause: 'text', errors: [] } };
    expect(innermostSafeFacts({ code: 'EOUTER', cause: inner })).toEqual({ name: 'Error', code: 'EPIPE' });
    expect(innermostSafeFacts({ name: 'TypeError', cause: { name: 'RangeError' } })).toEqual({
      name: 'TypeError',
    });
    expect(innermostSafeFacts({ errors: [{ code: 'EFIRST' }] })).toMatchObject({ code: 'EFIRST' });
    expect(innermostSafeFacts('text')).toEqual({ name: 'Error' });
    expect(shortDescription({ name: 'Error', code: 'EPIPE', syscall: 'write' })).toBe('EPIPE (write)');
  });
});

describe('an error of a transport', () => {
  test('is rebuilt with its words, its address and its causes, and nothing else', () => {
    const inner = Object.assign(new Error('connect ECONNREFUSED ::1:443'), {
      code: 'ECONNREFUSED',
      syscall: 'connect',
      address: '::1',
      port: 443,
      errno: -111,
      request: { headers: { Signature: 'canary' } },
    });
    const outer = Object.assign(new TypeError('fetch failed', { cause: inner }), { body: 'canary' });
    const rebuilt = rebuildError(outer);
    expect(rebuilt).not.toBe(outer);
    expect(rebuilt).toMatchObject({
      name: 'TypeError',
      message: 'fetch failed',
      stack: 'TypeError: fetch failed',
    });
    expect(Object.keys(rebuilt)).toEqual([]);
    const cause = rebuilt.cause as Error;
    expect(cause.message).toBe(inner.message);
    expect(Object.fromEntries(Object.entries(cause))).toEqual({
      code: 'ECONNREFUSED',
      syscall: 'connect',
      address: '::1',
      port: 443,
    });
  });

  test('keeps the errors of parallel connections', () => {
    const errors = ['::1', '127.0.0.1'].map((address) =>
      Object.assign(new Error('no'), { address, socket: {} }),
    );
    const rebuilt = rebuildError(new AggregateError(errors, 'all failed'));
    expect(rebuilt).toBeInstanceOf(AggregateError);
    expect((rebuilt as AggregateError).errors.map((each: object) => ({ ...each }))).toEqual([
      { address: '::1' },
      { address: '127.0.0.1' },
    ]);
  });

  test('keeps at most 500 characters of the message', () => {
    expect(rebuildError(new Error('x'.repeat(9_000))).message).toHaveLength(500);
  });

  test.each<[unknown, string]>([
    ['offline', 'offline'],
    [undefined, 'Error'],
    [{ code: 'ECONNRESET' }, 'ECONNRESET'],
  ])('can be anything: %s', (thrown, message) => {
    expect(rebuildError(thrown).message).toBe(message);
  });

  test('can have getters that throw', () => {
    const closed = Object.defineProperty({}, 'message', {
      get: () => {
        throw new Error('closed');
      },
    });
    expect(rebuildError(closed)).toMatchObject({ message: 'Error', name: 'Error' });
    expect(rebuildError({ message: 'm', cause: null })).not.toHaveProperty('cause');
  });

  test('can have branches that cannot be read', () => {
    const closed = () => {
      throw new Error('closed');
    };
    const errors: unknown[] = new Proxy([], { get: closed });
    expect(rebuildError({ message: 'fetch failed', errors })).not.toBeInstanceOf(AggregateError);
  });

  test('can contain itself', () => {
    const error = new AggregateError([], 'again');
    error.errors.push(...Array.from({ length: 100 }, () => error));
    error.cause = error;
    let count = 0;
    const visit = (each: unknown) => {
      if (!(each instanceof Error)) return;
      count += 1;
      visit(each.cause);
      if (each instanceof AggregateError) each.errors.forEach(visit);
    };
    visit(rebuildError(error));
    expect(count).toBe(20);
  });
});
