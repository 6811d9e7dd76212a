import type { WithMetadata } from '../errors/call-metadata.js';
import { textsOf } from '../errors/redact.js';
import type { AttemptResult } from '../http/attempt-result.js';
import type { Call } from '../http/call.js';
import { byHttpStatus, isCompleteJson, isSuccessStatus, lostResponse, readJson } from '../http/response.js';
import type { WireResponse } from '../http/transport.js';
import { postOptionRules, type PostOptions } from '../options/call-options.js';
import { JsonProblem, jsonTextOf } from '../protocol/json-text.js';
import { refusedAt, type Parsed } from '../protocol/issues.js';
import { toUrl } from '../protocol/urls.js';
import { allOrThrow, parseCallOptions } from './parse-input.js';
import { runCall } from './run-call.js';
import { signedJsonCall, startCall, type MerchantContext } from './signed-call.js';

/** The answer to `post`. */
export interface PostAnswer {
  /** HTTP status of the answer, 2xx. */
  httpStatus: number;
  /** The parsed JSON; the caller decides what it means. */
  body: unknown;
}

/** The result of `post`: the answer, and `$metadata`, which is not enumerable. */
export type PostResult = PostAnswer & WithMetadata;

const pathRule = 'must be a path below the base URL in the form that is sent, such as /v2/payments/status';

/** A path that a URL parser does not change: it would resolve `..`, or take `//host` for another server. */
function parsePath(path: unknown, baseUrl: string): Parsed<string> {
  if (typeof path !== 'string') return refusedAt(['path'], 'must be a string, such as /v2/payments/status');
  const written = `${baseUrl}${path}`;
  const isExact = path.startsWith('/') && toUrl(written)?.href === written;
  return isExact && !path.includes('#') ? { value: path } : refusedAt(['path'], pathRule);
}

function parseBodyText(body: unknown): Parsed<string> {
  if (typeof body !== 'object' || body === null) {
    return refusedAt(['body'], 'must be an object or an array, such as { referenceId: "ORDER-1" }');
  }
  const json = jsonTextOf(body);
  return json instanceof JsonProblem ? refusedAt(['body'], json.message) : { value: json };
}

/** Judges the response to a call whose answers are not documented: any whole JSON under 2xx is accepted. */
export function processAnswer(response: WireResponse): AttemptResult<PostAnswer> {
  const { httpStatus } = response;
  const read = readJson(response);
  if (!('json' in read)) return read;
  const { json: body } = read;
  if (!isCompleteJson(response, body)) return lostResponse(response);
  if (isSuccessStatus(httpStatus)) return { outcome: 'accepted', value: { httpStatus, body }, httpStatus };
  return byHttpStatus(response, 'the response is not a success');
}

const operation = 'post';

/** parse -> freeze -> send -> process the response, for an operation that the specification does not show. */
export function post(
  path: string,
  body: unknown,
  options: PostOptions,
  merchant: MerchantContext,
): Promise<PostResult> {
  return runCall(operation, merchant.shared, () => prepare(path, body, options, merchant));
}

function prepare(
  path: string,
  body: unknown,
  options: PostOptions,
  merchant: MerchantContext,
): Call<PostAnswer> {
  const [sentPath, json, callOptions] = allOrThrow(
    { operation },
    parsePath(path, merchant.baseUrl),
    parseBodyText(body),
    parseCallOptions(postOptionRules, options),
  );
  const { policy = 'once', idempotencyKey, referenceId } = callOptions;
  const subject = {
    operation,
    ...(referenceId !== undefined && { referenceId }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  } as const;
  // Any field may be personal.
  const personal = () => textsOf(JSON.parse(json));
  const call = startCall(merchant, { subject, path: sentPath, policy }, callOptions, personal);
  return signedJsonCall(merchant, call, Buffer.from(json), processAnswer);
}
