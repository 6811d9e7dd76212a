import { isErrorStatus, type ErrorStatus } from '../../protocol/result-statuses.js';
import type { ScriptedAnswer } from '../common/scripted-answer.js';
import type { World } from './dimensions.js';

type AnsweredRepeat = Exclude<World['repeat'], 'another'>;

const repeatAnswers: Readonly<Record<AnsweredRepeat, ScriptedAnswer | undefined>> = {
  replay: undefined,
  duplicate: { resultStatus: 'DUPLICATE_REFERENCE_ID', resultMsg: 'The referenceId was used before.' },
  invalid: { resultStatus: 'INVALID_REQUEST', resultMsg: 'The Idempotency-Key was used before.' },
  conflict: { httpStatus: 409, body: { error: 'Conflict', message: 'The Idempotency-Key was used before.' } },
  processing: {
    resultStatus: 'REQUEST_PROCESSING',
    resultMsg: 'The request was already processed or is in progress.',
  },
  busy: { resultStatus: 'REQUEST_PROCESSING', resultMsg: 'The request is in progress.', httpStatus: 422 },
};

const busyMs = 1500;

/** The answer to a request under a known key, so long after the first; undefined gives the stored one again. */
export function repeatAnswer(repeat: AnsweredRepeat, sinceFirstMs: number): ScriptedAnswer | undefined {
  return repeat === 'busy' && sinceFirstMs >= busyMs ? undefined : repeatAnswers[repeat];
}

/** The first answer to a request that has created a payment; undefined for its approval. */
export const firstAnswers: Readonly<Record<World['firstAnswer'], ScriptedAnswer | undefined>> = {
  approved: undefined,
  processing: { resultStatus: 'REQUEST_PROCESSING', resultMsg: 'The request is being processed.' },
};

// Of every other status 422.
const statusesByKind: Readonly<Partial<Record<ErrorStatus, number>>> = {
  INVALID_REQUEST: 400,
  INVALID_CLIENT_ID: 401,
  INVALID_SIGNATURE: 401,
  ACCESS_DENIED: 403,
  INVALID_MERCHANT_ID: 403,
  INVALID_API: 404,
  INVALID_HTTP_METHOD: 405,
  DUPLICATE_REFERENCE_ID: 409,
  REQUEST_PROCESSING: 409,
  FILE_TOO_LARGE: 413,
  ERROR_GENERAL: 500,
  DOWNSTREAM_ERROR: 502,
};

/** The HTTP status of an answer to a merchant, documented or scripted. */
export function httpStatusOf(refusals: World['refusals'], resultStatus: string | undefined): number {
  if (resultStatus === undefined || !isErrorStatus(resultStatus)) return 200;
  if (typeof refusals === 'object') return refusals[resultStatus] ?? 200;
  return refusals === 'by-kind' ? (statusesByKind[resultStatus] ?? 422) : 200;
}

/** Fields that nobody documented: text, a number, null, an array, and an object. */
const undocumented = {
  resultCode: 0,
  traceId: '5f2c9a',
  promotion: null,
  warnings: [],
  _links: { self: { href: '/v2/payments' } },
};

/** The fields of a response to a merchant. */
export const answerFields: Readonly<Record<World['answers'], (answer: object) => object>> = {
  full: (answer) => answer,
  sparse: (answer) =>
    Object.fromEntries(
      Object.entries(answer).filter(([name]) => ['resultStatus', 'paymentUrl'].includes(name)),
    ),
  extra: (answer) => ({ ...answer, ...undocumented }),
};
