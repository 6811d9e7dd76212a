import { messageOf } from '../errors/error-messages.js';
import { UnexpectedResponseError } from '../errors/errors.js';
import { isRecord } from '../protocol/records.js';
import type { FailureOutcome } from '../protocol/result-statuses.js';
import type { Failed } from './attempts.js';
import { maxResponseBytes, type WireResponse } from './transport.js';

/** 4xx that do not say whether the request was acted on: a proxy, a time-out, a conflict, another server, a replay. */
const undecided4xx: ReadonlySet<number> = new Set([407, 408, 409, 421, 425]);
const transientStatuses: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** What the HTTP status of a complete response says by itself. */
export function outcomeOfHttpStatus(httpStatus: number): FailureOutcome {
  return httpStatus >= 400 && httpStatus < 500 && !undecided4xx.has(httpStatus) ? 'rejected' : 'unknown';
}

/** True for a status under which the same request may succeed later. */
export function isTransientHttpStatus(httpStatus: number): boolean {
  return transientStatuses.has(httpStatus) || httpStatus >= 500;
}

export function isSuccessStatus(httpStatus: number): boolean {
  return httpStatus >= 200 && httpStatus < 300;
}

/** A response that does not say what became of the request. */
export function unexpectedResponse(
  { httpStatus, retryAfter, body }: WireResponse,
  problem: string,
  { outcome, transient }: { readonly outcome: FailureOutcome; readonly transient: boolean },
): Failed {
  return {
    outcome,
    transient,
    description: problem,
    httpStatus,
    retryAfter,
    toError: (init) =>
      new UnexpectedResponseError(messageOf(`${problem} (HTTP ${httpStatus})`, init), init, body),
  };
}

/** A response that is redirected: never followed, and no answer of the service. */
export function redirected(response: WireResponse): Failed {
  const problem = 'the response is a redirect, which is never followed';
  return unexpectedResponse(response, problem, { outcome: 'unknown', transient: false });
}

/** A body as JSON, or why it is none. */
export type ParsedBody =
  | { readonly json: unknown }
  | {
      readonly problem: string;
      /** Nothing proves that these are all bytes of the answer, or it is an answer of the service that cannot be read. */
      readonly isLost: boolean;
    };

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads a body as JSON whatever its content type says. A byte order mark is accepted, invalid UTF-8 is not. */
export function parseBody({ body, bodyState }: WireResponse): ParsedBody {
  const isLost = bodyState !== 'whole';
  if (bodyState === 'too_large')
    return { problem: `the response is larger than ${maxResponseBytes / 2 ** 20} MiB`, isLost };
  if (body.length === 0) return { problem: 'the response is empty', isLost };
  try {
    return { json: JSON.parse(utf8.decode(body)) as unknown };
  } catch (error) {
    // An answer of the service begins as a JSON object does, and names its resultStatus; a gateway's page does neither.
    const text = new TextDecoder().decode(body);
    const isAnswer = text.trimStart().startsWith('{') || text.includes('resultStatus');
    const problem = !(error instanceof SyntaxError)
      ? 'the response is not valid UTF-8'
      : isAnswer || bodyState === 'cut'
        ? 'the response is cut short'
        : 'the response is not JSON';
    return { problem, isLost: isLost || isAnswer };
  }
}

/** True for a response whose body is a JSON object that is closed: it is all there, however the connection ended. */
export function isWholeJson(response: WireResponse): boolean {
  const parsed = parseBody(response);
  return 'json' in parsed && isRecord(parsed.json);
}

/** A response without usable JSON: what its HTTP status says, if it is provably whole. */
export function unusableResponse(
  response: WireResponse,
  { problem, isLost }: Exclude<ParsedBody, { json: unknown }>,
): Failed {
  const { httpStatus } = response;
  // Any answer may have been lost: the HTTP status does not stand in for it.
  if (isLost) return unexpectedResponse(response, problem, { outcome: 'unknown', transient: true });
  return unexpectedResponse(response, problem, {
    outcome: outcomeOfHttpStatus(httpStatus),
    transient: isTransientHttpStatus(httpStatus) || isSuccessStatus(httpStatus),
  });
}
