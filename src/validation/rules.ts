import * as z from 'zod/mini';
import { describeRefused, kindOf } from '../values/kind-of-value.js';
import { listed } from '../values/texts.js';
import { isRecord } from '../values/untrusted-values.js';

/** The message for a value that is missing or of the wrong type: the rule, and the type of the value. */
export function wrongKind(rule: string, input: unknown): string {
  return input === undefined ? `is required and ${rule}` : `${rule}; got ${kindOf(input)}`;
}

function withNullAdvice(message: string, input: unknown): string {
  return input === null ? `${message}: leave the field out` : message;
}

/** The message of `wrongKind` for an optional field. If the value is null, the message says to leave the field out. */
export function wrongOptional(rule: string, input: unknown): string {
  return withNullAdvice(wrongKind(rule, input), input);
}

interface RuleIssue {
  readonly code?: string | undefined;
  readonly input?: unknown;
}

/** The messages of a rule. If a value has the right type but breaks the rule, the message is the rule alone. */
export function ruleError(rule: string, missing = `is required and ${rule}`) {
  return {
    error: ({ code, input }: RuleIssue): string => {
      if (input === undefined) return missing;
      const isOtherKind = code === 'invalid_type' || (code === 'invalid_value' && typeof input !== 'string');
      return isOtherKind ? wrongKind(rule, input) : rule;
    },
  };
}

/** An optional field. If the value is null, the message says to leave the field out. */
export function optional<Schema extends z.ZodMiniType>(schema: Schema): z.ZodMiniOptional<Schema> {
  const { def } = schema;
  const messageOf = def.error as z.core.$ZodErrorMap | undefined;
  const error: z.core.$ZodErrorMap = (issue) => {
    const message = messageOf?.(issue);
    return typeof message === 'string' ? withNullAdvice(message, issue.input) : message;
  };
  return z.optional(schema.clone({ ...def, error }));
}

/**
 * Reports a broken rule at a path within the value. The function does not throw, and can be called several times. The
 * return type is `never`, so that a conversion can end with `return refuse(…)`: zod ignores the value that is returned
 * after an issue was reported.
 */
export type Refuse = (
  message: string,
  at?: { readonly path?: readonly string[]; readonly params?: Readonly<Record<string, unknown>> },
) => never;

/** A rule that converts a checked value, or refuses it. */
export function transformed<Schema extends z.ZodMiniType, Output>(
  schema: Schema,
  convert: (value: z.output<Schema>, refuse: Refuse) => Output,
) {
  const conversion = z.transform((input: z.output<Schema>, { issues }): Output => {
    const refuse: Refuse = (message, { path = [], params } = {}) => {
      issues.push({ code: 'custom', input, message, path: [...path], params });
      return z.NEVER;
    };
    return convert(input, refuse);
  });
  return z.pipe(schema, conversion);
}

export const unknownField = 'unknown field';

export function objectError(example = '') {
  const { error } = ruleError(`must be an object${example && `, such as ${example}`}`);
  return {
    error: (issue: RuleIssue) => (issue.code === 'unrecognized_keys' ? unknownField : error(issue)),
  };
}

const wellFormedRule = 'must be well-formed Unicode: it contains half of a surrogate pair';

const wellFormed = z.refine<string>((value) => value.isWellFormed(), wellFormedRule);

/** Well-formed text. A lone surrogate has no UTF-8 form, so it would be signed and sent as a different character. */
export const text = z.string(ruleError('must be a string')).check(wellFormed);

export const identifier = text.check(z.minLength(1, 'must not be empty'));

/** Names an invisible character, with its code point. */
function invisible(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const kinds: Readonly<Record<string, string>> = {
    ' ': 'a space',
    '\t': 'a tab',
    '\n': 'a line break',
    '\r': 'a line break',
  };
  return `${kinds[character] ?? 'an invisible character'} (U+${code})`;
}

/** The problem of an ID or a key that is empty, or has an invisible character at its beginning or end. */
export function edgeProblem(value: string): string | undefined {
  if (value === '') return 'must not be empty';
  // The category Cf contains invisible characters, such as a zero-width space.
  const [first] = /^[\s\p{Cc}\p{Cf}]/u.exec(value) ?? [];
  const [last] = /[\s\p{Cc}\p{Cf}]$/u.exec(value) ?? [];
  const places = [
    ...(first === undefined ? [] : [`begin with ${invisible(first)}`]),
    ...(last === undefined ? [] : [`end with ${invisible(last)}`]),
  ];
  const advice = `remove ${places.length === 1 ? 'it' : 'both'}`;
  return places.length === 0 ? undefined : `must not ${places.join(' or ')}: ${advice}`;
}

/**
 * A rule for text that matches a pattern and passes a second check (by default: well-formed Unicode). `problem` is the
 * message if only the second check fails. The checks do not abort: after an abort, zod would skip the rules that
 * compare fields.
 */
export function patterned(
  pattern: RegExp,
  rule: string,
  passesSecondCheck = (value: string) => value.isWellFormed(),
  problem = wellFormedRule,
) {
  const passes = (value: string) => !pattern.test(value) || passesSecondCheck(value);
  return z.string(ruleError(rule)).check(z.regex(pattern, rule), z.refine(passes, problem));
}

export const boolean = z.boolean(ruleError('must be true or false'));

export function callback<T>(rule = 'must be a function') {
  return z.custom<T>((value) => typeof value === 'function', rule);
}

export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, ruleError(`must be ${listed(values)}`));
}

export function literal<const Value extends string>(value: Value) {
  return z.literal<Value>(value, ruleError(`must be ${listed([value])}`));
}

/** The advice about a number that breaks a rule, for each problem of the number. */
export type Advice = Readonly<Partial<Record<'has a fraction' | 'is negative', string>>>;

function numberMessage(rule: string, input: unknown, advice: Advice): string {
  if (typeof input === 'object' && input !== null && kindOf(input) !== 'an array')
    return `${rule}; got an object (a BigNumber? pass a number)`;
  const found = describeRefused(input);
  if (found === 'got a number') return rule;
  const message = input === undefined ? wrongKind(rule, input) : `${rule}; ${found}`;
  if (typeof input === 'string' || typeof input === 'bigint') return `${message}: pass a number`;
  const hint = advice[found as keyof Advice];
  return hint === undefined ? message : `${message}: ${hint}`;
}

export function numberError(rule: string, advice: Advice) {
  return { error: ({ input }: RuleIssue) => numberMessage(rule, input, advice) };
}

export function integerFrom(minimum: number, advice: Advice = {}) {
  const error = numberError(`must be an integer from ${minimum} to ${Number.MAX_SAFE_INTEGER}`, advice);
  return z.int({ ...error, abort: true }).check(z.gte(minimum, error));
}

/** A positive integer: a count, an amount of VND or a duration. */
export const positiveInteger = integerFrom(1);

export const wholeNumber = integerFrom(0);

export function numberFrom(minimum: number, maximum: number) {
  const rule = `must be a number from ${minimum} to ${maximum}`;
  return z.number(rule).check(z.gte(minimum, rule), z.lte(maximum, rule));
}

/**
 * The condition `when` of a rule that compares fields: the rule runs only if each of these fields is valid, so that it
 * never computes with a refused value.
 */
export function whenValid(...names: readonly string[]) {
  return ({ value, issues }: Pick<z.core.ParsePayload, 'value' | 'issues'>): boolean =>
    isRecord(value) && !issues.some(({ path }) => names.includes(String(path?.[0])));
}
