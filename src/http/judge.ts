import { ConnectionError, TimeoutError, UnexpectedResponseError, type ErrorInit } from '../errors/errors.js';
import type { MerchantOperation } from '../protocol/endpoints.js';
import { errorStatusInfo, isErrorStatus, type FailureOutcome } from '../protocol/result-status.js';
import { resultErrorClasses, shownStatus, subjectText, UnknownResultError } from '../errors/result-errors.js';
import { adviceFor } from '../errors/advice.js';
import type { TransportFailure } from './failures.js';
import type { Answer, Exchange } from './transport.js';
import type { Failed, Verdict } from './verdict.js';

/** 4xx that do not say whether the request was acted on: a proxy's, a time-out's, a conflict's, a replay's. */
const undecided4xx: ReadonlySet<number> = new Set([407, 408, 409, 425]);
const transientStatuses: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** What an HTTP status says by itself, for an answer that says no more. */
export function outcomeOfHttpStatus(httpStatus: number): FailureOutcome {
  return httpStatus >= 400 && httpStatus < 500 && !undecided4xx.has(httpStatus) ? 'rejected' : 'unknown';
}

/** True for a status under which the same request may fare better later. */
export function isTransientHttpStatus(httpStatus: number): boolean {
  return transientStatuses.has(httpStatus) || httpStatus >= 500;
}

/** A request that got no answer. */
export function connectionFailed(failure: TransportFailure): Failed {
  const { outcome, transient, description, cause } = failure;
  const problem =
    outcome === 'not_sent'
      ? `the connection could not be made (${description})`
      : `the connection broke (${description})`;
  return {
    outcome,
    transient,
    description,
    cause,
    toError: (init) => new ConnectionError(messageOf(problem, init), init),
  };
}

/** An attempt that ran out of time: where in the exchange, nothing on the socket tells. */
export function timedOut(limitMs: number): Failed {
  const problem = `no whole answer within ${Math.round(limitMs)} ms`;
  return {
    outcome: 'unknown',
    transient: true,
    description: problem,
    toError: (init) => new TimeoutError(messageOf(problem, init), init),
  };
}

/** An answer that does not say what became of the request. */
export function unexpected(
  answer: Answer,
  problem: string,
  { outcome, transient }: { readonly outcome: FailureOutcome; readonly transient: boolean },
): Failed {
  const { httpStatus, retryAfter, body } = answer;
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

/** A message: what happened, to which call, and what to do next. */
export function messageOf(problem: string, init: ErrorInit): string {
  const { metadata, outcome } = init;
  if (!metadata) return problem;
  const tries = metadata.attempts.length > 1 ? ` after ${metadata.attempts.length} attempts` : '';
  return `${subjectText(metadata)}: ${problem}${tries}. ${adviceFor(metadata.operation, outcome)}`;
}

/** A body as JSON, or in words why it is none. */
export type ParsedBody =
  | { readonly json: unknown }
  | {
      readonly problem: string;
      /** It begins as JSON does: the service did answer, and what it said cannot be read. */
      readonly isLost?: boolean;
    };

/** True for bytes that begin as a JSON object does. A gateway's page does not. */
function beginsAsJson(body: Uint8Array): boolean {
  return new TextDecoder().decode(body).trimStart().startsWith('{');
}

/** Reads a body as JSON whatever its content type says. A byte order mark is accepted, invalid UTF-8 is not. */
export function parseBody({ body, state }: Answer): ParsedBody {
  if (body.length === 0) return { problem: 'the answer is empty' };
  const lost = (problem: string) => ({ problem, isLost: beginsAsJson(body) });
  if (state.arrived === 'too_large') return lost('the answer is larger than 1 MiB');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return lost('the answer is not valid UTF-8');
  }
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    // Where a body ends with its connection, or inside gzip, nothing but the text itself tells that some of it is gone.
    return beginsAsJson(body)
      ? { problem: 'the answer is JSON that was cut short', isLost: true }
      : { problem: 'the answer is not JSON' };
  }
}

/**
 * What can be said of an exchange before its content counts: the connection failed, the answer is a redirect, or it
 * was cut off before it was whole JSON. Otherwise the answer and its body.
 */
export function screen(
  exchange: Exchange,
): { readonly answer: Answer; readonly parsed: ParsedBody } | Failed {
  if (exchange.kind === 'failure') return connectionFailed(exchange.failure);
  if (exchange.redirect) {
    const problem = 'the service answered with a redirect, which is never followed';
    return unexpected(exchange, problem, { outcome: 'unknown', transient: false });
  }
  const parsed = parseBody(exchange);
  const { state } = exchange;
  // A JSON object that is closed is whole, however the connection ended after it.
  if (state.arrived === 'cut' && !('json' in parsed && isRecord(parsed.json))) {
    const { httpStatus, retryAfter } = exchange;
    return {
      ...connectionFailed({ ...state.failure, outcome: 'unknown', transient: true }),
      httpStatus,
      retryAfter,
    };
  }
  return { answer: exchange, parsed };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What an answer to a merchant's request is held against. */
export interface Expectation<T> {
  readonly operation: MerchantOperation;
  readonly referenceId: string;
  /** An earlier process may have sent the same request. */
  readonly mayHaveBeenSent: boolean;
  /** True for an approved answer that has what the operation is for. */
  readonly isResult: (body: Record<string, unknown>) => body is Record<string, unknown> & T;
}

const final = { outcome: 'unknown', transient: false } as const;

/** Judges one exchange of a merchant's operation: what the service did, as far as the answer tells. */
export function judge<T>(exchange: Exchange, expected: Expectation<T>): Verdict<T> {
  const screened = screen(exchange);
  if ('outcome' in screened) return screened;
  const { answer, parsed } = screened;
  const { httpStatus } = answer;
  if (!('json' in parsed)) {
    // A lost answer of the service may have been any of its answers: the HTTP status does not stand in for it.
    if (parsed.isLost) return unexpected(answer, parsed.problem, { outcome: 'unknown', transient: true });
    const transient = isTransientHttpStatus(httpStatus) || (httpStatus >= 200 && httpStatus < 300);
    return unexpected(answer, parsed.problem, { outcome: outcomeOfHttpStatus(httpStatus), transient });
  }
  const body = isRecord(parsed.json) ? parsed.json : {};
  const { referenceId, resultStatus } = body;
  // A refusal may leave the field empty.
  const isNamed = referenceId !== undefined && referenceId !== null && referenceId !== '';
  if (isNamed && referenceId !== expected.referenceId) {
    return unexpected(answer, 'the answer is for another referenceId', final);
  }
  if (typeof resultStatus !== 'string' || resultStatus === '') {
    const problem =
      resultStatus === undefined
        ? 'the answer has no resultStatus'
        : 'the resultStatus of the answer is no text';
    return unexpected(answer, problem, {
      outcome: outcomeOfHttpStatus(httpStatus),
      transient: isTransientHttpStatus(httpStatus),
    });
  }
  if (resultStatus !== 'APPROVED') return refused(answer, body, resultStatus, expected);
  if (expected.isResult(body)) return { outcome: 'accepted', value: body, httpStatus, resultStatus };
  return { ...unexpected(answer, 'the answer is APPROVED but has no paymentUrl', final), resultStatus };
}

/** The service's own answer that is not success. */
function refused(
  { httpStatus, retryAfter }: Answer,
  body: Record<string, unknown>,
  resultStatus: string,
  { operation, mayHaveBeenSent }: Omit<Expectation<unknown>, 'isResult'>,
): Failed {
  const resultMsg = typeof body['resultMsg'] === 'string' ? body['resultMsg'] : '';
  if (!isErrorStatus(resultStatus)) {
    const shown = shownStatus(resultStatus);
    return {
      ...final,
      httpStatus,
      retryAfter,
      ...(shown !== undefined && { resultStatus: shown }),
      description: 'undocumented resultStatus',
      toError: (init) => new UnknownResultError(resultStatus, { ...init, resultMsg }),
    };
  }
  const { outcome, retried } = errorStatusInfo(operation, resultStatus);
  const ErrorClass = resultErrorClasses[resultStatus];
  const wasPerhapsOurs = resultStatus === 'DUPLICATE_REFERENCE_ID' && mayHaveBeenSent;
  return {
    outcome,
    transient: retried,
    httpStatus,
    resultStatus,
    retryAfter,
    description: resultStatus,
    toError: (init) =>
      new ErrorClass(operation, { ...init, ...(wasPerhapsOurs && { outcome: 'unknown' }), resultMsg }),
  };
}
