import { createSecretKey, type KeyObject } from 'node:crypto';
import * as z from 'zod/mini';
import { invalid, valid, type Checked } from '../values/checked.js';
import { isRecord } from '../values/untrusted-values.js';
import { edgeProblem } from './rules.js';

export const secretKeyEncodings = ['utf8', 'hex', 'base64'] as const;

/** How the text of a secret key gives the bytes of the key. */
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

/** The problem of a secret key that is not written in this encoding. It does not quote the key. */
export function secretKeyProblem(secretKey: string, encoding: SecretKeyEncoding): string | undefined {
  const { rule, fits } = notations[encoding];
  return fits(secretKey) ? undefined : `must be ${rule}, because secretKeyEncoding is '${encoding}'`;
}

/** A secret key that fits its encoding, as a key object, which inspection does not show. */
export function secretKeyObject(secretKey: string, encoding: SecretKeyEncoding = 'utf8'): KeyObject {
  return createSecretKey(secretKey, encoding);
}

/** Checks a secret key from an option, the environment or a function; `rule` is the problem of a key that is not a string. */
export function checkSecretKey(
  given: unknown,
  encoding: SecretKeyEncoding,
  rule = 'must be a string',
): Checked<KeyObject> {
  if (typeof given !== 'string') return invalid(rule);
  const copied = [edgeProblem(given), given.isWellFormed() ? undefined : 'must be well-formed Unicode'];
  const problem = copied.filter((each) => each !== undefined).join('; ') || secretKeyProblem(given, encoding);
  return problem === undefined ? valid(secretKeyObject(given, encoding)) : invalid(problem);
}

/** Checks one secret key or several. Each of them must be usable. */
export function checkSecretKeys(
  given: unknown,
  encoding: SecretKeyEncoding,
  rule?: string,
): Checked<readonly KeyObject[]> {
  const keys = [given].flat().map((key) => checkSecretKey(key, encoding, rule));
  const wrong = keys.find(({ ok }) => !ok);
  if (wrong?.ok === false) return wrong;
  if (keys.length === 0) return invalid('must have at least one key');
  return valid(keys.flatMap((key) => (key.ok ? [key.value] : [])));
}

/** A rule for options: their secret keys are usable. It runs even if other options are wrong. A function is called later, not here. */
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
