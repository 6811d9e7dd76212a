import { isRefused, type Answered, type Transcript } from './transcript.js';

/** Refusals that are no answers to a repeat: those have words and a status of their own. */
export function refusalsOf(transcript: Transcript): Answered[] {
  return transcript.filter(isRefused).filter(({ request, response, number }) => {
    const isRepeat = transcript.some(
      ({ request: { idempotencyKey }, number: other }) =>
        idempotencyKey !== undefined && idempotencyKey === request.idempotencyKey && other !== number,
    );
    return response.resultStatus !== undefined && !isRepeat;
  });
}

/** The HTTP status of each resultStatus; one that was seen under two is left out. */
export function statusesOf(refusals: readonly Answered[]): Record<string, number> {
  const seen = new Map<string, Set<number>>();
  for (const { response } of refusals) {
    const { resultStatus = '', httpStatus } = response;
    seen.set(resultStatus, (seen.get(resultStatus) ?? new Set()).add(httpStatus));
  }
  return Object.fromEntries(
    [...seen].flatMap(([resultStatus, [status = 0, ...others]]) =>
      others.length > 0 ? [] : [[resultStatus, status]],
    ),
  );
}

const byKind: Readonly<Record<string, readonly number[]>> = {
  INVALID_SIGNATURE: [401, 403],
  INVALID_CLIENT_ID: [401, 403],
  INVALID_REQUEST: [400, 422],
};

/** How the HTTP status of a refusal depends on its resultStatus, as the world of the mock has it. */
export function refusalsKind(statuses: Readonly<Record<string, number>>): 200 | 'by-kind' | 'other' {
  const seen = Object.entries(statuses);
  if (seen.every(([, status]) => status === 200)) return 200;
  const isByKind = ([name, status]: readonly [string, number]) =>
    byKind[name]?.includes(status) ?? (status >= 400 && status < 500);
  return seen.every(isByKind) ? 'by-kind' : 'other';
}
