import { expect, it } from 'vitest';
import { isReferenceId } from '../../src/protocol/reference-id.js';

it.each([
  ['ORDER:2026-0001', true],
  ['a_Z', true],
  ['x'.repeat(60), true],
  ['x'.repeat(61), false],
  ['', false],
  ['a b', false],
  ['đơn', false],
  ['a\n', false],
])('%j may be a referenceId: %j', (value, expected) => {
  expect(isReferenceId(value)).toBe(expected);
});
