import { describe, expect, test } from 'vitest';
import { parseRetryAfter } from '../../src/http/response.js';

const now = new Date('2026-11-20T03:04:05.250Z');

describe('Retry-After', () => {
  test.each([
    ['0', 0],
    ['1', 1_000],
    ['120', 120_000],
    ['007', 7_000],
    ['Fri, 20 Nov 2026 03:04:15 GMT', 9_750],
    ['Fri, 20 Nov 2026 03:04:05 GMT', 0],
    ['Thu, 19 Nov 2020 00:00:00 GMT', 0],
  ])('%j asks to wait %i ms', (value, ms) => {
    expect(parseRetryAfter(value, now)).toBe(ms);
  });

  test.each([
    undefined,
    '',
    ' 1',
    '-1',
    '+1',
    '1.5',
    '1e3',
    '1, 2',
    '١',
    'soon',
    '2026-11-20T03:04:15Z',
    '20 Nov 2026 03:04:15 GMT',
    'Thu, 20 Nov 2026 03:04:15 GMT',
    'Fri, 20 Nov 2026 03:04:15 +0700',
    'Fri, 31 Nov 2026 03:04:15 GMT',
  ])('%j is ignored', (value) => {
    expect(parseRetryAfter(value, now)).toBeUndefined();
  });

  test('stays a number if it is huge', () => {
    expect(parseRetryAfter('9'.repeat(400), now)).toBe(Number.MAX_SAFE_INTEGER);
  });
});
