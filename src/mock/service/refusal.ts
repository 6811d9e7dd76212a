import type { ResultStatus } from '../../protocol/result-status.js';
import { pathText, type ValidationIssue } from '../../protocol/validation.js';
import type { Diagnosis } from '../diagnosis/types.js';

/** The service's no, before it has the shape of an answer. */
export interface Refusal {
  readonly resultStatus: ResultStatus;
  readonly resultMsg: string;
  readonly diagnosis?: Diagnosis;
}

export function refusal(resultStatus: ResultStatus, resultMsg: string): Refusal {
  return { resultStatus, resultMsg };
}

const issuesInMessage = 3;

/** The refusal for issues of one status, or undefined where there are none. */
export function refusalFor(
  issues: readonly ValidationIssue[],
  resultStatus: ResultStatus,
): Refusal | undefined {
  const own = issues.filter((issue) => issue.resultStatus === resultStatus);
  return own.length === 0 ? undefined : refusal(resultStatus, textOf(own));
}

/** Issues in words, the first few of them. */
export function textOf(issues: readonly ValidationIssue[]): string {
  const texts = issues
    .slice(0, issuesInMessage)
    .map(({ path, message }) => `${pathText(path) || 'The body'} ${message}`);
  const more = issues.length - texts.length;
  return `${texts.join('; ')}${more > 0 ? `; and ${String(more)} more` : ''}.`;
}
