import * as z from 'zod';
import { fieldsOf, isRecord } from '../values/untrusted-values.js';
import { maxReferenceLength } from './limits.js';
import { isTimestamp, isWireInstant, type TimestampForm } from './timestamps.js';

export function missingOr(rule: string, missing = `is required and ${rule}`) {
  return { error: ({ input }: { readonly input?: unknown }) => (input === undefined ? missing : rule) };
}

export const unknownField = 'unknown field';

export function object(example = '') {
  const rule = `must be an object${example && `, such as ${example}`}`;
  return {
    error: (issue: { readonly code: string; readonly input?: unknown }) =>
      issue.code === 'unrecognized_keys' ? unknownField : missingOr(rule).error(issue),
  };
}

const fieldNames = new WeakMap<z.ZodType, readonly string[]>();

/** The rule for a caller's object, of which only its own fields and its class's are read: see {@link fieldsOf}. */
export function fromCaller<Schema extends z.ZodObject>(schema: Schema) {
  const names = Object.keys(schema.shape);
  const rule = z.preprocess((value: z.input<Schema>) => fieldsOf(value, names), schema);
  fieldNames.set(rule, names);
  return rule;
}

/** The fields of an input for a schema from {@link fromCaller}. */
export function readFields(schema: z.ZodType, input: unknown): unknown {
  return fieldsOf(input, fieldNames.get(schema) ?? []);
}

const wellFormed = [
  (value: string) => value.isWellFormed(),
  'must be well-formed Unicode: it contains half of a surrogate pair',
] as const;

/** Any text. A lone surrogate has no UTF-8 form: it would be signed and sent as another character. */
export const text = z.string(missingOr('must be a string')).refine(...wellFormed);

export const identifier = text.min(1, 'must not be empty');

/** An identifier that the client can have a default for. */
export const identifierOrDefault = z
  .string(missingOr('must be a string', 'is required; pass it here, or once as an option of the client'))
  .refine(...wellFormed)
  .min(1, 'must not be empty');

export function patterned(pattern: RegExp, rule: string) {
  return z
    .string(missingOr(rule))
    .regex(pattern, { error: rule, abort: true })
    .refine(...wellFormed);
}

const referenceIdShape = new RegExp(`^[0-9a-zA-Z_:-]{1,${maxReferenceLength}}$`);

export function isReferenceId(value: string): boolean {
  return referenceIdShape.test(value);
}

/** The merchant's reference of an order, in both operations. */
export const referenceId = patterned(
  referenceIdShape,
  `must be 1 to ${maxReferenceLength} characters: digits, letters, "_", ":" and "-", such as ORDER:2026-0001`,
);

const notReal = 'is not a real date and time: check the day, the month and the hour';

export function wireTimestamp(form: TimestampForm) {
  const rule = `must be a string in the form ${form.form}`;
  return patterned(form.shape, rule).refine((value) => isTimestamp(value, form), notReal);
}

export function inputTimestamp(form: TimestampForm) {
  const rule = `must be a valid Date, or a string in the form ${form.form}`;
  return z.custom<Date | string>().transform((value, context): string => {
    if (isWireInstant(value)) return form.write(value);
    if (typeof value === 'string' && isTimestamp(value, form)) return value;
    const isUnreal = typeof value === 'string' && form.shape.test(value);
    const message = isUnreal ? notReal : missingOr(rule).error({ input: value });
    context.addIssue(message);
    return z.NEVER;
  });
}

export const trueOrFalse = z.boolean('must be true or false');

export function aFunction<T>(rule = 'must be a function') {
  return z.custom<T>((value) => typeof value === 'function', rule);
}

export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, missingOr(`must be ${words.map((word) => `'${word}'`).join(' or ')}`));
}

export function only<const Word extends string>(word: Word) {
  return z.literal<Word>(word, missingOr(`must be '${word}'`));
}

function integerFrom(minimum: number) {
  const rule = `must be an integer from ${minimum} to ${Number.MAX_SAFE_INTEGER}`;
  return z.int({ ...missingOr(rule), abort: true }).min(minimum, rule);
}

/** A count, an amount of VND or a duration. */
export const positiveInteger = integerFrom(1);

export const wholeNumber = integerFrom(0);

export const moneyRule = 'must be a number of VND, 0 or greater';

export const money = z.number(missingOr(moneyRule)).min(0, moneyRule);

/** Runs a rule that compares numbers once these fields are valid, even if others are wrong, so that all are reported. */
export function hasNumbers(
  required: readonly string[],
  optional: readonly string[],
): (payload: { readonly value: unknown }) => boolean {
  return ({ value }) => {
    const fits = (name: string) => isRecord(value) && money.safeParse(value[name]).success;
    const isAbsent = (name: string) => isRecord(value) && value[name] === undefined;
    return required.every(fits) && optional.every((name) => isAbsent(name) || fits(name));
  };
}
