import { ConfigurationError } from '../errors/errors.js';
import { isRecord, valueOf } from '../values/untrusted-values.js';
import { isInsecure } from '../protocol/urls.js';

/** A variable of the environment; undefined if it is empty or cannot be read, as under Deno without --allow-env. */
export function fromEnvironment(variable: string): string | undefined {
  const value = valueOf(() => process.env[variable]);
  return value === '' ? undefined : value;
}

/** A copy of options as the caller gave them. */
export function givenOptions(options: unknown): Record<string, unknown> {
  if (!isRecord(options)) throw new ConfigurationError('options', 'must be an object');
  const copy = valueOf(() => ({ ...options }));
  if (!copy) throw new ConfigurationError('options', 'cannot be read: a getter throws');
  return copy;
}

/** Takes options that are left out from the environment. Other variables are not read. */
export function withEnvironment(
  options: unknown,
  variables: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const complete = givenOptions(options);
  for (const [name, variable] of Object.entries(variables)) {
    if (complete[name] === undefined) complete[name] = fromEnvironment(variable);
  }
  const { baseUrl, allowInsecureHttp } = complete;
  if (allowInsecureHttp === undefined && isInsecure(valueOf(() => String(baseUrl)) ?? '')) {
    complete['allowInsecureHttp'] = fromEnvironment('INSTALLMENT_ALLOW_INSECURE_HTTP') === '1';
  }
  return complete;
}
