import { errorStatusInfo, type ErrorStatus, type FailureOutcome } from '../protocol/result-statuses.js';
import { brandClass } from './brand.js';
import * as errors from './errors.js';
import { InstallmentError, type ErrorFacts } from './installment-error.js';
import * as statusErrors from './status-errors.js';

interface ErrorRow {
  readonly type: new (facts: ErrorFacts) => InstallmentError;
  /** The best outcome that an error with this code can have: see `worseOf`. @default 'not_sent', the best of all */
  readonly bestOutcome?: FailureOutcome;
  /**
   * True if the error is a mistake in the caller's own input or functions. If such an error comes before the first
   * attempt, its outcome describes only this call: `'not_sent'`, even with `mayHaveBeenSent: true`.
   */
  readonly isCallersMistake?: true;
  /** The advice if the service has not acted and the same call would fail again. */
  readonly fix?: string;
}

const packageErrors = {
  VALIDATION: {
    type: errors.ValidationError,
    isCallersMistake: true,
    fix: 'Correct the input: error.issues lists every broken rule.',
  },
  HOOK: {
    type: errors.HookError,
    isCallersMistake: true,
    fix: 'Correct the function, then call again.',
  },
  CONNECTION: {
    type: errors.ConnectionError,
    fix: 'A retry will not help until the cause is fixed. The cause of a failed connection is usually a certificate, the TLS version or a proxy.',
  },
  TIMEOUT: { type: errors.TimeoutError },
  ABORTED: { type: errors.AbortedError },
  UNEXPECTED_RESPONSE: { type: errors.UnexpectedResponseError, bestOutcome: 'rejected' },
  NOTIFICATION_REJECTED: {
    type: errors.NotificationRejectedError,
    bestOutcome: 'rejected',
    fix: 'Correct the notification, or ask the provider: error.body contains the response.',
  },
  UNKNOWN_RESULT: { type: errors.UnknownResultError, bestOutcome: 'unknown' },
} as const satisfies Readonly<Record<string, ErrorRow>>;

type StatusClass = (typeof statusErrors)[keyof typeof statusErrors];

/** An error of a documented status; its `code` and `resultStatus` name the status. */
export type DocumentedResultError = InstanceType<StatusClass>;

/** Any error of a client. `code` is the discriminant. */
export type AnyInstallmentError =
  | errors.ConfigurationError
  | InstanceType<(typeof packageErrors)[keyof typeof packageErrors]['type']>
  | DocumentedResultError;

/** The code of an error of this package: a documented result status except success, or one of the package's codes. */
export type InstallmentErrorCode = AnyInstallmentError['code'];

/** A code that a failed call can have: all except `CONFIGURATION`, because options are checked before any call. */
export type FailureCode = Exclude<InstallmentErrorCode, 'CONFIGURATION'>;

const statusRows = Object.fromEntries(
  Object.entries(statusErrors).map(([name, type]): [ErrorStatus, ErrorRow] => {
    // The name of each class is set here. `classOf` of `status-errors.ts` cannot set it, because it creates the base
    // class of each class, not the class itself.
    brandClass(type, name);
    // The row contains the outcome for a payment. For an upload, the outcome can be worse, but never better.
    return [type.status, { type, bestOutcome: errorStatusInfo('initiatePayment', type.status).outcome }];
  }),
) as Readonly<Record<DocumentedResultError['code'], ErrorRow>>;

/**
 * The codes that a failed call can have, each with its class, best outcome and advice. A documented status without a
 * class does not compile.
 */
export const errorTable: Readonly<Record<FailureCode | ErrorStatus, ErrorRow>> = {
  ...packageErrors,
  ...statusRows,
};

/**
 * True for an error of a client, from any entry and module format. The type of the error then is the union of all error
 * classes, so a comparison of `code` or `outcome` narrows the type further.
 *
 * @example
 * ```ts
 * import { isInstallmentError } from 'installment-payments';
 *
 * export function describeFailure(error: unknown): string {
 *   if (!isInstallmentError(error)) throw error;
 *   switch (error.code) {
 *     case 'VALIDATION':
 *       return error.issues.map((issue) => issue.message).join(', ');
 *     case 'DUPLICATE_REFERENCE_ID':
 *       return error.probablyAccepted ? 'most likely created already: look it up' : 'look up whose payment it is';
 *     default:
 *       return error.outcome;
 *   }
 * }
 * ```
 */
export function isInstallmentError(error: unknown): error is AnyInstallmentError {
  return error instanceof InstallmentError;
}
