import type * as z from 'zod/mini';
import type { WithMetadata } from '../errors/call-metadata.js';
import type { AttemptResult } from '../http/failures.js';
import type { Call } from '../http/call.js';
import {
  isCompleteJson,
  isSuccessStatus,
  incompleteResponse,
  readJson,
  unexpectedResponse,
  verdictByHttpStatus,
  responseWithoutResult,
} from '../http/response.js';
import type { WireResponse } from '../http/transport.js';
import { postOptionRules, type PostOptions } from '../options/call-options.js';
import { jsonTextOf } from '../validation/json-text.js';
import { refusedAt, type Parsed } from '../protocol/issues.js';
import { isDocumentedRefusal } from '../protocol/result-statuses.js';
import { toUrl } from '../protocol/urls.js';
import { readProperty } from '../values/untrusted-values.js';
import { allOrThrow, parseCallOptions } from './parse-input.js';
import { makeSignedCall, type MerchantContext } from './make-call.js';

/** The response to `post`. */
export interface PostResponse {
  /** HTTP status of the response, 2xx. */
  httpStatus: number;
  /** The parsed JSON, whose meaning only the caller knows. */
  body: unknown;
}

/** The result of `post`: the response, and `$metadata`, which is not enumerable. */
export type PostResult = PostResponse & WithMetadata;

const pathRule = 'must be a path below the base URL, exactly as it is sent, such as /v2/payments/status';

/**
 * Parses a path. A path that the URL parser would change, such as a path with `..`, is refused. The slash at the
 * beginning is required, because a path such as `@host` would change the server.
 */
function parsePath(path: unknown, baseUrl: string): Parsed<string> {
  if (typeof path !== 'string') return refusedAt(['path'], 'must be a string, such as /v2/payments/status');
  const urlText = `${baseUrl}${path}`;
  const isExact = path.startsWith('/') && toUrl(urlText)?.href === urlText;
  return isExact && !path.includes('#') ? { value: path } : refusedAt(['path'], pathRule);
}

function parseBodyText(body: unknown): Parsed<string> {
  if (typeof body !== 'object' || body === null) {
    return refusedAt(['body'], 'must be an object or an array, such as { referenceId: "ORDER-1" }');
  }
  const json = jsonTextOf(body);
  return json.ok ? { value: json.value } : refusedAt(['body'], json.problem);
}

/**
 * Judges the response to a call whose responses are not documented. Any complete JSON with a 2xx status is accepted,
 * because only the caller knows the meaning of the JSON.
 */
export function judgePost(response: WireResponse): AttemptResult<PostResponse> {
  const { httpStatus } = response;
  const read = readJson(response);
  if (!read.ok) return read.problem;
  const { value: body } = read;
  if (!isCompleteJson(response, body)) return incompleteResponse(response);
  if (isSuccessStatus(httpStatus)) return { outcome: 'accepted', value: { httpStatus, body } };
  const problem = 'the response is not a success';
  const resultStatus = readProperty(body, 'resultStatus');
  if (typeof resultStatus !== 'string') return responseWithoutResult(response, problem);
  // The result statuses of refunds and cancellations are not documented. Even with HTTP 4xx, such a status can mean
  // that the service has acted.
  const verdict = verdictByHttpStatus(httpStatus);
  return unexpectedResponse(response, problem, {
    ...verdict,
    outcome: isDocumentedRefusal(resultStatus) ? verdict.outcome : 'unknown',
  });
}

const operation = 'post';

/** Parses the input of `post` for a merchant or a lender. The result contains no headers and no signature. */
export function parsePost(
  path: string,
  body: unknown,
  options: PostOptions,
  baseUrl: string,
  rules: z.ZodMiniType<PostOptions> = postOptionRules,
) {
  const [sentPath, json, callOptions] = allOrThrow(
    { operation },
    options,
    parsePath(path, baseUrl),
    parseBodyText(body),
    parseCallOptions(rules, options),
  );
  const { policy = 'once', idempotencyKey, referenceId } = callOptions;
  const subject = {
    operation,
    ...(referenceId !== undefined && { referenceId }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  } as const;
  const parts = {
    subject,
    method: 'POST',
    path: sentPath,
    policy,
    contentType: 'application/json',
    body: Buffer.from(json),
    judge: judgePost,
  } as const;
  return { parts, callOptions };
}

/** Prepares the call of an operation that the specification does not show. */
export function preparePost(
  path: string,
  body: unknown,
  options: PostOptions,
  merchant: MerchantContext,
): Call<PostResponse> {
  const { parts, callOptions } = parsePost(path, body, options, merchant.baseUrl);
  const signature = merchant.sign(parts.body, merchant.wire.signatureEncoding);
  return makeSignedCall({ ...parts, signature }, callOptions, merchant);
}
