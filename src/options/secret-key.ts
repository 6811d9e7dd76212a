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
