import type { AnyInstallmentError } from './error-table.js';
import { InstallmentError } from './installment-error.js';

export type { AnyInstallmentError, InstallmentErrorCode } from './error-table.js';

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
