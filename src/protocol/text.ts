import { isDate } from 'node:util/types';
import * as z from 'zod';
import { isWireInstant } from './timestamps.js';

/** A zod message that tells a value that is missing from one that is wrong. */
export function missingOr(wrong: string) {
  return {
    error: ({ input }: { readonly input?: unknown }) =>
      input === undefined ? `is required: it ${wrong}` : wrong,
  };
}

/** A text that fits on a line of a log: what would break out of it is written as an escape. */
export function printable(value: string): string {
  return value.replace(
    /[\p{Cc}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** What is said of a field that no table of the specification has. */
export const unknownField = 'is not a field of the specification';

/** The message of a strict object: it is told apart whether the object is missing, is none, or holds an unknown field. */
export const record = {
  error: (issue: { readonly code: string; readonly input?: unknown }) =>
    issue.code === 'unrecognized_keys'
      ? `holds a field that ${unknownField}`
      : missingOr('must be an object').error(issue),
};

const wellFormed = [
  (value: string) => value.isWellFormed(),
  'must be well-formed Unicode: it holds half of a surrogate pair',
] as const;

/**
 * Any text of the wire. A lone surrogate has no UTF-8 form: it would be sent, and signed, as another character.
 */
export const text = z.string(missingOr('must be text')).refine(...wellFormed);

/** An identifier that somebody issued: text that is not empty. */
export const identifier = text.min(1, 'must not be empty');

/** An identifier that the client can hold a default for. */
export const identifierOrDefault = z
  .string({
    error: ({ input }) =>
      input === undefined ? 'is required: give it here, or once as an option of the client' : 'must be text',
  })
  .min(1, 'must not be empty')
  .refine(...wellFormed);

/** Text of a shape of its own. */
export function shapedText(accepts: (value: string) => boolean, message: string) {
  return text.refine(accepts, message);
}

/** A timestamp of the wire, given as such text or as a `Date`. */
export function timestampFrom(
  format: (instant: Date) => string,
  accepts: (value: string) => boolean,
  shape: string,
) {
  return z.custom<Date | string>().transform((value, context): string => {
    if (typeof value === 'string' && accepts(value)) return value;
    if (isDate(value) && isWireInstant(value)) return format(value);
    const rule = `must be a valid Date, or a real moment written as ${shape}, without a fraction of a second`;
    context.addIssue({ code: 'custom', message: missingOr(rule).error({ input: value }), input: value });
    return z.NEVER;
  });
}

/** One of a few words. */
export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, missingOr(`must be ${words.map((word) => `'${word}'`).join(' or ')}`));
}

/** The one word that the service accepts here. */
export function only<const Word extends string>(word: Word) {
  return z.literal<Word>(word, missingOr(`must be '${word}'`));
}

// The parser drops these without a word, so the text that would be sent is not the URL that was checked.
const droppedByParser = /^[\p{Cc} ]|[\p{Cc} ]$|[\t\n\r]/u;

/** The URL that a text is, by the parser that fetch uses too; undefined for a text that is no absolute URL. */
export function parseUrl(value: string): URL | undefined {
  if (droppedByParser.test(value)) return undefined;
  try {
    return new URL(value);
  } catch {
    return undefined;
  }
}
