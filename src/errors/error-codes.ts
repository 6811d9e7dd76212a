import { errorStatusInfo, type ErrorStatus, type FailureOutcome } from '../protocol/result-statuses.js';
import { brandClass } from './brand.js';
import * as errors from './errors.js';
import { InstallmentError, type ErrorFacts } from './installment-error.js';
import * as statusErrors from './status-errors.js';

/** Everything about one code. */
interface ErrorRow {
  readonly type: new (facts: ErrorFacts) => InstallmentError;
  /** No error of this code has a better outcome. @default 'not_sent' */
  readonly bestOutcome?: FailureOutcome;
  /**
   * True for an error of the caller's own input or functions. Before the first attempt, its outcome is of this call alone:
   * `'not_sent'`, even if the request was sent before this call.
   */
  readonly isCallersMistake?: true;
  /** The advice if the same call fails again, and the service has not acted. */
  readonly fix?: string;
}

const ownErrors = {
  VALIDATION: {
    type: errors.ValidationError,
    isCallersMistake: true,
    fix: 'Correct the input: issues has every broken rule.',
  },
  HOOK: {
    type: errors.HookError,
    isCallersMistake: true,
    fix: 'Correct the function, then call again.',
  },
  CONNECTION: {
    type: errors.ConnectionError,
    fix: 'It fails again until its cause is removed, such as a certificate, TLS or a proxy.',
  },
  TIMEOUT: { type: errors.TimeoutError },
  ABORTED: { type: errors.AbortedError },
  UNEXPECTED_RESPONSE: { type: errors.UnexpectedResponseError, bestOutcome: 'rejected' },
  NOTIFICATION_REJECTED: {
    type: errors.NotificationRejectedError,
    bestOutcome: 'rejected',
    fix: 'Correct the notification, or ask the service about it: body of the error is its response.',
  },
  UNKNOWN_RESULT: { type: errors.UnknownResultError, bestOutcome: 'unknown' },
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

const statusRows = Object.fromEntries(
  Object.entries(statusErrors).map(([name, type]): [ErrorStatus, ErrorRow] => {
    // Named here: the base that `classOf` makes cannot see the name of the class.
    brandClass(type, name);
    // An upload's status can be worse; none is better.
    return [type.status, { type, bestOutcome: errorStatusInfo('initiatePayment', type.status).outcome }];
  }),
) as Readonly<Record<DocumentedResultError['code'], ErrorRow>>;

/**
 * Every code of a failed call. Error classes, advice and the types of errors derive from this table. A documented status
 * without a class does not compile.
 */
export const errorTable: Readonly<Record<FailureCode | ErrorStatus, ErrorRow>> = {
  ...ownErrors,
  ...statusRows,
};

/**
 * True for an error of a client, from any entry and module format. It narrows to the union of all error classes, so
 * that `code` and `outcome` narrow further.
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
