import type * as z from 'zod/mini';
import { parseWith, printable, type Parsed, type ValidationIssue } from '../protocol/issues.js';
import { ConfigurationError } from './errors.js';

const word = 'unknown option';

/** Parses options. The issue of an unknown one names the option that was probably meant. */
export function parseRules<T extends object>(rules: z.ZodMiniType<T>, options: unknown): Parsed<T> {
  return parseWith(rules, options, { word });
}

/**
 * Checks options. One `ConfigurationError` has every problem and no value. Unknown options come first: a misspelled name
 * explains a missing option.
 */
export function checkOptions<T extends object>(
  rules: z.ZodMiniType<T>,
  options: unknown,
  nameOf = (path: ValidationIssue['path']) => path.join('.'),
): T {
  const parsed = parseRules(rules, options);
  if ('value' in parsed) return parsed.value;
  const isUnknown = ({ message }: ValidationIssue) => message.startsWith(word);
  const [first = { option: 'options', problem: 'must be an object' }, ...others] = parsed.issues
    .toSorted((a, b) => Number(isUnknown(b)) - Number(isUnknown(a)))
    .map((issue) => ({
      option: nameOf(issue.path) || 'options',
      problem: isUnknown(issue) ? `is an ${issue.message}` : issue.message,
    }));
  const more = others.map(({ option, problem }) => `; ${printable(option)} ${problem}`);
  throw new ConfigurationError(first.option, first.problem + more.join(''));
}
