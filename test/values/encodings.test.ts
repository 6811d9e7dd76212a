import { expect, test } from 'vitest';
import { jsonIn } from '../../src/values/encodings.js';

test.each([
  ['JSON with a byte order mark', '\uFEFF{"a":1}', { a: 1 }],
  ['JSON with two byte order marks', '\uFEFF\uFEFF1', undefined],
  ['JSON that is cut short', '{"a":', undefined],
  ['JSON that is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), undefined],
])('%s is read, or is undefined', (_what, bytes, value) => {
  expect(jsonIn(Buffer.from(bytes))).toEqual(value);
});
