import type * as z from 'zod/mini';
import { parseWith, pathText, printable, type ValidationIssue } from '../protocol/issues.js';
import { ConfigurationError } from './errors.js';

/** How an unknown option is reported, for `parseWith`. */
export const unknownOption = { word: 'unknown option' };

/**
 * Checks options. One `ConfigurationError` has every problem and no value. Unknown options come first: a misspelled name
 * explains a missing option. A value from the environment is reported with its variable.
 */
export function checkOptions<T extends object>(
  rules: z.ZodMiniType<T>,
  options: unknown,
  variables: Readonly<Record<string, string>> = {},
): T {
  const parsed = parseWith(rules, options, unknownOption);
  if ('value' in parsed) return parsed.value;
  const isUnknown = ({ message }: ValidationIssue) => message.startsWith(unknownOption.word);
  const [first = { option: 'options', problem: 'must be an object' }, ...others] = parsed.issues
    .toSorted((a, b) => Number(isUnknown(b)) - Number(isUnknown(a)))
    .map((issue) => {
      const option = pathText(issue.path) || 'options';
      const source = Object.hasOwn(variables, option) ? `from ${variables[option]} ` : '';
      return { option, problem: source + (isUnknown(issue) ? `is an ${issue.message}` : issue.message) };
    });
  const more = others.map(({ option, problem }) => `; ${printable(option)} ${problem}`);
  throw new ConfigurationError(first.option, first.problem + more.join(''));
}
