import { isErrorStatus } from '../../../protocol/result-statuses.js';
import { isRefused, type Answered, type Transcript } from './transcript.js';

/** The refusals with a resultStatus. */
export function refusalsOf(transcript: Transcript): Answered[] {
  return transcript.filter(isRefused).filter(({ response }) => response.resultStatus !== undefined);
}

/**
 * The HTTP status of each documented resultStatus that was refused with a status other than 200. A resultStatus with
 * two HTTP statuses is left out.
 */
export function settableStatuses(refusals: readonly Answered[]): Record<string, number> {
  const seen = new Map<string, Set<number>>();
  for (const { response } of refusals) {
    const { resultStatus = '', httpStatus } = response;
    seen.set(resultStatus, (seen.get(resultStatus) ?? new Set()).add(httpStatus));
  }
  return Object.fromEntries(
    [...seen].flatMap(([resultStatus, [status = 200, ...others]]) =>
      status === 200 || others.length > 0 || !isErrorStatus(resultStatus) ? [] : [[resultStatus, status]],
    ),
  );
}

const byKind: Readonly<Record<string, readonly number[]>> = {
  INVALID_SIGNATURE: [401, 403],
  INVALID_CLIENT_ID: [401, 403],
  ACCESS_DENIED: [401, 403],
  INVALID_REQUEST: [400, 422],
  DUPLICATE_REFERENCE_ID: [409],
  ERROR_GENERAL: [500],
};

/** The relation of a refusal's HTTP status to its resultStatus, in the values of the mock's scenario `refusals`. */
export function refusalsKind(refusals: readonly Answered[]): 200 | 'by-kind' | 'other' {
  if (refusals.every(({ response }) => response.httpStatus === 200)) return 200;
  const isByKind = ({ response: { resultStatus = '', httpStatus } }: Answered) =>
    byKind[resultStatus]?.includes(httpStatus) ?? (httpStatus >= 400 && httpStatus < 500);
  return refusals.every(isByKind) ? 'by-kind' : 'other';
}
