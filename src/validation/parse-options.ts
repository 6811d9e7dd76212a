import type * as z from 'zod/mini';
import { brokenRules, pathText } from './broken-rules.js';

/** How an unknown option is reported. */
export const unknownOption = { text: 'unknown option' };

interface OptionReporting {
  /** Creates the error. `problem` says what is wrong with `option`, and then with each other invalid option. */
  readonly error: (option: string, problem: string) => Error;
  /** The name of all options together, for a problem of the whole object. @default 'options' */
  readonly subject?: string;
  /** The environment variable of each option that was read from the environment. */
  readonly source?: Readonly<Record<string, string>>;
}

/**
 * Parses options with their rules. The error lists every problem and quotes no value. Unknown options come first,
 * because a misspelled name explains a missing option.
 */
export function parseOptions<T extends object>(
  rules: z.ZodMiniType<T>,
  options: unknown,
  { error: toError, subject = 'options', source = {} }: OptionReporting,
): T {
  const parsed = rules.safeParse(options);
  if (parsed.success) return parsed.data;
  const [first = { option: subject, problem: 'must be an object' }, ...others] = brokenRules(
    parsed.error,
    rules,
    unknownOption,
  )
    .toSorted((a, b) => Number(b.isUnknownName) - Number(a.isUnknownName))
    .map(({ path, message, isUnknownName }) => {
      const option = pathText(path) || subject;
      const from = Object.hasOwn(source, option) ? `from ${source[option]} ` : '';
      return { option, problem: from + (isUnknownName ? `is an ${message}` : message) };
    });
  const more = others.map(({ option, problem }) => `; ${option} ${problem}`);
  throw toError(first.option, first.problem + more.join(''));
}
