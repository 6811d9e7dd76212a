import type { Failure } from '../errors/failure.js';
import { openStatuses } from '../protocol/result-statuses.js';
import { invalid, valid, type Checked } from '../values/checked.js';
import { decodeText, decodeUtf8, jsonIn } from '../values/encodings.js';
import { isRecord } from '../values/untrusted-values.js';
import { maxResponseBytes, type WireResponse } from './transport.js';

/** 4xx that do not prove a refusal by the service: proxy, time-out, conflict, another server, replay. */
const undecided4xx: ReadonlySet<number> = new Set([407, 408, 409, 421, 425]);
const transientStatuses: ReadonlySet<number> = new Set([408, 409, 425, 429]);

type Verdict = Pick<Failure, 'outcome' | 'transient'>;

/** The verdict by the HTTP status of a complete response alone. */
export function verdictOf(httpStatus: number): Verdict {
  const isRefusal = httpStatus >= 400 && httpStatus < 500 && !undecided4xx.has(httpStatus);
  return {
    outcome: isRefusal ? 'rejected' : 'unknown',
    transient: transientStatuses.has(httpStatus) || httpStatus >= 500,
  };
}

export function isSuccessStatus(httpStatus: number): boolean {
  return httpStatus >= 200 && httpStatus < 300;
}

/** The verdict where the service may have acted, and a repeat would not show it. */
export const unknownAndFinal = { outcome: 'unknown', transient: false } as const;

/** A response without a usable result; its HTTP status decides unless a verdict is given. */
export function unexpectedResponse(
  { httpStatus, body }: WireResponse,
  problem: string,
  verdict = verdictOf(httpStatus),
): Failure {
  // A firewall or a proxy may have responded in the place of the service.
  const isRefusal = verdict.outcome === 'rejected' && !verdict.transient;
  const hint = isRefusal ? '; bodyText of the error shows who responded' : '';
  return {
    ...verdict,
    code: 'UNEXPECTED_RESPONSE',
    problem: `${problem} (HTTP ${httpStatus}${hint})`,
    facts: { summary: problem, body },
  };
}

/** A whole response without a result: its HTTP status decides, unless the service has said something that cannot be read. */
export function withoutResult(response: WireResponse, problem: string): Failure {
  return unexpectedResponse(response, problem, isUnreadableResult(response) ? unknownAndFinal : undefined);
}

/** A response of which a part may be missing, and with it the result. */
export function lostResponse(response: WireResponse, problem = 'the response may be cut short'): Failure {
  return unexpectedResponse(response, problem, { outcome: 'unknown', transient: true });
}

export function redirected(response: WireResponse): Failure {
  return unexpectedResponse(response, 'the response is a redirect, which is never followed', unknownAndFinal);
}

/** A body as JSON, or why it is not JSON; `isLost` if it may be incomplete. */
export type ParsedBody = Checked<unknown, { readonly message: string; readonly isLost: boolean }>;

/** True for a control character that no text has. Any compressed body soon has one, whatever its headers say. */
const isBinary = (byte: number) =>
  byte > 0 && byte < 0x20 && !'\t\n\v\f\r\x1b'.includes(String.fromCharCode(byte));

/** `resultStatus` in any notation, and any string of JSON that is a status after which the service may have acted. */
const resultName = /result[_-]*status/i;
const openString = new RegExp(`"(?:${openStatuses.join('|')})\\\\*"`, 'i');
/** An open status of several words never occurs in other text, so it is found without quotation marks. */
const openWords = new RegExp(
  `\\b(?:${openStatuses.filter((status) => status.includes('_')).join('|')})\\b`,
  'i',
);

/**
 * True for a 4xx whose body has a result of the service that cannot be read, or may have one under a compression that no
 * header names. The page of a gateway has none.
 */
export function isUnreadableResult({ httpStatus, body }: WireResponse): boolean {
  if (httpStatus < 400 || httpStatus >= 500) return false;
  // UTF-16 has a NUL beside each ASCII letter.
  const ascii = Buffer.from(body).toString('latin1').replaceAll('\0', '');
  const isMarkup = /^\s*</.test(ascii);
  const isOpen = openWords.test(ascii) || (!isMarkup && openString.test(ascii));
  return isOpen || resultName.test(ascii) || body.some(isBinary);
}

/** Reads a body as JSON whatever its content type says. A byte order mark is accepted, invalid UTF-8 is not. */
export function parseBody({ body, bodyState }: WireResponse): ParsedBody {
  const isLost = bodyState !== 'whole';
  if (bodyState === 'too_large')
    return invalid({ message: `the response is larger than ${maxResponseBytes / 2 ** 20} MiB`, isLost });
  if (body.length === 0) return invalid({ message: 'the response is empty', isLost });
  const json = jsonIn(body);
  if (json !== undefined) return valid(json);
  // A result of the service begins with {, or has a resultStatus; the page of a gateway has neither. One in UTF-16, which has
  // zero bytes, is not cut short, but cannot be read.
  const shown = decodeText(body);
  const isResult = !body.includes(0) && /^\s*\{|resultStatus/.test(shown);
  const isCut = isResult || bodyState === 'cut';
  const notJson = isCut ? 'the response is cut short' : 'the response is not JSON';
  const message = decodeUtf8(body) === undefined ? 'the response is not valid UTF-8' : notJson;
  return invalid({ message, isLost: isLost || isResult });
}

/** True if nothing of the JSON can be missing: a cut number or word would look like a shorter one. */
export function isCompleteJson({ bodyState }: WireResponse, json: unknown): boolean {
  return bodyState === 'whole' || (typeof json === 'object' && json !== null);
}

/** True if the body is a JSON object: it is complete, however the connection ended. */
export function isWholeJson(response: WireResponse): boolean {
  const parsed = parseBody(response);
  return parsed.ok && isRecord(parsed.value);
}

/** The JSON of a response, or the failure of one without usable JSON: its HTTP status decides if it is provably whole. */
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
 * Milliseconds that a `Retry-After` header asks to wait: whole seconds, or an HTTP date. Anything else, a header that
 * was sent twice included, is ignored (RFC 9110, 10.2.3).
 */
export function parseRetryAfter(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER);
  const date = new Date(value);
  // RFC 9110, 5.6.7: senders use only the form that toUTCString writes, so any other is malformed.
  const isHttpDate = !Number.isNaN(date.getTime()) && date.toUTCString() === value;
  return isHttpDate ? Math.max(0, date.getTime() - now.getTime()) : undefined;
}
