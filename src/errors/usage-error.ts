import * as z from 'zod/mini';
import { checkOptions } from './check-options.js';
import { ConfigurationError } from './errors.js';
import { brandClass } from '../values/brand.js';

/**
 * A control of the mock was called with an argument that it cannot use, such as an unknown reference or fault.
 *
 * @example
 * ```ts
 * import { MockUsageError, type MockService } from 'installment-payments/mock';
 *
 * export function tryToPay(mock: MockService, referenceId: string): boolean {
 *   try {
 *     return mock.settle(referenceId, 'paid').status === 'paid';
 *   } catch (error) {
 *     if (error instanceof MockUsageError) return false; // no such payment, or it has ended otherwise
 *     throw error;
 *   }
 * }
 * ```
 */
export class MockUsageError extends Error {
  /** Always `MockUsageError`. */
  override readonly name = 'MockUsageError';

  static {
    brandClass(this, 'MockUsageError');
  }
}

/** One of a fixed set of words; a refusal lists them. */
export function wordFrom<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, `must be one of ${words.join(', ')}`);
}

/** The value as a schema returns it. @throws MockUsageError when the schema refuses it */
export function checked<T extends object>(schema: z.ZodMiniType<T>, control: string, value: unknown): T {
  try {
    return checkOptions(schema, value);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    // A hint at the name that was meant ends with a question mark of its own.
    throw new MockUsageError(`${control}: ${error.message}${error.message.endsWith('?') ? '' : '.'}`);
  }
}
