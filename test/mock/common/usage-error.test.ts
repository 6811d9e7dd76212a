import { inspect } from 'node:util';
import { expect, test } from 'vitest';
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
