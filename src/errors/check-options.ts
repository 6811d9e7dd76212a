import type * as z from 'zod/mini';
import { parseOptions } from '../validation/parse-options.js';
import { ConfigurationError } from './errors.js';

/** Checks options. A value from the environment is reported with its variable. @throws ConfigurationError */
export function checkOptions<T extends object>(
  rules: z.ZodMiniType<T>,
  options: unknown,
  variables: Readonly<Record<string, string>> = {},
): T {
  const error = (option: string, problem: string) => new ConfigurationError(option, problem);
  return parseOptions(rules, options, { error, source: variables });
}
