import type { RetryPolicy } from '../protocol/endpoints.js';
import type { ValidationIssue } from '../protocol/issues.js';
import { errorStatusInfo, type ErrorStatus, type FailureOutcome } from '../protocol/result-statuses.js';
import type { CallMetadata } from './call-metadata.js';
import * as errors from './errors.js';
import type { ErrorFacts, InstallmentError } from './installment-error.js';
import { UnknownResultError } from './result-errors.js';
import * as statusErrors from './status-errors.js';

/** The facts about a failure besides its outcome. */
export interface FailureFacts {
  /** In short, for the record of the attempt: `ECONNRESET (read)`. @default the problem */
  readonly summary?: string;
  /** Absent without a cause: `undefined` may be what a caller's function threw. */
  readonly cause?: unknown;
  /** The body of the answer: its bytes, or parsed. */
  readonly body?: unknown;
  /** As the service sent it. */
  readonly resultStatus?: string;
  /** The service's own text. */
  readonly resultMsg?: string;
  readonly issues?: readonly ValidationIssue[];
  /** How long the service asked to wait. */
  readonly retryAfterMs?: number | undefined;
  /** The idle connection was dead: the next attempt follows at once. */
  readonly wasIdleConnectionLost?: boolean;
}

/** A failure: of one attempt, or between attempts. The error is made when the call ends, because it covers all attempts. */
export interface Failure {
  readonly code: FailureCode;
  /** Of this attempt alone. */
  readonly outcome: FailureOutcome;
  /** Whether the same request may succeed later. */
  readonly transient: boolean;
  /** For the message of the error: `connection lost while waiting for the response (ECONNRESET)`. */
  readonly problem: string;
  readonly facts: FailureFacts;
}

/** A call as far as it has come: what its error, if it ends now, is made of besides the last failure. */
export interface CallSoFar {
  readonly metadata: CallMetadata;
  readonly policy: RetryPolicy;
  /** Whether the same request was sent before this call, by the caller's word. */
  readonly mayHaveBeenSent: boolean;
  /** Whether the service may have acted before the last attempt, in this call or before it. */
  readonly mayHaveActedBefore: boolean;
  /** The worst outcome of all attempts, including one before this call. */
  readonly outcome: FailureOutcome;
}

/** A usual error of a code, for tests of a merchant. */
type Sample = Pick<Failure, 'outcome' | 'transient' | 'problem'> & { readonly httpStatus?: number };

/** Everything about one code. */
interface ErrorRow {
  readonly type: new (facts: ErrorFacts) => InstallmentError;
  /** No error of this code has a better outcome. */
  readonly bestOutcome: FailureOutcome;
  /** Without an attempt it tells about this call alone, whatever was sent before. */
  readonly isOfThisCall?: true;
  /** The advice if nothing was sent and the same call fails again. */
  readonly fix?: string;
  /** The fields that only errors of this code have. */
  readonly fields?: (failure: Failure, call: CallSoFar) => object;
  readonly sample: Sample;
}

const ownErrors = {
  VALIDATION: {
    type: errors.ValidationError,
    bestOutcome: 'not_sent',
    isOfThisCall: true,
    fix: 'Correct the input: issues has every broken rule.',
    fields: ({ facts }) => ({ issues: facts.issues }),
    sample: { outcome: 'not_sent', transient: false, problem: 'must be a positive integer' },
  },
  HOOK: {
    type: errors.HookError,
    bestOutcome: 'not_sent',
    isOfThisCall: true,
    sample: { outcome: 'not_sent', transient: true, problem: 'beforeSend rejected; see the cause' },
  },
  CONNECTION: {
    type: errors.ConnectionError,
    bestOutcome: 'not_sent',
    fix: 'It fails again until the cause is removed: a certificate, TLS or a proxy.',
    sample: {
      outcome: 'unknown',
      transient: true,
      problem: 'connection lost while waiting for the response (ECONNRESET)',
    },
  },
  TIMEOUT: {
    type: errors.TimeoutError,
    bestOutcome: 'not_sent',
    fix: 'Decide again whether to send it, and pass a new sendBefore.',
    sample: { outcome: 'unknown', transient: true, problem: 'no response within 15000 ms' },
  },
  ABORTED: {
    type: errors.AbortedError,
    bestOutcome: 'not_sent',
    sample: { outcome: 'unknown', transient: true, problem: 'aborted by the signal of the caller' },
  },
  UNEXPECTED_RESPONSE: {
    type: errors.UnexpectedResponseError,
    bestOutcome: 'rejected',
    sample: { outcome: 'unknown', transient: true, problem: 'the response is not JSON', httpStatus: 502 },
  },
  NOTIFICATION_REJECTED: {
    type: errors.NotificationRejectedError,
    bestOutcome: 'rejected',
    sample: {
      outcome: 'rejected',
      transient: false,
      problem: 'the notification was refused',
      httpStatus: 400,
    },
  },
  UNKNOWN_RESULT: {
    type: UnknownResultError,
    bestOutcome: 'unknown',
    sample: {
      outcome: 'unknown',
      transient: false,
      problem: 'the result status (NEW_STATUS) is not documented',
      httpStatus: 200,
    },
  },
} as const satisfies Readonly<Record<string, ErrorRow>>;

type StatusClass = (typeof statusErrors)[keyof typeof statusErrors];

/** An error of a documented status; `code` and `resultStatus` tell which. */
export type DocumentedResultError = InstanceType<StatusClass>;

/** Every error of a client, told apart by `code`. */
export type AnyInstallmentError =
  | errors.ConfigurationError
  | InstanceType<(typeof ownErrors)[keyof typeof ownErrors]['type']>
  | DocumentedResultError;

/** The code of an error of this package: each documented result status that is not success, and the package's own. */
export type InstallmentErrorCode = AnyInstallmentError['code'];

/** A code that a failed call can have. The errors of a client's options are made where they are checked. */
export type FailureCode = Exclude<InstallmentErrorCode, 'CONFIGURATION'>;

function statusRow(type: StatusClass): [ErrorStatus, ErrorRow] {
  const { status } = type;
  // An upload's status can be worse; none is better.
  const { outcome, meaning, retried } = errorStatusInfo('initiatePayment', status);
  const isDuplicate = status === 'DUPLICATE_REFERENCE_ID';
  return [
    status,
    {
      type,
      bestOutcome: outcome,
      fields: (_failure, { mayHaveActedBefore }) => ({
        resultStatus: status,
        ...(isDuplicate && { probablyAccepted: mayHaveActedBefore }),
      }),
      sample: { outcome, transient: retried, problem: `${status}. ${meaning}`, httpStatus: 200 },
    },
  ];
}

const statusRows = Object.fromEntries(Object.values(statusErrors).map(statusRow)) as Readonly<
  Record<DocumentedResultError['code'], ErrorRow>
>;

/**
 * Every code of a failed call with its facts: its error, its advice, its sample and the types of errors derive from it. A
 * documented status without a class does not compile.
 */
export const errorTable: Readonly<Record<FailureCode | ErrorStatus, ErrorRow>> = {
  ...ownErrors,
  ...statusRows,
};
