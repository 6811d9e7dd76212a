import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { checked } from '../../../src/mock/common/usage-error.js';
import { MockUsageError } from '../../../src/mock/index.js';

test('a usage error is no error of a subclass, and prints nothing but its name, message and stack', () => {
  class OwnError extends MockUsageError {}
  const error = new MockUsageError('no such payment');

  expect(error instanceof OwnError).toBe(false);
  expect(new OwnError('x') instanceof MockUsageError).toBe(true);
  expect(new Error('x') instanceof MockUsageError).toBe(false);
  expect(Reflect.ownKeys(error)).not.toContain(Symbol.for('installment-payments.MockUsageError'));
  expect(inspect(error)).not.toContain('Symbol');
});

test.each<[z.ZodMiniType, unknown, string]>([
  [z.string(), 7, 'must be a string'],
  [z.int(), 1.5, 'must be an int'],
  [z.number().check(z.gte(200)), 99, 'must be at least 200'],
  [z.number().check(z.lte(599)), 600, 'must be at most 599'],
  [z.iso.datetime(), 'soon', 'must be in the format datetime'],
  [z.string().check(z.refine(() => false)), 'a', 'has a value that is not allowed here'],
])('%#: a rule without a message says what is expected, without the value', (schema, value, message) => {
  expect(() => checked(schema, 'settle()', value)).toThrow(new MockUsageError(`settle(): ${message}.`));
});
