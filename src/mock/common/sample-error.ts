import type { Attempt, CallName } from '../../errors/call-metadata.js';
import { messageOf } from '../../errors/error-messages.js';
import type { ErrorInit } from '../../errors/installment-error.js';
import {
  AbortedError,
  ConfigurationError,
  ConnectionError,
  HookError,
  NotificationRejectedError,
  TimeoutError,
  UnexpectedResponseError,
  ValidationError,
} from '../../errors/errors.js';
import type { AnyInstallmentError, InstallmentErrorCode } from '../../errors/guards.js';
import { resultErrorClasses, UnknownResultError, type ResultErrorInit } from '../../errors/result-errors.js';
import { didYouMean } from '../../values/nearest-word.js';
import { isKeyless, isMerchantOperation } from '../../protocol/endpoints.js';
import {
  errorStatusInfo,
  isErrorStatus,
  resultStatuses,
  type ErrorStatus,
  type FailureOutcome,
} from '../../protocol/result-statuses.js';
import { MockUsageError } from './usage-error.js';

/** The fields of a sample error, where it differs from the usual one of its code. */
export interface SampleErrorInit {
  /** The call that failed. @default the first one that can fail so: `'initiatePayment'`, mostly */
  readonly operation?: CallName | undefined;
  /** @default 'ORDER:2026-0001', for an operation of a merchant */
  readonly referenceId?: string | undefined;
  /** The outcome of the call. @default the usual one of the code; `'unknown'` for a lost connection */
  readonly outcome?: FailureOutcome | undefined;
  /** Whether the same call may succeed later. @default as the client decides for the code */
  readonly retryable?: boolean | undefined;
  /** Whether an earlier attempt may have been acted on: sets `probablyAccepted` of a duplicate. @default false */
  readonly mayHaveActedBefore?: boolean | undefined;
  /** How long the service asked to wait, in milliseconds. @default none */
  readonly retryAfterMs?: number | undefined;
  /** HTTP status of the answer. @default 200 for a result, 502 for an unexpected response, 400 for a refused notification */
  readonly httpStatus?: number | undefined;
  /** The service's own text, of a `ResultError`. @default '' */
  readonly resultMsg?: string | undefined;
  /** The status of an `UNKNOWN_RESULT`. @default 'NEW_STATUS' */
  readonly resultStatus?: string | undefined;
  /** The answer, of an `UNEXPECTED_RESPONSE` or `NOTIFICATION_REJECTED`. @default '' */
  readonly bodyText?: string | undefined;
}

/** How an error of a code usually is: the problem in its message, its outcome, whether it is retryable. */
type Usual = readonly [problem: string, outcome: FailureOutcome, retryable: boolean, httpStatus?: number];

const usual: Readonly<Record<Exclude<InstallmentErrorCode, ErrorStatus>, Usual>> = {
  CONFIGURATION: ['is required: pass it, or set INSTALLMENT_BASE_URL', 'not_sent', false],
  VALIDATION: ['must be a positive integer', 'not_sent', false],
  HOOK: ['beforeSend rejected; see the cause', 'not_sent', true],
  CONNECTION: ['connection lost while waiting for the answer (ECONNRESET)', 'unknown', true],
  TIMEOUT: ['no answer within 15000 ms', 'unknown', true],
  ABORTED: ['aborted by the signal of the caller', 'unknown', true],
  UNEXPECTED_RESPONSE: ['the response is not JSON', 'unknown', true, 502],
  NOTIFICATION_REJECTED: ['the notification was refused', 'rejected', false, 400],
  UNKNOWN_RESULT: ['not documented', 'unknown', false, 200],
};

/** The usual call of an error: the one whose table has the status. */
function operationOf(code: InstallmentErrorCode): CallName {
  if (code === 'NOTIFICATION_REJECTED') return 'paymentReceipt';
  return isErrorStatus(code) && !Object.hasOwn(resultStatuses.initiatePayment, code)
    ? 'uploadInvoice'
    : 'initiatePayment';
}

const codes: readonly string[] = [...Object.keys(resultErrorClasses), ...Object.keys(usual)];

/** @throws MockUsageError for a code that no error has, such as one of a failed job */
function checkCode(code: unknown): void {
  if (typeof code === 'string' && codes.includes(code)) return;
  const meant = typeof code === 'string' ? didYouMean(code, codes) : '';
  const hint =
    meant || `. The codes are ${codes.join(', ')}; a failed job of a queue has no error of this package.`;
  throw new MockUsageError(`sampleError: unknown code${hint}`);
}

function usualOf(code: InstallmentErrorCode, operation: CallName): Usual {
  if (!isErrorStatus(code)) return usual[code];
  const { outcome, retried } = errorStatusInfo(
    isMerchantOperation(operation) ? operation : 'initiatePayment',
    code,
  );
  return ['', outcome, retried, 200];
}

function make(code: InstallmentErrorCode, options: SampleErrorInit): AnyInstallmentError {
  const { operation = operationOf(code), bodyText = '', resultMsg, resultStatus = 'NEW_STATUS' } = options;
  const [problem, usualOutcome, usuallyRetryable, usualStatus] = usualOf(code, operation);
  const { outcome = usualOutcome, httpStatus = usualStatus } = options;
  const couldActTwice = outcome === 'unknown' && (operation === 'post' || isKeyless(operation));
  const { retryable = usuallyRetryable && !couldActTwice } = options;
  const isOfMerchant = isMerchantOperation(operation);
  const {
    referenceId = isOfMerchant ? 'ORDER:2026-0001' : undefined,
    retryAfterMs,
    mayHaveActedBefore,
  } = options;
  const subject = { operation, ...(referenceId !== undefined && { referenceId }) };
  const attempt: Attempt = {
    startedAt: new Date('2026-11-20T03:04:05Z'),
    durationMs: 20,
    requestTime: '2026-11-20 10:04:05',
    outcome,
    ...(httpStatus !== undefined && { httpStatus }),
    ...(isErrorStatus(code) && { resultStatus: code }),
    error: problem || code,
  };
  const init: ErrorInit = {
    outcome,
    retryable,
    ...(mayHaveActedBefore !== undefined && { mayHaveActedBefore }),
    metadata: {
      ...subject,
      ...(httpStatus !== undefined && { httpStatus }),
      attempts: outcome === 'not_sent' ? [] : [attempt],
    },
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
  const resultInit: ResultErrorInit = { ...init, ...(resultMsg !== undefined && { resultMsg }) };
  const message = messageOf(problem, init);
  switch (code) {
    case 'CONFIGURATION':
      return new ConfigurationError('baseUrl', problem);
    case 'VALIDATION':
      return new ValidationError(
        [{ path: ['amount', 'value'], message: problem, resultStatus: 'INVALID_AMOUNT' }],
        subject,
      );
    case 'HOOK':
      return new HookError(message, init);
    case 'CONNECTION':
      return new ConnectionError(message, init);
    case 'TIMEOUT':
      return new TimeoutError(message, init);
    case 'ABORTED':
      return new AbortedError(message, init);
    case 'UNEXPECTED_RESPONSE':
      return new UnexpectedResponseError(message, init, Buffer.from(bodyText));
    case 'NOTIFICATION_REJECTED':
      return new NotificationRejectedError(message, init, httpStatus ?? 400, bodyText);
    case 'UNKNOWN_RESULT':
      return new UnknownResultError(resultStatus, resultInit);
    default:
      return new resultErrorClasses[code](isOfMerchant ? operation : 'initiatePayment', resultInit);
  }
}

/**
 * An error of a code, for tests of your own error handling: of its class, with the message, outcome and advice that the
 * client gives it.
 *
 * @example
 * ```ts
 * import { sampleError } from 'installment-payments/mock';
 *
 * const duplicate = sampleError('DUPLICATE_REFERENCE_ID', { mayHaveActedBefore: true });
 * duplicate.probablyAccepted; // true
 * sampleError('CONNECTION', { outcome: 'not_sent' }).message; // … Nothing was sent by this call, so it is safe to …
 * ```
 * @param code - Any code of the package; editors complete it.
 * @param init - What differs from the usual error of this code. `CONFIGURATION` and `VALIDATION` take no outcome: nothing
 * was sent.
 * @returns a new error each time
 * @throws MockUsageError if no error has this code; the codes of a failed job, such as `LOCK_LOST`, are in its `failedReason` only.
 */
export function sampleError<Code extends InstallmentErrorCode>(
  code: Code,
  init: SampleErrorInit = {},
): Extract<AnyInstallmentError, { readonly code: Code }> {
  checkCode(code);
  return make(code, init) as Extract<AnyInstallmentError, { readonly code: Code }>;
}
