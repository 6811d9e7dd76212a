import type { ResultStatus } from '../../protocol/result-statuses.js';
import { issueText, type ValidationIssue } from '../../protocol/issues.js';
import type { CheckResult, HandlerResult } from './request-context.js';

const issuesInMessage = 3;

export function refusal(resultStatus: ResultStatus, resultMsg: string): HandlerResult {
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
