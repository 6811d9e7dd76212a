import type { Attempt, CallName, CallSubject } from './call-metadata.js';
import { makeError, invalidInput } from './make-error.js';
import {
  errorTable,
  type AnyInstallmentError,
  type FailureCode,
  type InstallmentErrorCode,
} from './error-codes.js';
import type { Failure } from './failure.js';
import { ConfigurationError } from './errors.js';
import type { InstallmentError } from './installment-error.js';
import type { ValidationIssue } from '../protocol/issues.js';
import { didYouMean } from '../values/nearest-word.js';
import { isKeyless, isMerchantOperation } from '../protocol/endpoints.js';
import {
  errorStatusInfo,
  isErrorStatus,
  resultStatuses,
  type ErrorStatus,
  type FailureOutcome,
} from '../protocol/result-statuses.js';
import { MockUsageError } from './usage-error.js';

/** The fields of a sample error that differ from the usual error of its code. */
export interface SampleErrorInit {
  /** The call that failed. @default the first call that can fail in this way, usually `'initiatePayment'` */
  readonly operation?: CallName | undefined;
  /** The `referenceId` of the call. @default 'ORDER:2026-0001', for an operation of a merchant */
  readonly referenceId?: string | undefined;
  /** The outcome of the call. @default the usual outcome of the code; `'unknown'` for a lost connection */
  readonly outcome?: FailureOutcome | undefined;
  /**
   * Whether the service may have acted on an earlier attempt. A `DUPLICATE_REFERENCE_ID` error has this value as
   * `probablyAccepted`. @default false
   */
  readonly mayHaveActedBefore?: boolean | undefined;
  /** The wait from the header `Retry-After`, in milliseconds. @default none */
  readonly retryAfterMs?: number | undefined;
  /** The service's own text, for a `ResultError`. @default '' */
  readonly resultMsg?: string | undefined;
  /** The status of an `UNKNOWN_RESULT` error. @default 'NEW_STATUS' */
  readonly resultStatus?: string | undefined;
}

/** The usual call of an error: for a status, the operation whose table contains it; usually `initiatePayment`. */
function usualOperation(code: InstallmentErrorCode): CallName {
  if (code === 'NOTIFICATION_REJECTED') return 'paymentReceipt';
  return isErrorStatus(code) && !Object.hasOwn(resultStatuses.initiatePayment, code)
    ? 'uploadInvoice'
    : 'initiatePayment';
}

type Sample = Pick<Failure, 'outcome' | 'transient' | 'problem' | 'meaning'> & {
  readonly httpStatus?: number;
};

const unknownAndTransient = { outcome: 'unknown', transient: true } as const;

/** The usual error of each code that is not a documented status. */
const samples: Readonly<Record<Exclude<FailureCode, ErrorStatus | 'VALIDATION'>, Sample>> = {
  HOOK: { outcome: 'not_sent', transient: true, problem: 'the beforeSend function failed: see error.cause' },
  CONNECTION: {
    ...unknownAndTransient,
    problem: 'connection lost while waiting for the response (ECONNRESET)',
  },
  TIMEOUT: { ...unknownAndTransient, problem: 'no response within 15000 ms' },
  ABORTED: { ...unknownAndTransient, problem: 'aborted by the signal of the caller' },
  UNEXPECTED_RESPONSE: { ...unknownAndTransient, problem: 'the response is not JSON', httpStatus: 502 },
  NOTIFICATION_REJECTED: {
    outcome: 'rejected',
    transient: false,
    problem: 'the notification was refused',
    httpStatus: 400,
  },
  UNKNOWN_RESULT: {
    outcome: 'unknown',
    transient: false,
    problem: 'the result status (NEW_STATUS) is not documented',
    httpStatus: 200,
  },
};

function statusSample(operation: CallName, status: ErrorStatus): Sample {
  const table = operation === 'uploadInvoice' ? operation : 'initiatePayment';
  const { outcome, retryable, meaning } = errorStatusInfo(table, status);
  return { outcome, transient: retryable, problem: status, meaning, httpStatus: 200 };
}

const codes: readonly string[] = ['CONFIGURATION', ...Object.keys(errorTable)];

/** Checks a code. @throws MockUsageError if no error has this code */
function checkCode(code: unknown): void {
  if (typeof code === 'string' && codes.includes(code)) return;
  const meant = typeof code === 'string' ? didYouMean(code, codes) : '';
  const hint = meant || `. The codes are ${codes.join(', ')}.`;
  throw new MockUsageError(`sampleError: unknown code${hint}`);
}

function subjectOf(operation: CallName, { referenceId }: SampleErrorInit): CallSubject {
  const reference = referenceId ?? (isMerchantOperation(operation) ? 'ORDER:2026-0001' : undefined);
  return { operation, ...(reference !== undefined && { referenceId: reference }) };
}

function createSample(code: InstallmentErrorCode, options: SampleErrorInit): InstallmentError {
  if (code === 'CONFIGURATION') {
    return new ConfigurationError('baseUrl', 'is required: pass it, or set INSTALLMENT_BASE_URL');
  }
  const { operation = usualOperation(code), resultMsg = '', resultStatus = 'NEW_STATUS' } = options;
  const issue = { path: ['amount', 'value'], message: 'must be a positive integer' };
  const issues: ValidationIssue[] = [{ ...issue, resultStatus: 'INVALID_AMOUNT' }];
  if (code === 'VALIDATION') return invalidInput(issues, subjectOf(operation, options));
  const sample = isErrorStatus(code) ? statusSample(operation, code) : samples[code];
  const { outcome = sample.outcome } = options;
  const { transient, meaning, httpStatus } = sample;
  const failure: Failure = {
    code,
    outcome,
    transient,
    meaning,
    problem: code === 'UNKNOWN_RESULT' ? sample.problem.replace('NEW_STATUS', resultStatus) : sample.problem,
    facts: {
      resultStatus: isErrorStatus(code) ? code : resultStatus,
      resultMsg,
      body: code === 'UNEXPECTED_RESPONSE' ? Buffer.alloc(0) : '',
      retryAfterMs: options.retryAfterMs,
    },
  };
  const attempt: Attempt = {
    startedAt: new Date('2026-11-20T03:04:05Z'),
    durationMs: 20,
    requestTime: '2026-11-20 10:04:05',
    outcome,
    ...(httpStatus !== undefined && { httpStatus }),
    ...(isErrorStatus(code) && { resultStatus: code }),
    error: sample.problem,
  };
  const metadata = {
    ...subjectOf(operation, options),
    ...(httpStatus !== undefined && { httpStatus }),
    attempts: outcome === 'not_sent' ? [] : [attempt],
  };
  const { mayHaveActedBefore = false } = options;
  const policy = operation === 'post' || isKeyless(operation) ? 'once' : 'idempotent';
  const call = { metadata, policy, mayHaveBeenSent: false, mayHaveActedBefore, outcome } as const;
  return makeError(failure, call);
}

/**
 * Creates an error with this code, for tests of your error handling. The class, message, outcome and advice are the
 * same as in an error of the client.
 *
 * @example
 * ```ts
 * import { sampleError } from 'installment-payments/mock';
 *
 * const duplicate = sampleError('DUPLICATE_REFERENCE_ID', { mayHaveActedBefore: true });
 * duplicate.probablyAccepted; // true
 * sampleError('CONNECTION', { outcome: 'not_sent' }).message; // … This call sent nothing, so it is safe to call …
 * ```
 * @param code - Any code of the package. Editors suggest the codes.
 * @param init - The fields that differ from the usual error of this code. `CONFIGURATION` and `VALIDATION` accept no
 * outcome, because nothing was sent.
 * @returns a new error each time
 * @throws MockUsageError if no error has this code.
 */
export function sampleError<Code extends InstallmentErrorCode>(
  code: Code,
  init: SampleErrorInit = {},
): Extract<AnyInstallmentError, { readonly code: Code }> {
  checkCode(code);
  return createSample(code, init) as Extract<AnyInstallmentError, { readonly code: Code }>;
}
