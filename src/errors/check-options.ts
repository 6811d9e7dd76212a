import type * as z from 'zod/mini';
import { parseWith, pathText, type ValidationIssue } from '../protocol/issues.js';
import { ConfigurationError } from './errors.js';

/** How an unknown option is reported, for `parseWith`. */
export const unknownOption = { word: 'unknown option' };

/** The problem of each option, unknown options first: a misspelled name explains a missing option. */
export function optionProblems(issues: readonly ValidationIssue[]) {
  const isUnknown = ({ message }: ValidationIssue) => message.startsWith(unknownOption.word);
  return issues
    .toSorted((a, b) => Number(isUnknown(b)) - Number(isUnknown(a)))
    .map((issue) => ({
      option: pathText(issue.path),
      problem: isUnknown(issue) ? `is an ${issue.message}` : issue.message,
    }));
}

/**
 * Checks options. One `ConfigurationError` has every problem and no value. The problem of a value from the environment names
 * its variable.
 */
export function checkOptions<T extends object>(
  rules: z.ZodMiniType<T>,
  options: unknown,
  variables: Readonly<Record<string, string>> = {},
): T {
  const parsed = parseWith(rules, options, unknownOption);
  if ('value' in parsed) return parsed.value;
  const [first = { option: '', problem: 'must be an object' }, ...others] = optionProblems(parsed.issues).map(
    ({ option, problem }) => {
      const source = Object.hasOwn(variables, option) ? `from ${variables[option]} ` : '';
      return { option: option || 'options', problem: source + problem };
    },
  );
  const more = others.map(({ option, problem }) => `; ${option} ${problem}`);
  throw new ConfigurationError(first.option, first.problem + more.join(''));
}
