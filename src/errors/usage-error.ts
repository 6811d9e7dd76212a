import type * as z from 'zod/mini';
import { parseOptions } from '../validation/parse-options.js';
import { isRecord } from '../values/untrusted-values.js';
import { brandClass } from './brand.js';

/**
 * A control of the mock was called with an argument that it cannot use, such as an unknown `referenceId` or fault.
 *
 * @example
 * ```ts
 * import { MockUsageError, type MockService } from 'installment-payments/mock';
 *
 * export function tryToPay(mock: MockService, referenceId: string): boolean {
 *   try {
 *     return mock.settle(referenceId, 'paid').status === 'paid';
 *   } catch (error) {
 *     if (error instanceof MockUsageError) return false; // no such payment, or it has already ended
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

/** Parses a value with a schema. @throws MockUsageError if the schema refuses it */
export function checked<T extends object>(schema: z.ZodMiniType<T>, control: string, value: unknown): T {
  return parseOptions(schema, value, {
    error: (option, problem) => {
      // A suggestion of a similar name already ends with a question mark.
      const end = problem.endsWith('?') ? '' : '.';
      return new MockUsageError(`${control}: ${option} ${problem}${end}`);
    },
  });
}

/**
 * Refuses options that are not an object. Without this check, a text or an array would be spread, and reported as the
 * unknown options 0, 1, 2.
 *
 * @throws MockUsageError
 */
export function checkedObject<Options extends object>(control: string, options: Options): Options {
  if (isRecord(options)) return options;
  throw new MockUsageError(`${control}: options must be an object, such as { times: 1 }.`);
}
