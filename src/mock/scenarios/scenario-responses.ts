import { isErrorStatus, type ErrorStatus } from '../../protocol/result-statuses.js';
import type { ScriptedResponse } from '../common/scripted-response.js';
import type { Scenario } from './scenario.js';

/** The values of `repeat` with which the service does not act again. */
type RepeatWithoutAct = Exclude<Scenario['repeat'], 'another'>;

const repeatResponses: Readonly<Record<RepeatWithoutAct, ScriptedResponse | undefined>> = {
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

// The service is busy for longer than the retries of one call of the client take, so that the next click of a customer
// gets the busy response too.
const busyMs = 3000;

/**
 * The response to a request whose Idempotency-Key was used before. `sinceFirstMs` is the time since the first request
 * with this key. Returns undefined if the stored response is sent again.
 */
export function repeatResponse(repeat: RepeatWithoutAct, sinceFirstMs: number): ScriptedResponse | undefined {
  return repeat === 'busy' && sinceFirstMs >= busyMs ? undefined : repeatResponses[repeat];
}

/** The response that replaces the approval of a created payment; undefined if the approval is sent. */
export const firstResponses: Readonly<Record<Scenario['firstResponse'], ScriptedResponse | undefined>> = {
  approved: undefined,
  processing: { resultStatus: 'REQUEST_PROCESSING', resultMsg: 'The request is being processed.' },
};

// Every other status has HTTP 422.
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

/** The HTTP status of a response to a merchant. An undocumented resultStatus, which a script can set, has HTTP 200. */
export function httpStatusOf(refusals: Scenario['refusals'], resultStatus: string | undefined): number {
  if (resultStatus === undefined || !isErrorStatus(resultStatus)) return 200;
  if (typeof refusals === 'object') return refusals[resultStatus] ?? 200;
  return refusals === 'by-kind' ? (statusesByKind[resultStatus] ?? 422) : 200;
}

/** Undocumented fields: text, a number, null, an array and an object. */
const undocumented = {
  resultCode: 0,
  traceId: '5f2c9a',
  promotion: null,
  warnings: [],
  _links: { self: { href: '/v2/payments' } },
};

/** The fields of a response to a merchant. */
export const responseFields: Readonly<Record<Scenario['responses'], (response: object) => object>> = {
  full: (response) => response,
  sparse: (response) =>
    Object.fromEntries(
      Object.entries(response).filter(([name]) => ['resultStatus', 'paymentUrl'].includes(name)),
    ),
  extra: (response) => ({ ...response, ...undocumented }),
};
