import type { Failure } from '../errors/failure.js';
import { isRefusalStatus } from '../protocol/http-statuses.js';
import { openStatuses } from '../protocol/result-statuses.js';
import { invalid, valid, type Checked } from '../values/checked.js';
import { decodeText, decodeUtf8, jsonIn } from '../values/encodings.js';
import { isRecord } from '../values/untrusted-values.js';
import { maxResponseBytes, type WireResponse } from './transport.js';

const transientStatuses: ReadonlySet<number> = new Set([408, 409, 425, 429]);

type Verdict = Pick<Failure, 'outcome' | 'transient'>;

/** The verdict on a complete response by its HTTP status alone. */
export function verdictOf(httpStatus: number): Verdict {
  return {
    outcome: isRefusalStatus(httpStatus) ? 'rejected' : 'unknown',
    transient: transientStatuses.has(httpStatus) || httpStatus >= 500,
  };
}

export function isSuccessStatus(httpStatus: number): boolean {
  return httpStatus >= 200 && httpStatus < 300;
}

/** The verdict if the service may have acted, and a retry would not show whether it has. */
export const unknownAndFinal = { outcome: 'unknown', transient: false } as const;

/** The failure for a response without a usable result. Its HTTP status decides, unless a verdict is given. */
export function unexpectedResponse(
  { httpStatus, body }: WireResponse,
  problem: string,
  verdict = verdictOf(httpStatus),
): Failure {
  // A firewall or a proxy can have responded instead of the service.
  const isRefusal = verdict.outcome === 'rejected' && !verdict.transient;
  const hint = isRefusal ? '; error.bodyText shows who responded' : '';
  return {
    ...verdict,
    code: 'UNEXPECTED_RESPONSE',
    problem: `${problem} (HTTP ${httpStatus}${hint})`,
    facts: { summary: problem, body },
  };
}

/**
 * The failure for a complete response without a result. Its HTTP status decides, unless the body contains a result that
 * cannot be read.
 */
export function withoutResult(response: WireResponse, problem: string): Failure {
  return unexpectedResponse(response, problem, isUnreadableResult(response) ? unknownAndFinal : undefined);
}

/** The failure for a response that may be incomplete, so that its result may be missing. */
export function lostResponse(response: WireResponse, problem = 'the response may be cut short'): Failure {
  return unexpectedResponse(response, problem, { outcome: 'unknown', transient: true });
}

export function redirected(response: WireResponse): Failure {
  return unexpectedResponse(response, 'the response is a redirect, which is never followed', unknownAndFinal);
}

/** A body as JSON, or the reason why it is not JSON. `isLost` is true if the body may be incomplete. */
export type ParsedBody = Checked<unknown, { readonly message: string; readonly isLost: boolean }>;

/** True for a control character that is not used in text. A compressed body almost always has one. */
const isBinary = (byte: number) =>
  byte > 0 && byte < 0x20 && !'\t\n\v\f\r\x1b'.includes(String.fromCharCode(byte));

/** Matches `resultStatus` in any notation. */
const resultName = /result[_-]*status/i;
/** Matches a JSON string that is a status after which the service may have acted. */
const openString = new RegExp(`"(?:${openStatuses.join('|')})\\\\*"`, 'i');
/** Matches an open status of several words. It never occurs in other text, so it needs no quotation marks. */
const openWords = new RegExp(
  `\\b(?:${openStatuses.filter((status) => status.includes('_')).join('|')})\\b`,
  'i',
);

/**
 * True for a 4xx response whose body contains a result of the service that cannot be read, or may contain one that was
 * compressed without a Content-Encoding header. The error page of a gateway contains none.
 */
export function isUnreadableResult({ httpStatus, body }: WireResponse): boolean {
  if (httpStatus < 400 || httpStatus >= 500) return false;
  // UTF-16 has a NUL byte beside each ASCII letter.
  const ascii = Buffer.from(body).toString('latin1').replaceAll('\0', '');
  const isMarkup = /^\s*</.test(ascii);
  const isOpen = openWords.test(ascii) || (!isMarkup && openString.test(ascii));
  return isOpen || resultName.test(ascii) || body.some(isBinary);
}

/** Parses a body as JSON, whatever its content type is. A byte order mark is accepted, invalid UTF-8 is not. */
export function parseBody({ body, bodyState }: WireResponse): ParsedBody {
  const isLost = bodyState !== 'whole';
  if (bodyState === 'too_large')
    return invalid({ message: `the response is larger than ${maxResponseBytes / 2 ** 20} MiB`, isLost });
  if (body.length === 0) return invalid({ message: 'the response is empty', isLost });
  const json = jsonIn(body);
  if (json !== undefined) return valid(json);
  // A result of the service begins with {, or contains resultStatus; the error page of a gateway does neither. A result
  // in UTF-16 contains zero bytes: it does not count as cut, because it could not be read in any case.
  const shown = decodeText(body);
  const isResult = !body.includes(0) && /^\s*\{|resultStatus/.test(shown);
  const isCut = isResult || bodyState === 'cut';
  const notJson = isCut ? 'the response is cut short' : 'the response is not JSON';
  const message = decodeUtf8(body) === undefined ? 'the response is not valid UTF-8' : notJson;
  return invalid({ message, isLost: isLost || isResult });
}

/** True if no part of the JSON can be missing: a number or word that was cut would look like a shorter one. */
export function isCompleteJson({ bodyState }: WireResponse, json: unknown): boolean {
  return bodyState === 'whole' || (typeof json === 'object' && json !== null);
}

/** True if the body is a JSON object. It is then complete, however the connection ended. */
export function isWholeJson(response: WireResponse): boolean {
  const parsed = parseBody(response);
  return parsed.ok && isRecord(parsed.value);
}

/**
 * The JSON of a response, or a failure if it has none. If the response is provably complete, its HTTP status decides.
 */
export function readJson(response: WireResponse): Checked<unknown, Failure> {
  if (response.isRedirect) return invalid(redirected(response));
  const parsed = parseBody(response);
  if (parsed.ok) return parsed;
  const { message, isLost } = parsed.problem;
  if (isLost) return invalid(lostResponse(response, message));
  const failure = withoutResult(response, message);
  return invalid(isSuccessStatus(response.httpStatus) ? { ...failure, transient: true } : failure);
}

/**
 * The milliseconds that a `Retry-After` header asks to wait: whole seconds, or an HTTP date. Anything else is ignored,
 * including a header that was sent twice (RFC 9110, 10.2.3).
 */
export function parseRetryAfter(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER);
  const date = new Date(value);
  // RFC 9110, 5.6.7: senders use only the form that toUTCString writes, so any other form is malformed.
  const isHttpDate = !Number.isNaN(date.getTime()) && date.toUTCString() === value;
  return isHttpDate ? Math.max(0, date.getTime() - now.getTime()) : undefined;
}
