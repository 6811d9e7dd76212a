import type * as z from 'zod/mini';
import { unknownField } from '../../protocol/field-rules.js';
import { issuesOf, issueText, ownStatuses, printable, type ValidationIssue } from '../../protocol/issues.js';
import type { ResultStatus } from '../../protocol/result-statuses.js';
import type { OperationResult } from './operation-row.js';

/** The refusal of a request; undefined if it passes the check. */
export type CheckResult = OperationResult | undefined;

const issuesInMessage = 3;

export function refusal(resultStatus: ResultStatus, resultMsg: string): OperationResult {
  return { resultStatus, resultMsg };
}

/** One check, as a row of a chain of them. */
export function refusalUnless(isRight: boolean, resultStatus: ResultStatus, resultMsg: string): CheckResult {
  return isRight ? undefined : refusal(resultStatus, resultMsg);
}

/** The refusal for the issues of one status, or undefined when there are none. */
export function refusalFor(issues: readonly ValidationIssue[], resultStatus: ResultStatus): CheckResult {
  const own = issues.filter((issue) => issue.resultStatus === resultStatus);
  return own.length === 0 ? undefined : refusal(resultStatus, describeIssues(own));
}

export function describeIssues(issues: readonly ValidationIssue[]): string {
  const texts = issues.slice(0, issuesInMessage).map((issue) => issueText(issue, 'The body'));
  const more = issues.length - texts.length;
  return `${texts.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}

const mostUnknownFields = 20;

/** The rules that a merchant's request breaks, and its fields that no rule knows. Those are taken. */
export function checkFields(
  schema: z.ZodMiniType,
  value: unknown,
): { issues: readonly ValidationIssue[]; unknownFields: readonly string[] } {
  const { error } = schema.safeParse(value);
  if (!error) return { issues: [], unknownFields: [] };
  const issues = issuesOf(error, value, ownStatuses).filter(({ message }) => message !== unknownField);
  const paths = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [],
  );
  return { issues, unknownFields: [...new Set(paths.map(fieldPath))].slice(0, mostUnknownFields) };
}

/** A path such as `items[].sku`: a field is named once, whatever the number of items. */
function fieldPath(path: readonly PropertyKey[]): string {
  const joined = path.map((key) => (typeof key === 'number' ? '[]' : `.${String(key)}`)).join('');
  return printable(joined.replace(/^\./, '')).slice(0, 120);
}
