import type { Failure } from '../errors/failure.js';
import { isRefusalStatus } from '../protocol/http-statuses.js';
import { nonRefusalStatuses } from '../protocol/result-statuses.js';
import { invalid, valid, type Checked } from '../values/checked.js';
import { decodeText, decodeUtf8, jsonIn } from '../values/encodings.js';
import { isRecord } from '../values/untrusted-values.js';
import { maxResponseBytes, type WireResponse } from './transport.js';

const transientStatuses: ReadonlySet<number> = new Set([408, 409, 425, 429]);

type Verdict = Pick<Failure, 'outcome' | 'transient'>;

/** The verdict on a complete response by its HTTP status alone. */
export function verdictByHttpStatus(httpStatus: number): Verdict {
  return {
    outcome: isRefusalStatus(httpStatus) ? 'rejected' : 'unknown',
    transient: transientStatuses.has(httpStatus) || httpStatus >= 500,
  };
}

export function isSuccessStatus(httpStatus: number): boolean {
  return httpStatus >= 200 && httpStatus < 300;
}

/** The verdict if the service may have acted, and a retry would not show whether the service has acted. */
export const unknownAndFinal = { outcome: 'unknown', transient: false } as const;

/**
 * The failure for a response without a usable result. Its outcome follows from the HTTP status, unless a verdict is
 * given.
 */
export function unexpectedResponse(
  { httpStatus, body }: WireResponse,
  problem: string,
  verdict = verdictByHttpStatus(httpStatus),
): Failure {
  // The response can come from a firewall or a proxy instead of the service.
  const isFinalRefusal = verdict.outcome === 'rejected' && !verdict.transient;
  const hint = isFinalRefusal ? '; error.bodyText shows who responded' : '';
  return {
    ...verdict,
    code: 'UNEXPECTED_RESPONSE',
    problem: `${problem} (HTTP ${httpStatus}${hint})`,
    facts: { summary: problem, body },
  };
}

/**
 * The failure for a complete response without a result. Its outcome follows from the HTTP status, unless the body
 * contains a result that cannot be read.
 */
export function responseWithoutResult(response: WireResponse, problem: string): Failure {
  return unexpectedResponse(response, problem, isUnreadableResult(response) ? unknownAndFinal : undefined);
}

/** The failure for a response that is possibly incomplete, so that its result can be missing. */
export function incompleteResponse(
  response: WireResponse,
  problem = 'the response may be cut short',
): Failure {
  return unexpectedResponse(response, problem, { outcome: 'unknown', transient: true });
}

export function redirected(response: WireResponse): Failure {
  return unexpectedResponse(response, 'the response is a redirect, which is never followed', unknownAndFinal);
}

/**
 * A body as JSON, or the reason why it is not JSON. `mayBeIncomplete` is true if nothing proves that the whole body has
 * arrived, or if the body looks like a result that was cut.
 */
export type ParsedBody = Checked<unknown, { readonly message: string; readonly mayBeIncomplete: boolean }>;

/**
 * True for a control character that text does not contain. A compressed body almost always contains such a character.
 */
const isBinary = (byte: number) =>
  byte > 0 && byte < 0x20 && !'\t\n\v\f\r\x1b'.includes(String.fromCharCode(byte));

/** Matches `resultStatus` in any notation. */
const resultStatusName = /result[_-]*status/i;
/**
 * Matches a JSON string that is a status other than a refusal. If the JSON is inside a JSON string, a backslash comes
 * before each quotation mark.
 */
const quotedNonRefusal = new RegExp(`"(?:${nonRefusalStatuses.join('|')})\\\\*"`, 'i');
/**
 * Matches a status other than a refusal, written without quotation marks. Only statuses of several words count, because
 * other text never contains them.
 */
const bareNonRefusal = new RegExp(
  `\\b(?:${nonRefusalStatuses.filter((status) => status.includes('_')).join('|')})\\b`,
  'i',
);

/**
 * True for a 4xx response whose body contains a result of the service that cannot be read, or could contain a result
 * that was compressed without a Content-Encoding header. The error page of a gateway contains no result.
 */
export function isUnreadableResult({ httpStatus, body }: WireResponse): boolean {
  if (httpStatus < 400 || httpStatus >= 500) return false;
  // UTF-16 has a NUL byte beside each ASCII letter.
  const ascii = Buffer.from(body).toString('latin1').replaceAll('\0', '');
  const isMarkup = /^\s*</.test(ascii);
  const mayHaveActed = bareNonRefusal.test(ascii) || (!isMarkup && quotedNonRefusal.test(ascii));
  return mayHaveActed || resultStatusName.test(ascii) || body.some(isBinary);
}

/** Parses a body as JSON, whatever its content type is. A byte order mark is accepted, invalid UTF-8 is not. */
export function parseBody({ body, bodyState }: WireResponse): ParsedBody {
  const mayBeIncomplete = bodyState !== 'whole';
  if (bodyState === 'too_large')
    return invalid({
      message: `the response is larger than ${maxResponseBytes / 2 ** 20} MiB`,
      mayBeIncomplete,
    });
  if (body.length === 0) return invalid({ message: 'the response is empty', mayBeIncomplete });
  const json = jsonIn(body);
  if (json !== undefined) return valid(json);
  // A result of the service begins with {, or contains resultStatus; the error page of a gateway does neither. A body
  // that contains NUL bytes is probably in UTF-16. Such a body is unreadable even if it is complete, so its text does
  // not show whether it was cut.
  const shown = decodeText(body);
  const isCutResult = !body.includes(0) && /^\s*\{|resultStatus/.test(shown);
  const isCut = isCutResult || bodyState === 'cut';
  const notJson = isCut ? 'the response is cut short' : 'the response is not JSON';
  const message = decodeUtf8(body) === undefined ? 'the response is not valid UTF-8' : notJson;
  return invalid({ message, mayBeIncomplete: mayBeIncomplete || isCutResult });
}

/**
 * True if no part of the JSON can be missing. An object or an array that was cut is not valid JSON. But a number that
 * was cut, such as 12 instead of 123, is valid JSON, so for all other values, `bodyState` decides.
 */
export function isCompleteJson({ bodyState }: WireResponse, json: unknown): boolean {
  return bodyState === 'whole' || (typeof json === 'object' && json !== null);
}

/** True if the body is a JSON object. Such a body is complete, even if the connection was lost. */
export function isJsonObject(response: WireResponse): boolean {
  const parsed = parseBody(response);
  return parsed.ok && isRecord(parsed.value);
}

/**
 * The JSON of a response, or a failure if the response is a redirect or is not JSON. If a response is provably complete
 * but not JSON, the failure depends on its HTTP status.
 */
export function readJson(response: WireResponse): Checked<unknown, Failure> {
  if (response.isRedirect) return invalid(redirected(response));
  const parsed = parseBody(response);
  if (parsed.ok) return parsed;
  const { message, mayBeIncomplete } = parsed.problem;
  if (mayBeIncomplete) return invalid(incompleteResponse(response, message));
  const failure = responseWithoutResult(response, message);
  // With a 2xx status, the service has probably acted, and the result was lost on the way, for example in a proxy. A
  // retry with the same idempotency key can bring the result.
  return invalid(isSuccessStatus(response.httpStatus) ? { ...failure, transient: true } : failure);
}

/**
 * The wait in a `Retry-After` header, in milliseconds. The header contains whole seconds or an HTTP date. Anything else
 * is ignored, including a header that was sent twice (RFC 9110, 10.2.3).
 */
export function parseRetryAfter(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER);
  const date = new Date(value);
  // RFC 9110, 5.6.7: a sender must use the form that toUTCString writes, so any other form is malformed.
  const isHttpDate = !Number.isNaN(date.getTime()) && date.toUTCString() === value;
  return isHttpDate ? Math.max(0, date.getTime() - now.getTime()) : undefined;
}
