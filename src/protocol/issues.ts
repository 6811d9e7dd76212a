import type * as z from 'zod/mini';
import { brokenRules, type BrokenRule, type UnknownNames } from '../validation/broken-rules.js';
import { readProperty } from '../values/untrusted-values.js';
import { isResultStatus, type ResultStatus } from './result-statuses.js';

/** A broken rule of an input. */
export interface ValidationIssue {
  /** The field names and array positions, from the outside in; `['options', …]` for an option of the call. */
  readonly path: readonly (string | number)[];
  /** The broken rule. The message never quotes the value. */
  readonly message: string;
  /** The result status that the specification names for such a mistake, or `INVALID_REQUEST` if there is none. */
  readonly resultStatus: ResultStatus;
}

/** A parsed value, or every rule that the input breaks. */
export type Parsed<T> = { readonly value: T } | { readonly issues: readonly ValidationIssue[] };

/** A single broken rule for which the specification names no status. */
export function refusedAt(path: readonly string[], message: string): { readonly issues: ValidationIssue[] } {
  return { issues: [{ path, message, resultStatus: 'INVALID_REQUEST' }] };
}

/** The result status for a broken rule of the field at `path`, if the value of the field has this `type`. */
interface FieldStatus {
  readonly path: string;
  readonly type: 'string' | 'number';
  readonly resultStatus: ResultStatus;
}

/** The statuses for the fields of all requests: a path has the same meaning in each request. */
const fieldStatuses: readonly FieldStatus[] = [
  { path: 'referenceId', type: 'string', resultStatus: 'INVALID_REFERENCE_ID' },
  { path: 'amount.value', type: 'number', resultStatus: 'INVALID_AMOUNT' },
  { path: 'customer.phoneNumber', type: 'string', resultStatus: 'PHONE_NUMBER_INVALID' },
  { path: 'storeId', type: 'string', resultStatus: 'INVALID_STORE_ID' },
];

/** The result status that the rule names, or the status of its field, or INVALID_REQUEST if there is neither. */
function statusOf({ path, isUnknownName, ruleFacts }: BrokenRule, input: unknown): ResultStatus {
  if (isUnknownName) return 'INVALID_REQUEST';
  const { resultStatus: named } = ruleFacts;
  if (typeof named === 'string' && isResultStatus(named)) return named;
  const name = path.join('.');
  const fieldStatus = fieldStatuses.find((status) => status.path === name);
  if (!fieldStatus) return 'INVALID_REQUEST';
  const value = path.reduce(readProperty, input);
  return typeof value === fieldStatus.type ? fieldStatus.resultStatus : 'INVALID_REQUEST';
}

/** Every issue of a failed parse, with its result status. */
export function issuesOf(
  error: Pick<z.core.$ZodError, 'issues'>,
  input: unknown,
  schema: z.ZodMiniType,
  names?: UnknownNames,
): ValidationIssue[] {
  return brokenRules(error, schema, names).map((broken) => {
    const { path, message } = broken;
    return { path, message, resultStatus: statusOf(broken, input) };
  });
}

export function parseWith<T>(schema: z.ZodMiniType<T>, input: unknown, names?: UnknownNames): Parsed<T> {
  const result = schema.safeParse(input);
  return result.success ? { value: result.data } : { issues: issuesOf(result.error, input, schema, names) };
}
