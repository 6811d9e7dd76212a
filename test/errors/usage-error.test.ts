import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { checked } from '../../src/errors/usage-error.js';
import { MockUsageError } from '../../src/entries/mock.js';

test('a usage error is not an error of a subclass, and prints only its name, message and stack', () => {
  class OwnError extends MockUsageError {}
  const error = new MockUsageError('no such payment');

  expect(error instanceof OwnError).toBe(false);
  expect(new OwnError('x') instanceof MockUsageError).toBe(true);
  expect(new Error('x') instanceof MockUsageError).toBe(false);
  expect(Reflect.ownKeys(error)).not.toContain(Symbol.for('installment-payments.MockUsageError'));
  expect(inspect(error)).not.toContain('Symbol');
});

test('a control names the problem of each argument, without the value', () => {
  const schema = z.strictObject({ status: z.enum(['paid'], 'must be paid') });
  expect(() => checked(schema, 'settle', { status: 'secret', stats: 1 })).toThrow(
    new MockUsageError('settle: stats is an unknown option: did you mean status?; status must be paid.'),
  );
  expect(() => checked(schema, 'settle', { status: 'paid', stats: 1 })).toThrow(
    new MockUsageError('settle: stats is an unknown option: did you mean status?'),
  );
});
