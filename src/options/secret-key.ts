import type { KeyObject } from 'node:crypto';
import * as z from 'zod/mini';
import { UnusableResult } from '../http/attempt-result.js';
import { secretKeyTextProblem } from '../protocol/credentials.js';
import { secretKeyObject, secretKeyProblem, type SecretKeyEncoding } from '../protocol/signature.js';

/** The rule for a secret key; the message is for a value that is not a string. */
export function secretKeyText(message: string) {
  return z.string(message).check(
    z.superRefine((text, context) => {
      const problem = secretKeyTextProblem(text);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
    }),
  );
}

const returnedKey = secretKeyText('must be a string');

/** The key that a function has returned; throws if it is not usable. */
export function parseSecretKey(returned: unknown, encoding: SecretKeyEncoding): KeyObject {
  const parsed = returnedKey.safeParse(returned);
  const problem = parsed.success
    ? secretKeyProblem(parsed.data, encoding)
    : parsed.error.issues.map(({ message }) => message).join('; ');
  if (parsed.success && problem === undefined) return secretKeyObject(parsed.data, encoding);
  throw new UnusableResult('secretKey', problem ?? '');
}

/** A rule for options: each secret key in them is written in their encoding. */
export function keysMatchEncoding<Options>(
  find: (options: Options) => { readonly secretKey?: unknown; readonly secretKeyEncoding: SecretKeyEncoding },
) {
  return z.superRefine<Options>((options, context) => {
    const { secretKey, secretKeyEncoding } = find(options);
    for (const key of [secretKey].flat()) {
      const message = typeof key === 'string' ? secretKeyProblem(key, secretKeyEncoding) : undefined;
      if (message !== undefined) context.addIssue({ code: 'custom', path: ['secretKey'], message });
    }
  });
}
