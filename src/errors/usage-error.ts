import type * as z from 'zod/mini';
import { parseOptions } from '../validation/parse-options.js';
import { brandClass } from './brand.js';

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

/** The value as a schema returns it. @throws MockUsageError when the schema refuses it */
export function checked<T extends object>(schema: z.ZodMiniType<T>, control: string, value: unknown): T {
  return parseOptions(schema, value, {
    error: (option, problem) => {
      // A hint at the name that was meant ends with a question mark of its own.
      const end = problem.endsWith('?') ? '' : '.';
      return new MockUsageError(`${control}: ${option} ${problem}${end}`);
    },
  });
}
