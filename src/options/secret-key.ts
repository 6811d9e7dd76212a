import * as z from 'zod';

type Message = Parameters<typeof z.string>[0];

/** Rule for a secret key; the message is for a value that is missing or not a string. */
export function secretKeyText(message: Message) {
  return z
    .string(message)
    .refine((value) => value !== '', 'must not be empty')
    .refine(
      (value) => value.trim() === value,
      'must not begin or end with white space, such as a line break that was copied with it',
    )
    .refine((value) => value.isWellFormed(), 'must be well-formed Unicode');
}

/** A secret key, or a function that is asked for it. */
export function secretKeyOrFunction<T extends () => unknown>(message: Message) {
  const text = secretKeyText(message);
  return z.custom<string | T>().superRefine((value: unknown, context) => {
    if (typeof value === 'function') return;
    for (const issue of text.safeParse(value).error?.issues ?? []) context.addIssue(issue.message);
  });
}

const returnedKey = secretKeyText('must be a string');

/** The key that a function has returned; throws if it is not usable. */
export function parseSecretKey(returned: unknown): string {
  const parsed = returnedKey.safeParse(returned);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => issue.message).join('; ');
  throw new TypeError(`the result of the secretKey function ${problems}`);
}
