import type { Phase } from '../errors/call-metadata.js';
import { messageOf } from '../errors/error-messages.js';
import type { ErrorInit, InstallmentError } from '../errors/installment-error.js';
import { AbortedError, ConnectionError, TimeoutError } from '../errors/errors.js';
import { rebuildError, safeWords } from '../errors/safe-words.js';
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
  /** For the record of the attempt. */
  readonly description: string;
  readonly toError: (init: ErrorInit) => InstallmentError;
  readonly httpStatus?: number;
  readonly resultStatus?: string;
  /** The header as received. */
  readonly retryAfter?: string | undefined;
  readonly cause?: Error | undefined;
  /** The idle connection was dead: the next attempt follows at once. */
  readonly wasIdleConnectionLost?: boolean | undefined;
}

/** How one attempt ended. */
export type AttemptResult<T> = Accepted<T> | Failed;

/** Makes an error of a class whose message has this problem; `facts` are what its constructor takes besides. */
export function making<Facts extends readonly unknown[]>(
  Type: new (message: string, init: ErrorInit, ...facts: Facts) => InstallmentError,
  problem: string,
  ...facts: Facts
): Failed['toError'] {
  return (init) => new Type(messageOf(problem, init), init, ...facts);
}

/** How far an attempt came when its connection was lost, and when its time was over. */
const progress: Readonly<Record<Phase, readonly [lost: string, late: string]>> = {
  connecting: ['while connecting', ': still connecting to '],
  sending: ['while sending the request', ': still sending the request'],
  waiting: ['while waiting for the answer', ': the request was sent, and no answer began'],
  receiving: ['while receiving the answer', ': the answer began and did not end'],
  complete: ['after the answer', ''],
};

function address({ protocol, hostname, port }: URL): string {
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

export function connectionFailed(
  { code, ...failure }: TransportFailure,
  phase: Phase | undefined,
  url: URL,
): Failed {
  const lost = phase ? `connection lost ${progress[phase][0]}` : 'connection failed';
  const problem = failure.outcome === 'not_sent' ? `could not connect to ${address(url)}` : lost;
  return { ...failure, toError: making(ConnectionError, `${problem} (${code})`) };
}

function timeout(outcome: FailureOutcome, description: string): Failed {
  return { outcome, transient: true, description, toError: making(TimeoutError, description) };
}

export function timedOut(limitMs: number, phase: Phase | undefined, url: URL): Failed {
  const late = phase ? progress[phase][1] : '';
  const to = phase === 'connecting' ? address(url) : '';
  return timeout(outcomeAt(phase), `no answer within ${Math.round(limitMs)} ms${late}${to}`);
}

export function outOfTime(totalTimeoutMs: number): Failed {
  return timeout('not_sent', `timed out: nothing was sent within the total limit of ${totalTimeoutMs} ms`);
}

/** An attempt or call that its caller aborted. The cause shows whether the signal timed out. */
export function abortedBy(signal: Pick<AbortSignal, 'reason'> | undefined, outcome: FailureOutcome): Failed {
  return {
    outcome,
    transient: true,
    description: 'aborted by the caller',
    cause: rebuildError(safeWords(signal?.reason)),
    toError: making(AbortedError, 'aborted by the signal of the caller'),
  };
}
