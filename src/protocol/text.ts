import * as z from 'zod';
import { isWireInstant } from './timestamps.js';

/** The error of a field whose value is missing or breaks `rule`. */
export function missingOr(rule: string) {
  return {
    error: ({ input }: { readonly input?: unknown }) =>
      input === undefined ? `is required: it ${rule}` : rule,
  };
}

/** Escapes control characters and line separators, so that the text fits on one line of a log. */
export function printable(value: string): string {
  return value.replace(
    /[\p{Cc}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export const unknownField = 'unknown field';

/** The errors of a strict object, `such as` an example. The names of unknown fields are in the issue's keys. */
export function object(example = '') {
  const rule = `must be an object${example && `, such as ${example}`}`;
  return {
    error: (issue: { readonly code: string; readonly input?: unknown }) =>
      issue.code === 'unrecognized_keys' ? unknownField : missingOr(rule).error(issue),
  };
}

const wellFormed = [
  (value: string) => value.isWellFormed(),
  'must be well-formed Unicode: it contains half of a surrogate pair',
] as const;

/** Any text of the wire. A lone surrogate has no UTF-8 form: it would be signed and sent as another character. */
export const text = z.string(missingOr('must be a string')).refine(...wellFormed);

/** An identifier that somebody issued: text that is not empty. */
export const identifier = text.min(1, 'must not be empty');

/** An identifier that the client can hold a default for. */
export const identifierOrDefault = z
  .string({
    error: ({ input }) =>
      input === undefined
        ? 'is required: pass it here, or once as an option of the client'
        : 'must be a string',
  })
  .min(1, 'must not be empty')
  .refine(...wellFormed);

/** Text of the form that a pattern describes. */
export function patterned(pattern: RegExp, rule: string) {
  return z
    .string(missingOr(rule))
    .regex(pattern, { error: rule, abort: true })
    .refine(...wellFormed);
}

/** A form in which the wire writes a moment. */
export interface TimestampForm {
  readonly pattern: RegExp;
  /** The form with an example, for messages. */
  readonly form: string;
  readonly write: (instant: Date) => string;
  readonly accepts: (text: string) => boolean;
}

const notReal = 'is not a real date and time: check the day, the month and the hour';

/** A timestamp as it is on the wire. */
export function wireTimestamp({ pattern, form, accepts }: TimestampForm) {
  return patterned(pattern, `must be a string in the form ${form}`).refine(accepts, notReal);
}

/** A timestamp given as a `Date` or as the text of the wire. */
export function inputTimestamp({ pattern, form, write, accepts }: TimestampForm) {
  const rule = `must be a valid Date, or a string in the form ${form}`;
  return z.custom<Date | string>().transform((value, context): string => {
    if (isWireInstant(value)) return write(value);
    if (typeof value === 'string' && accepts(value)) return value;
    const isUnreal = typeof value === 'string' && pattern.test(value);
    const message = isUnreal ? notReal : missingOr(rule).error({ input: value });
    context.addIssue({ code: 'custom', message, input: value });
    return z.NEVER;
  });
}

/** One of a few words. */
export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, missingOr(`must be ${words.map((word) => `'${word}'`).join(' or ')}`));
}

/** The one value that the service accepts here. */
export function only<const Word extends string>(word: Word) {
  return z.literal<Word>(word, missingOr(`must be '${word}'`));
}

/** The URL that a text is, by the parser that fetch uses too; undefined for any other text. */
export function toUrl(value: string): URL | undefined {
  // Not URL.canParse: once it is optimised, Node 20 refuses hosts with letters such as "à" (U+0080 to U+00FF).
  try {
    return new URL(value);
  } catch {
    return undefined;
  }
}

// The URL parser drops these silently: the text that would be sent is not the URL that was checked.
const droppedByParser = /^[\p{Cc} ]|[\p{Cc} ]$|[\t\n\r]/u;

/** The URL that a text is exactly, with nothing that a parser would drop. */
export function parseUrl(value: string): URL | undefined {
  return droppedByParser.test(value) ? undefined : toUrl(value);
}
