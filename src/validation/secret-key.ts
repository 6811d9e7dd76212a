import { createSecretKey, type KeyObject } from 'node:crypto';
import * as z from 'zod/mini';
import { invalid, valid, type Checked } from '../values/checked.js';
import { isRecord } from '../values/untrusted-values.js';
import { edgeProblem } from './rules.js';

export const secretKeyEncodings = ['utf8', 'hex', 'base64'] as const;

/** The encoding that converts the text of a secret key to bytes. */
export type SecretKeyEncoding = (typeof secretKeyEncodings)[number];

const notations: Readonly<
  Record<SecretKeyEncoding, { readonly rule: string; readonly fits: (key: string) => boolean }>
> = {
  utf8: { rule: 'a string', fits: () => true },
  hex: { rule: 'an even number of hex digits', fits: (key) => /^(?:[0-9a-f]{2})+$/i.test(key) },
  base64: {
    rule: 'base64 with its padding',
    fits: (key) => key !== '' && Buffer.from(key, 'base64').toString('base64') === key,
  },
};

/** The problem of a secret key that does not match this encoding. The text does not quote the key. */
export function secretKeyProblem(secretKey: string, encoding: SecretKeyEncoding): string | undefined {
  const { rule, fits } = notations[encoding];
  return fits(secretKey) ? undefined : `must be ${rule}, because secretKeyEncoding is '${encoding}'`;
}

/** Creates a key object from a secret key that matches its encoding. `util.inspect` does not show the key. */
export function secretKeyObject(secretKey: string, encoding: SecretKeyEncoding = 'utf8'): KeyObject {
  return createSecretKey(secretKey, encoding);
}

/** Checks a secret key from any source. `rule` is the message for a key that is not a string. */
export function checkSecretKey(
  given: unknown,
  encoding: SecretKeyEncoding,
  rule = 'must be a string',
): Checked<KeyObject> {
  if (typeof given !== 'string') return invalid(rule);
  const textProblems = [edgeProblem(given), given.isWellFormed() ? undefined : 'must be well-formed Unicode'];
  const textProblem = textProblems.filter((each) => each !== undefined).join('; ');
  const problem = textProblem || secretKeyProblem(given, encoding);
  return problem === undefined ? valid(secretKeyObject(given, encoding)) : invalid(problem);
}

/** Checks one or several secret keys. Every key must be usable. */
export function checkSecretKeys(
  given: unknown,
  encoding: SecretKeyEncoding,
  rule?: string,
): Checked<readonly KeyObject[]> {
  const keys = [given].flat().map((key) => checkSecretKey(key, encoding, rule));
  const invalidKey = keys.find(({ ok }) => !ok);
  if (invalidKey?.ok === false) return invalidKey;
  if (keys.length === 0) return invalid('must contain at least one key');
  return valid(keys.flatMap((key) => (key.ok ? [key.value] : [])));
}

/**
 * A rule for options: the secret keys that `find` returns must be usable. The rule runs even if other options are
 * invalid. A function that returns keys is not called here: it is called later, each time a key is needed.
 */
export function usableKeys<Options>(
  find: (options: Options) => { readonly secretKey?: unknown; readonly secretKeyEncoding?: unknown },
  rule?: string,
) {
  const check = (options: Options, context: z.core.$RefinementCtx<Options>) => {
    const { secretKey, secretKeyEncoding } = find(options);
    if (secretKey === undefined || typeof secretKey === 'function') return;
    const encoding = secretKeyEncodings.find((known) => known === secretKeyEncoding) ?? 'utf8';
    const checked = checkSecretKeys(secretKey, encoding, rule);
    if (!checked.ok) context.addIssue({ code: 'custom', path: ['secretKey'], message: checked.problem });
  };
  return z.superRefine<Options>(check, { when: ({ value }) => isRecord(value) });
}
