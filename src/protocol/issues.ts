import type * as z from 'zod';
import { isResultStatus, type ResultStatus } from './result-statuses.js';
import { unknownField } from './field-rules.js';
import { unicodeEscape } from './encodings.js';
import { readProperty } from './untrusted-values.js';

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

/** A field whose broken rule has its own result status, for a value of this type. */
export interface OwnStatus {
  readonly path: string;
  readonly type: 'string' | 'number';
  readonly resultStatus: ResultStatus;
}

// At most four digits in a row, as in a position: a phone number or a token has more.
const fieldNameShape = /^(?!.*\d{5})[\w$-]{0,40}$/;

/** A key for a message; hidden unless it looks like the name of a field, because it may be data. */
function shownKey(key: string): string {
  return fieldNameShape.test(key) ? key : '[redacted]';
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce(readProperty, input);
}

function pathOf(path: readonly PropertyKey[]): (string | number)[] {
  return path.map((key) => (typeof key === 'symbol' ? String(key) : key));
}

/** The status of the rule, else of the field, else INVALID_REQUEST. */
function statusOf(
  issue: z.core.$ZodIssue,
  path: readonly (string | number)[],
  input: unknown,
  ownStatuses: readonly OwnStatus[],
): ResultStatus {
  const named: unknown = issue.code === 'custom' ? issue.params?.['resultStatus'] : undefined;
  if (typeof named === 'string' && isResultStatus(named)) return named;
  const name = path.join('.');
  const own = ownStatuses.find((status) => status.path === name);
  return own?.type === typeof valueAt(input, path) ? own.resultStatus : 'INVALID_REQUEST';
}

/** Every issue of a failed parse; each unknown field is an issue. */
export function issuesOf(
  error: z.core.$ZodError,
  input: unknown,
  ownStatuses: readonly OwnStatus[] = [],
): ValidationIssue[] {
  return error.issues.flatMap((issue): ValidationIssue[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        path: [...pathOf(issue.path), shownKey(key)],
        message: unknownField,
        resultStatus: 'INVALID_REQUEST',
      }));
    }
    const path = pathOf(issue.path);
    return [{ path, message: issue.message, resultStatus: statusOf(issue, path, input, ownStatuses) }];
  });
}

/** An issue in one line: `items[3].price: must be …`; `whole` stands for an empty path. */
export function issueText({ path, message }: ValidationIssue, whole: string): string {
  return `${pathText(path) || whole}: ${message}`;
}

/** Parses an input with a schema. */
export function parseWith<T>(
  schema: z.ZodType<T>,
  input: unknown,
  ownStatuses?: readonly OwnStatus[],
): Parsed<T> {
  const result = schema.safeParse(input);
  return result.success ? { value: result.data } : { issues: issuesOf(result.error, input, ownStatuses) };
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
