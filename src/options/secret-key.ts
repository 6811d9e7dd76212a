import * as z from 'zod/mini';
import { UnusableResult } from '../http/attempt-result.js';

/** The rule for a secret key; the message is for a value that is not a string. */
export function secretKeyText(message: string) {
  return z.string(message).check(
    z.refine((value) => value !== '', 'must not be empty'),
    z.refine(
      (value) => value.trim() === value,
      'must not begin or end with white space, such as a line break that was copied with it',
    ),
    z.refine((value) => value.isWellFormed(), 'must be well-formed Unicode'),
  );
}

const returnedKey = secretKeyText('must be a string');

/** The key that a function has returned; throws if it is not usable. */
export function parseSecretKey(returned: unknown): string {
  const parsed = returnedKey.safeParse(returned);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => issue.message).join('; ');
  throw new UnusableResult('secretKey', problems);
}
