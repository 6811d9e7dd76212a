import type * as z from 'zod/mini';
import { knownHeaders } from '../../protocol/headers.js';
import { issuesOf, issueText, printable, type ValidationIssue } from '../../protocol/issues.js';
import type { ResultStatus } from '../../protocol/result-statuses.js';
import { isRequestTime } from '../../protocol/timestamps.js';
import type { Explain } from '../diagnosis/refused-requests.js';
import type { IncomingRequest } from '../common/exchange.js';
import type { RegisteredMerchant } from './merchants.js';

/** The result of a request that fails a check. The checks throw it, so that the first that fails answers. */
export class Refusal extends Error {
  constructor(
    readonly resultStatus: ResultStatus,
    readonly resultMsg: string,
    readonly explain?: Explain,
  ) {
    super(resultMsg);
  }
}

/** One check. @throws Refusal */
export function refuseUnless(
  isRight: unknown,
  resultStatus: ResultStatus,
  resultMsg: string,
): asserts isRight {
  if (!isRight) throw new Refusal(resultStatus, resultMsg);
}

/** Refuses a body that could not be read. */
export function refuseUnread(problem: string | undefined): void {
  if (problem !== undefined) throw new Refusal('INVALID_REQUEST', problem);
}

/** Refuses a request for the issues of one status. */
export function refuseIssues(issues: readonly ValidationIssue[], resultStatus: ResultStatus): void {
  const own = issues.filter((issue) => issue.resultStatus === resultStatus);
  refuseUnless(own.length === 0, resultStatus, describeIssues(own));
}

/** How old a request may be is not documented, so every real moment passes. */
export function checkRequestTime(request: IncomingRequest): void {
  refuseUnless(
    isRequestTime(request.header(knownHeaders.requestTime.name) ?? ''),
    'INVALID_REQUEST',
    'The Request-Time header must have the form YYYY-MM-DD hh:mm:ss, such as 2026-11-20 10:04:05.',
  );
}

export function checkMerchant(merchantId: string | undefined, merchant: RegisteredMerchant): void {
  const isOwn = merchantId === merchant.merchantId;
  refuseUnless(isOwn, 'INVALID_MERCHANT_ID', 'The merchantId does not belong to the client.');
  checkActive(merchant);
}

export function checkActive({ active }: RegisteredMerchant): void {
  refuseUnless(active, 'ACCESS_DENIED', 'The merchant is not active.');
}

export function checkStore(storeId: string, { storeIds }: RegisteredMerchant): void {
  const isOwn = storeIds.includes(storeId);
  refuseUnless(isOwn, 'INVALID_STORE_ID', 'The storeId is not a store of the merchant.');
}

const issuesInMessage = 3;

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
): { issues: readonly ValidationIssue[]; unknownFields?: readonly string[] } {
  const { error } = schema.safeParse(value);
  if (!error) return { issues: [] };
  const broken = error.issues.filter(({ code }) => code !== 'unrecognized_keys');
  const issues = issuesOf({ issues: broken }, value, schema);
  const paths = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [],
  );
  if (paths.length === 0) return { issues };
  return { issues, unknownFields: [...new Set(paths.map(fieldPath))].slice(0, mostUnknownFields) };
}

/** A path such as `items[].sku`: a field is named once, whatever the number of items. */
function fieldPath(path: readonly PropertyKey[]): string {
  const joined = path.map((key) => (typeof key === 'number' ? '[]' : `.${String(key)}`)).join('');
  return printable(joined.replace(/^\./, '')).slice(0, 120);
}
