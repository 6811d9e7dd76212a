import type * as z from 'zod/mini';
import { checkOptions } from '../errors/check-options.js';
import { ConfigurationError } from '../errors/errors.js';
import { quotesProblem } from '../protocol/credentials.js';
import { isInsecure } from '../protocol/urls.js';
import { changesBetween } from '../values/nearest-word.js';
import { isRecord, orUndefined } from '../values/untrusted-values.js';

/** A variable of the environment; undefined if it is empty or cannot be read, as in Deno without --allow-env. */
export function fromEnvironment(variable: string): string | undefined {
  const value = orUndefined(() => process.env[variable]);
  return value === '' ? undefined : value;
}

/**
 * The problem of an option that is neither passed nor in the environment. If the environment has a variable with a
 * similar name, which can be a typing error, the text names that variable.
 */
export function missingFor(variable: string): string {
  const isSimilar = (name: string) => name !== variable && changesBetween(name.toUpperCase(), variable) <= 3;
  const similar = orUndefined(() => Object.keys(process.env))?.find(isSimilar);
  const found = similar === undefined ? '' : ` (the environment has ${similar})`;
  return `is required: pass it, or set ${variable}${found}`;
}

/** Copies the options of the caller. @throws ConfigurationError if they are not an object */
export function givenOptions(options: unknown): Record<string, unknown> {
  if (!isRecord(options)) throw new ConfigurationError('options', 'must be an object');
  const copy = orUndefined(() => ({ ...options }));
  if (!copy) throw new ConfigurationError('options', 'cannot be read: a getter throws');
  return copy;
}

/**
 * Checks options. Options that are left out come from the environment. `allowInsecureHttp` is read from the environment
 * only if the base URL needs it.
 */
export function checkWithEnvironment<T extends object>(
  rules: z.ZodMiniType<T>,
  options: unknown,
  variables: Readonly<Record<string, string>>,
): T {
  const complete = givenOptions(options);
  const used: Record<string, string> = {};
  for (const [name, variable] of Object.entries(variables)) {
    const value = complete[name] === undefined ? fromEnvironment(variable) : undefined;
    if (value === undefined) continue;
    const problem = quotesProblem(value);
    if (problem !== undefined) throw new ConfigurationError(name, `from ${variable} ${problem}`);
    complete[name] = value;
    used[name] = variable;
  }
  const { baseUrl, allowInsecureHttp } = complete;
  if (allowInsecureHttp === undefined && isInsecure(orUndefined(() => String(baseUrl)) ?? '')) {
    complete['allowInsecureHttp'] = fromEnvironment('INSTALLMENT_ALLOW_INSECURE_HTTP') === '1';
  }
  return checkOptions(rules, complete, used);
}
