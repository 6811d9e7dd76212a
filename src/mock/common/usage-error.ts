import * as z from 'zod/mini';
import { optionProblems, unknownOption } from '../../errors/check-options.js';
import { issuesOf } from '../../protocol/issues.js';
import { brandClass } from '../../values/brand.js';

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

/** The message of a rule of a schema that has none of its own; zod takes it as the `error` of a parse. */
function plainMessage(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
    case 'too_small':
      return `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    case 'invalid_format':
      return `must be in the format ${issue.format}`;
    default:
      return 'has a value that is not allowed here';
  }
}

/** The value as a schema returns it. @throws MockUsageError when the schema refuses it */
export function checked<Schema extends z.ZodMiniType>(
  schema: Schema,
  control: string,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: plainMessage });
  if (parsed.success) return parsed.data;
  const problems = optionProblems(issuesOf(parsed.error, value, schema, unknownOption)).map(
    ({ option, problem }) => `${option} ${problem}`.trim(),
  );
  throw new MockUsageError(`${control}: ${problems.join('; ')}.`);
}
