import { InstallmentError } from './installment-error.js';
import type {
  AbortedError,
  ConfigurationError,
  ConnectionError,
  HookError,
  NotificationRejectedError,
  TimeoutError,
  UnexpectedResponseError,
  ValidationError,
} from './errors.js';
import type { DocumentedResultError, UnknownResultError } from './result-errors.js';

/** Every error that this package throws, told apart by `code`. */
export type AnyInstallmentError =
  | ConfigurationError
  | ValidationError
  | HookError
  | ConnectionError
  | TimeoutError
  | AbortedError
  | UnexpectedResponseError
  | NotificationRejectedError
  | DocumentedResultError
  | UnknownResultError;

/** The code of an error of this package: each documented result status that is not success, and the package's own. */
export type InstallmentErrorCode = AnyInstallmentError['code'];

/**
 * True for an error of this package, from any entry and module format. It narrows to the union of all error classes, so
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
