import type * as z from 'zod';
import { isResultStatus, type ResultStatus } from './result-status.js';
import { printable, unknownField } from './text.js';

/** One broken rule of an input. */
export interface ValidationIssue {
  /** Where: field names and array positions, from the request inwards; `['options', …]` for a per-call option. */
  readonly path: readonly (string | number)[];
  /** What the rule asks for. It never quotes the value. */
  readonly message: string;
  /** The result status that the specification names for such a mistake; `INVALID_REQUEST` where it names none. */
  readonly resultStatus: ResultStatus;
}

/** Something parsed, or every rule that it breaks. */
export type Parsed<T> = { readonly value: T } | { readonly issues: readonly ValidationIssue[] };

/** A field whose broken rule has a result status of its own, as long as the value has this type. */
export interface OwnStatus {
  readonly path: string;
  readonly type: 'string' | 'number';
  readonly resultStatus: ResultStatus;
}

/** The value at a path, or undefined where the path leads nowhere. */
function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    input,
  );
}

function pathOf(path: readonly PropertyKey[]): (string | number)[] {
  return path.map((key) => (typeof key === 'symbol' ? String(key) : key));
}

/** The status of a rule: the rule's own, the field's own, else that of any malformed request. */
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

/** Every issue of a failed parse, one per field: unknown fields are named one by one. */
export function issuesOf(
  error: z.core.$ZodError,
  input: unknown,
  ownStatuses: readonly OwnStatus[] = [],
): ValidationIssue[] {
  return error.issues.flatMap((issue): ValidationIssue[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        path: [...pathOf(issue.path), key],
        message: unknownField,
        resultStatus: 'INVALID_REQUEST',
      }));
    }
    const path = pathOf(issue.path);
    return [{ path, message: issue.message, resultStatus: statusOf(issue, path, input, ownStatuses) }];
  });
}

/** `items[3].price`: a path as a developer would write it, cut where a hostile key is long. */
export function pathText(path: readonly (string | number)[]): string {
  const written = printable(
    path
      .map((key, index) => (typeof key === 'number' ? `[${String(key)}]` : index === 0 ? key : `.${key}`))
      .join(''),
  );
  return written.length > 120 ? `${written.slice(0, 120)}…` : written;
}
