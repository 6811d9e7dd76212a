import type * as z from 'zod/mini';
import { knownHeaders } from '../../protocol/headers.js';
import { issuesOf, type ValidationIssue } from '../../protocol/issues.js';
import { issuesText } from '../../validation/broken-rules.js';
import { printable } from '../../values/texts.js';
import type { ResultStatus } from '../../protocol/result-statuses.js';
import { isTimestamp, requestForm } from '../../protocol/timestamps.js';
import type { Explain } from '../state/refused-requests.js';
import type { RegisteredMerchant } from './merchants.js';
import type { RequestContext } from './mock-context.js';

/** The result of a request that fails a check. Checks throw a refusal, so the first check that fails decides. */
export class Refusal extends Error {
  constructor(
    readonly resultStatus: ResultStatus,
    readonly resultMsg: string,
    readonly explain?: Explain,
  ) {
    super(resultMsg);
  }
}

/** Refuses a request unless a condition is met. @throws Refusal */
export function refuseUnless(
  isRight: unknown,
  resultStatus: ResultStatus,
  resultMsg: string,
): asserts isRight {
  if (!isRight) throw new Refusal(resultStatus, resultMsg);
}

/** Refuses a body that could not be read: `problem` is the reason. @throws Refusal if there is a problem */
export function refuseUnread(problem: string | undefined): void {
  if (problem !== undefined) throw new Refusal('INVALID_REQUEST', problem);
}

/** Refuses a request if any of its issues has this resultStatus. @throws Refusal */
export function refuseIssues(issues: readonly ValidationIssue[], resultStatus: ResultStatus): void {
  const matching = issues.filter((issue) => issue.resultStatus === resultStatus);
  refuseUnless(matching.length === 0, resultStatus, describeIssues(matching));
}

export function checkActive({ active }: RegisteredMerchant): void {
  refuseUnless(active, 'ACCESS_DENIED', 'The merchant is not active.');
}

export function describeIssues(issues: readonly ValidationIssue[]): string {
  return `${issuesText(issues, 'The body', 3)}.`;
}

const mostUnknownFields = 20;

/** Returns the broken rules of a body. Unknown fields are accepted and listed in the journal. */
export function brokenRules(
  schema: z.ZodMiniType,
  value: unknown,
  { entry }: RequestContext,
): ValidationIssue[] {
  const broken = schema.safeParse(value).error?.issues ?? [];
  const unknown = broken.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => fieldPath([...issue.path, key])) : [],
  );
  if (unknown.length > 0) entry.unknownFields = [...new Set(unknown)].slice(0, mostUnknownFields);
  return issuesOf({ issues: broken.filter(({ code }) => code !== 'unrecognized_keys') }, value, schema);
}

/**
 * Checks the shape of a merchant's request.
 *
 * @returns the broken rules whose resultStatus is not INVALID_REQUEST. All values then have the right types
 * @throws Refusal for a broken rule with the resultStatus INVALID_REQUEST
 */
export function checkShape(
  schema: z.ZodMiniType,
  value: unknown,
  context: RequestContext,
): readonly ValidationIssue[] {
  const issues = brokenRules(schema, value, context);
  // The maximum age of a request is not documented, so every valid time is accepted.
  refuseUnless(
    isTimestamp(context.request.header(knownHeaders.requestTime.name) ?? '', requestForm),
    'INVALID_REQUEST',
    'The Request-Time header must have the form YYYY-MM-DD hh:mm:ss, such as 2026-11-20 10:04:05.',
  );
  refuseIssues(issues, 'INVALID_REQUEST');
  return issues;
}

/**
 * Checks the IDs of the merchant, the store and the payment. The shape of the request must have been checked before.
 */
export function checkIds(
  { merchantId, storeId }: { readonly merchantId?: string; readonly storeId?: string },
  issues: readonly ValidationIssue[],
  merchant: RegisteredMerchant,
): void {
  const isOwn = merchantId === merchant.merchantId;
  refuseUnless(isOwn, 'INVALID_MERCHANT_ID', 'The merchantId does not belong to the client.');
  checkActive(merchant);
  refuseIssues(issues, 'INVALID_STORE_ID');
  const isOwnStore = storeId === undefined || merchant.storeIds.includes(storeId);
  refuseUnless(isOwnStore, 'INVALID_STORE_ID', 'The storeId does not belong to the merchant.');
  refuseIssues(issues, 'INVALID_REFERENCE_ID');
}

/** Writes a path such as `items[].sku`, without positions, so that a field of several items is listed once. */
function fieldPath(path: readonly PropertyKey[]): string {
  const joined = path.map((key) => (typeof key === 'number' ? '[]' : `.${String(key)}`)).join('');
  return printable(joined.replace(/^\./, '')).slice(0, 120);
}
