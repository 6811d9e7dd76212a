import type { AnyResultStatus, ErrorStatus } from '../protocol/result-statuses.js';
import { hiddenIn, InstallmentError } from './installment-error.js';

/**
 * The service responded with a status that is not success. Each documented status has a subclass, named for it; catch
 * that one to react to a single status. `action` is what the specification tells the merchant to do.
 *
 * @example
 * ```ts
 * import { FileTooLargeError, ResultError } from 'installment-payments';
 *
 * export function whatToDo(error: unknown): string | undefined {
 *   return error instanceof ResultError ? `${error.resultStatus}: ${error.action}` : undefined;
 * }
 *
 * export function isTooLarge(error: unknown): boolean {
 *   return error instanceof FileTooLargeError;
 * }
 * ```
 * @see specification, Errors
 */
export abstract class ResultError extends InstallmentError {
  static override readonly kind: string = 'ResultError';
  /** The documented status, or `UNKNOWN_RESULT` for any other. */
  declare readonly code: ErrorStatus | 'UNKNOWN_RESULT';
  /** `'unknown'` if the status leaves it open, or if the service may have acted on an earlier attempt. */
  declare readonly outcome: 'rejected' | 'unknown';
  /** The status as the service sent it. */
  abstract readonly resultStatus: AnyResultStatus;

  /** The service's own text, or ''. It may quote customer data, so no message, inspection or JSON contains it. */
  get resultMsg(): string {
    return hiddenIn(this).resultMsg ?? '';
  }
}

/**
 * The service responded with an undocumented status. Its meaning for the payment is not known, so `outcome` is `'unknown'`
 * and the client does not retry.
 *
 * @example
 * ```ts
 * import { UnknownResultError } from 'installment-payments';
 *
 * export function statusToAskAbout(error: unknown): string | undefined {
 *   return error instanceof UnknownResultError ? error.resultStatus : undefined;
 * }
 * ```
 */
export class UnknownResultError extends ResultError {
  static override readonly kind = 'UnknownResultError';
  declare readonly code: 'UNKNOWN_RESULT';
  declare readonly outcome: 'unknown';

  /** The status as the service sent it. No inspection or JSON contains it, and the message only if it is a word. */
  override get resultStatus(): string {
    return hiddenIn(this).resultStatus ?? '';
  }
}
