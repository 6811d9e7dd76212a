import type { Phase } from '../errors/call-metadata.js';
import { messageOf } from '../errors/error-messages.js';
import {
  AbortedError,
  ConnectionError,
  TimeoutError,
  type ErrorInit,
  type InstallmentError,
} from '../errors/errors.js';
import { rebuildError, safeWords } from '../errors/redact.js';
import type { FailureOutcome } from '../protocol/result-statuses.js';
import { outcomeAt, type TransportFailure } from './classify-failure.js';

/** The service did what was asked. */
export interface Accepted<T> {
  readonly outcome: 'accepted';
  readonly value: T;
  readonly httpStatus: number;
  readonly resultStatus?: string;
}

/** One attempt failed. The error is made when the call ends, because it covers all attempts. */
export interface Failed {
  readonly outcome: FailureOutcome;
  /** Whether the same request may succeed later. */
  readonly transient: boolean;
  /** Short, for the record of the attempt. */
  readonly description: string;
  readonly toError: (init: ErrorInit) => InstallmentError;
  readonly httpStatus?: number;
  readonly resultStatus?: string;
  /** The header as received. */
  readonly retryAfter?: string | undefined;
  readonly cause?: Error | undefined;
  /** The connection was dead, not the service: the next attempt follows at once. */
  readonly wasIdleConnectionLost?: boolean | undefined;
}

/** How one attempt ended. */
export type AttemptResult<T> = Accepted<T> | Failed;

const lostWhile: Readonly<Record<Phase, string>> = {
  connecting: 'connection lost while connecting',
  sending: 'connection lost while sending the request',
  waiting: 'connection lost while waiting for the answer',
  receiving: 'connection lost while receiving the answer',
  complete: 'connection lost after the answer',
};

function address({ protocol, hostname, port }: URL): string {
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

export function connectionFailed(
  { outcome, transient, code, description, cause, wasIdleConnectionLost }: TransportFailure,
  phase: Phase | undefined,
  url: URL,
): Failed {
  const problem =
    outcome === 'not_sent'
      ? `could not connect to ${address(url)}`
      : phase === undefined
        ? 'connection failed'
        : lostWhile[phase];
  return {
    outcome,
    transient,
    description,
    cause,
    wasIdleConnectionLost,
    toError: (init) => new ConnectionError(messageOf(`${problem} (${code})`, init), init),
  };
}

function whereItStood(phase: Phase | undefined, url: URL): string {
  switch (phase) {
    case 'connecting':
      return `: still connecting to ${address(url)}`;
    case 'sending':
      return ': still sending the request';
    case 'waiting':
      return ': the request was sent, and no answer began';
    case 'receiving':
      return ': the answer began and did not end';
    default:
      return '';
  }
}

export function timedOut(limitMs: number, phase: Phase | undefined, url: URL): Failed {
  const description = `no answer within ${Math.round(limitMs)} ms${whereItStood(phase, url)}`;
  return timeout(outcomeAt(phase), description);
}

/** An attempt or call that its caller aborted. The cause shows whether the signal timed out. */
export function abortedBy(signal: Pick<AbortSignal, 'reason'> | undefined, outcome: FailureOutcome): Failed {
  return {
    outcome,
    transient: true,
    description: 'aborted by the caller',
    cause: rebuildError(safeWords(signal?.reason)),
    toError: (init) => new AbortedError(messageOf('aborted by the signal of the caller', init), init),
  };
}

export function outOfTime(totalTimeoutMs: number): Failed {
  return timeout('not_sent', `timed out: nothing was sent within the total limit of ${totalTimeoutMs} ms`);
}

function timeout(outcome: FailureOutcome, description: string): Failed {
  const toError = (init: ErrorInit) => new TimeoutError(messageOf(description, init), init);
  return { outcome, transient: true, description, toError };
}
