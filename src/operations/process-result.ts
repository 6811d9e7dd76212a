import { resultErrorClasses, shownStatus, UnknownResultError } from '../errors/result-errors.js';
import type { AttemptResult, Failed } from '../http/attempt-result.js';
import { byHttpStatus, lostResponse, readJson, unexpectedResponse } from '../http/response.js';
import type { WireResponse } from '../http/transport.js';
import type { MerchantOperation } from '../protocol/endpoints.js';
import { isRecord } from '../values/untrusted-values.js';
import { errorStatusInfo, isErrorStatus } from '../protocol/result-statuses.js';

export interface ExpectedResult<T> {
  readonly operation: MerchantOperation;
  readonly referenceId: string;
  /** As it was sent; undefined for an upload, whose response does not have it. */
  readonly merchantId: string | undefined;
  /** Whether the same request was sent before this call, by the caller's word. */
  readonly mayHaveBeenSent: boolean | undefined;
  /** The result in an approved answer, or its problem. */
  readonly read: (approved: Record<string, unknown>) => { readonly value: T } | { readonly problem: string };
}

const final = { outcome: 'unknown', transient: false } as const;

/** True if a field of the response has another value than was sent. */
function isAnother(received: unknown, sent: string | undefined, mayBeEmpty: boolean): boolean {
  if (sent === undefined || received === undefined || received === null) return false;
  return received !== sent && !(received === '' && mayBeEmpty);
}

/** Judges the response to a merchant's operation (specification: Errors). */
export function processResult<T>(response: WireResponse, expected: ExpectedResult<T>): AttemptResult<T> {
  const read = readJson(response);
  if (!('json' in read)) return read;
  const { json } = read;
  if (!isRecord(json)) {
    const problem = 'the response is not a JSON object';
    // Only an object proves that it is complete.
    return response.bodyState === 'whole' ? byHttpStatus(response, problem) : lostResponse(response, problem);
  }
  const { resultStatus } = json;
  const mayBeEmpty = resultStatus !== 'APPROVED';
  const another = (['referenceId', 'merchantId'] as const).find((name) =>
    isAnother(json[name], expected[name], mayBeEmpty),
  );
  if (another) return unexpectedResponse(response, `the response is for another ${another}`, final);
  if (typeof resultStatus !== 'string' || resultStatus === '') {
    const isMissing = resultStatus === undefined;
    const problem = isMissing
      ? 'the response has no resultStatus'
      : 'resultStatus is not a string, or is empty';
    return byHttpStatus(response, problem);
  }
  if (resultStatus !== 'APPROVED') return refused(response, json, resultStatus, expected);
  const result = expected.read(json);
  if ('problem' in result) {
    return { ...unexpectedResponse(response, result.problem, final), resultStatus };
  }
  return { outcome: 'accepted', value: result.value, httpStatus: response.httpStatus, resultStatus };
}

function refused(
  { httpStatus, retryAfter }: WireResponse,
  body: Record<string, unknown>,
  resultStatus: string,
  { operation, mayHaveBeenSent }: ExpectedResult<unknown>,
): Failed {
  const resultMsg = typeof body['resultMsg'] === 'string' ? body['resultMsg'] : '';
  const answer = { httpStatus, retryAfter };
  if (!isErrorStatus(resultStatus)) {
    const shown = shownStatus(resultStatus);
    return {
      ...final,
      ...answer,
      ...(shown !== undefined && { resultStatus: shown }),
      description: 'undocumented resultStatus',
      toError: (init) => new UnknownResultError(resultStatus, { ...init, resultMsg }),
    };
  }
  const { outcome, retried } = errorStatusInfo(operation, resultStatus);
  const ErrorClass = resultErrorClasses[resultStatus];
  // The answer is taken to mean that a payment exists, and only the caller can know that it is not theirs.
  const isOfAnother = resultStatus === 'DUPLICATE_REFERENCE_ID' && mayHaveBeenSent === false;
  return {
    outcome: isOfAnother ? 'rejected' : outcome,
    transient: retried,
    ...answer,
    resultStatus,
    description: resultStatus,
    toError: (init) => new ErrorClass(operation, { ...init, resultMsg }),
  };
}
