import { shownStatus } from '../errors/foreign-errors.js';
import type { Failure } from '../errors/failure.js';
import type { AttemptResult } from '../http/failures.js';
import {
  incompleteResponse,
  readJson,
  unexpectedResponse,
  unknownAndFinal,
  responseWithoutResult,
} from '../http/response.js';
import type { WireResponse } from '../http/transport.js';
import type { MerchantOperation } from '../protocol/endpoints.js';
import { isRecord } from '../values/untrusted-values.js';
import { errorStatusInfo, isErrorStatus } from '../protocol/result-statuses.js';

export interface ExpectedResult {
  readonly operation: MerchantOperation;
  readonly referenceId: string;
  /** The `merchantId` as it was sent; absent for an upload, whose response does not contain it. */
  readonly merchantId?: string | undefined;
  /** Returns the problem of an approved response, such as a missing paymentUrl; undefined if there is no problem. */
  readonly problemOfApproved?: (approved: Record<string, unknown>) => string | undefined;
}

/**
 * True if a field of the response differs from the value that was sent. A field that is missing does not differ. With
 * `canBeEmpty` (for every status except APPROVED), an empty field does not differ either.
 */
function differsFromSent(received: unknown, sent: string | undefined, canBeEmpty: boolean): boolean {
  if (sent === undefined || received === undefined || received === null) return false;
  return received !== sent && !(received === '' && canBeEmpty);
}

/** Judges the response to a merchant's operation (specification: Errors). An approved response is not changed. */
export function judgeResult<T>(response: WireResponse, expected: ExpectedResult): AttemptResult<T> {
  const read = readJson(response);
  if (!read.ok) return read.problem;
  const { value: json } = read;
  if (!isRecord(json)) {
    const problem = 'the response is not a JSON object';
    // If the response is provably complete, it contains no result, and its HTTP status decides. If not, the result may
    // be in the part that is missing.
    return response.bodyState === 'whole'
      ? responseWithoutResult(response, problem)
      : incompleteResponse(response, problem);
  }
  const { resultStatus } = json;
  const canBeEmpty = resultStatus !== 'APPROVED';
  const differentField = (['referenceId', 'merchantId'] as const).find((name) =>
    differsFromSent(json[name], expected[name], canBeEmpty),
  );
  if (differentField)
    return unexpectedResponse(response, `the response is for a different ${differentField}`, unknownAndFinal);
  if (typeof resultStatus !== 'string' || resultStatus === '') {
    const isMissing = resultStatus === undefined;
    const problem = isMissing
      ? 'the response has no resultStatus'
      : 'resultStatus is not a string, or is empty';
    return responseWithoutResult(response, problem);
  }
  if (resultStatus !== 'APPROVED') return failureOfStatus(json, resultStatus, expected.operation);
  const problem = expected.problemOfApproved?.(json);
  if (problem === undefined) return { outcome: 'accepted', value: json as T, resultStatus };
  const failure = unexpectedResponse(response, problem, unknownAndFinal);
  return { ...failure, facts: { ...failure.facts, resultStatus } };
}

function failureOfStatus(
  body: Record<string, unknown>,
  resultStatus: string,
  operation: MerchantOperation,
): Failure {
  const resultMsg = typeof body['resultMsg'] === 'string' ? body['resultMsg'] : '';
  const facts = { resultStatus, resultMsg };
  if (!isErrorStatus(resultStatus)) {
    const problem = `the result status (${shownStatus(resultStatus) ?? 'not shown'}) is not documented`;
    const summary = 'undocumented resultStatus';
    return { ...unknownAndFinal, code: 'UNKNOWN_RESULT', problem, facts: { ...facts, summary } };
  }
  const { outcome, retryable, meaning } = errorStatusInfo(operation, resultStatus);
  return {
    code: resultStatus,
    outcome,
    transient: retryable,
    problem: resultStatus,
    meaning,
    facts: { ...facts, summary: resultStatus },
  };
}
