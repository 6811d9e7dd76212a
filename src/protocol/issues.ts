import type * as z from 'zod/mini';
import { isResultStatus, type ResultStatus } from './result-statuses.js';
import { unknownField } from './field-rules.js';
import { namesAt } from './known-names.js';
import { unicodeEscape } from '../values/encodings.js';
import { didYouMean } from '../values/nearest-word.js';
import { readProperty } from '../values/untrusted-values.js';

/** One broken rule of an input. */
export interface ValidationIssue {
  /** Field names and array positions, from the request inwards; `['options', …]` for a per-call option. */
  readonly path: readonly (string | number)[];
  /** The rule that is broken. It never quotes the value. */
  readonly message: string;
  /** The result status that the specification names for such a mistake; `INVALID_REQUEST` where it names none. */
  readonly resultStatus: ResultStatus;
}

/** A parsed value, or every rule that the input breaks. */
export type Parsed<T> = { readonly value: T } | { readonly issues: readonly ValidationIssue[] };

/** One broken rule, which the specification names no status for. */
export function refusedAt(path: readonly string[], message: string): { readonly issues: ValidationIssue[] } {
  return { issues: [{ path, message, resultStatus: 'INVALID_REQUEST' }] };
}

/** A field whose broken rule has its own result status, for a value of this type. */
interface OwnStatus {
  readonly path: string;
  readonly type: 'string' | 'number';
  readonly resultStatus: ResultStatus;
}

/** The fields of all requests together: a path means the same in each of them. */
const ownStatuses: readonly OwnStatus[] = [
  { path: 'referenceId', type: 'string', resultStatus: 'INVALID_REFERENCE_ID' },
  { path: 'amount.value', type: 'number', resultStatus: 'INVALID_AMOUNT' },
  { path: 'customer.phoneNumber', type: 'string', resultStatus: 'PHONE_NUMBER_INVALID' },
  { path: 'storeId', type: 'string', resultStatus: 'INVALID_STORE_ID' },
];

// At most four digits in a row, as in a position: a phone number or a token has more.
const fieldNameShape = /^(?!.*\d{5})[\w$-]{0,40}$/;

/** A key for a message; hidden unless it looks like the name of a field, because it may be data. */
function shownKey(key: string): string {
  return fieldNameShape.test(key) ? key : '[redacted]';
}

function pathOf(path: readonly PropertyKey[]): (string | number)[] {
  return path.map((key) => (typeof key === 'number' ? key : shownKey(String(key))));
}

/** The status of the rule, else of the field, else INVALID_REQUEST. */
function statusOf(issue: z.core.$ZodIssue, path: readonly (string | number)[], input: unknown): ResultStatus {
  const named: unknown = issue.code === 'custom' ? issue.params?.['resultStatus'] : undefined;
  if (typeof named === 'string' && isResultStatus(named)) return named;
  const name = path.join('.');
  const own = ownStatuses.find((status) => status.path === name);
  return own?.type === typeof path.reduce(readProperty, input) ? own.resultStatus : 'INVALID_REQUEST';
}

/** How unknown names are reported: as an unknown field or another word, and where else a field may go. */
interface UnknownNames {
  readonly word?: string;
  readonly hint?: string | undefined;
}

/** A suggestion is looked for among all known names: a flood of unknown ones would block the event loop. */
const mostSuggestions = 20;

/** Every issue of a failed parse. Each unknown field is an issue; the first twenty name the field that was probably meant. */
export function issuesOf(
  error: Pick<z.core.$ZodError, 'issues'>,
  input: unknown,
  schema: z.ZodMiniType,
  { word = unknownField, hint = '' }: UnknownNames = {},
): ValidationIssue[] {
  /** By the name and its place. The same name in each element of an array is one. */
  const suggestions = new Map<string, string>();
  const suggestionFor = (path: readonly (string | number)[], key: string): string => {
    const place = [...path.filter((part) => typeof part === 'string'), key].join('.');
    const found = suggestions.get(place);
    if (found !== undefined || suggestions.size === mostSuggestions) return found ?? '';
    const meant = didYouMean(key, namesAt(schema, path) ?? []);
    suggestions.set(place, meant);
    return meant;
  };
  return error.issues.flatMap((issue): ValidationIssue[] => {
    const path = pathOf(issue.path);
    if (issue.code !== 'unrecognized_keys')
      return [{ path, message: issue.message, resultStatus: statusOf(issue, path, input) }];
    // Nothing can be added to an element of an array.
    const isInArray = path.some((key) => typeof key === 'number');
    return issue.keys.map((key) => {
      const meant = suggestionFor(path, shownKey(key));
      const sentence = hint === '' || isInArray ? '' : `${meant === '' ? '.' : ''} ${hint}`;
      const message = `${word}${meant}${sentence}`;
      return { path: [...path, shownKey(key)], message, resultStatus: 'INVALID_REQUEST' };
    });
  });
}

/** The first issues in one line: `items[3].price: must be …; and 2 more`; `whole` stands for an empty path. */
export function issuesText(
  issues: readonly ValidationIssue[],
  whole: string,
  most: number,
  others = 'more',
): string {
  const texts = issues.slice(0, most).map(({ path, message }) => `${pathText(path) || whole}: ${message}`);
  const left = issues.length - texts.length;
  return `${texts.join('; ')}${left > 0 ? `; and ${left} ${others}` : ''}`;
}

/** Parses an input with a schema. */
export function parseWith<T>(schema: z.ZodMiniType<T>, input: unknown, names?: UnknownNames): Parsed<T> {
  const result = schema.safeParse(input);
  return result.success ? { value: result.data } : { issues: issuesOf(result.error, input, schema, names) };
}

/** A path such as `items[3].price`, cut if it is long. */
export function pathText(path: readonly (string | number)[]): string {
  const shown = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${shownKey(key)}`)).join('');
  const written = shown.replace(/^\./, '');
  return written.length > 120 ? `${written.slice(0, 120)}…` : written;
}

/** Escapes control characters and line separators: the text fits on one line of a log. */
export function printable(value: string): string {
  return value.replace(/[\p{Cc}\u2028\u2029]/gu, unicodeEscape);
}
