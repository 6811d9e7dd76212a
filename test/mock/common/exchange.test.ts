import { describe, expect, test } from 'vitest';
import { encodedBody, firstHalf, jsonResponse } from '../../../src/mock/common/exchange.js';

test('a JSON response has its media type, and status 200 by default', () => {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  expect(jsonResponse({ a: 1, b: undefined })).toStrictEqual({ httpStatus: 200, headers, body: '{"a":1}' });
  expect(jsonResponse({}, 400)).toStrictEqual({ httpStatus: 400, headers, body: '{}' });
});

describe('the bytes of a response', () => {
  test('are UTF-8', () => {
    const bytes = encodedBody({ httpStatus: 200, headers: {}, body: 'đ' });
    expect(bytes).toStrictEqual(Uint8Array.of(0xc4, 0x91));
  });

  test.each([
    [0, []],
    [1, [1]],
    [2, [1]],
    [3, [1, 2]],
    [4, [1, 2]],
  ])('the first half of %i, rounded up, is %j', (length, half) => {
    const bytes = Uint8Array.of(1, 2, 3, 4).subarray(0, length);
    expect([...firstHalf(bytes)]).toStrictEqual(half);
  });
});
