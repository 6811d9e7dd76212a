import { adviceFor, subjectText } from './error-messages.js';
import { registerErrors } from './classes-by-code.js';
import { InstallmentError, type ErrorInit } from './installment-error.js';
import type { MerchantOperation } from '../protocol/endpoints.js';
import {
  errorStatusInfo,
  resultStatuses,
  type AnyResultStatus,
  type ErrorStatus,
} from '../protocol/result-statuses.js';

/** The facts that a result error is made from. They may change in a minor version. */
export interface ResultErrorInit extends ErrorInit {
  /** The service's own text. */
  readonly resultMsg?: string;
}

/**
 * The service answered with a status that is not success. Each documented status has a subclass, named for it; catch
 * that one to react to a single status.
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
  abstract override readonly code: ErrorStatus | 'UNKNOWN_RESULT';
  /** `'unknown'` if the status leaves it open, or if the service may have acted on an earlier attempt. */
  declare readonly outcome: 'rejected' | 'unknown';
  /** The status as the service sent it. */
  abstract readonly resultStatus: AnyResultStatus;
  /**
   * The advice for the merchant: the `action` of the status in `resultStatuses`, except where the service may have acted
   * on an earlier attempt. There the action of the status could lead to a second payment, so it says how to find out.
   */
  readonly action: string;
  // Private: the service may quote customer data, such as a phone number.
  readonly #resultMsg: string;

  /** Takes the message and the action for the merchant. */
  constructor(message: string, action: string, init: ResultErrorInit) {
    super(message, init);
    this.action = action;
    this.#resultMsg = init.resultMsg ?? '';
  }

  /** The service's own text, or ''. It may quote customer data, so no message, inspection or JSON contains it. */
  get resultMsg(): string {
    return #resultMsg in this ? this.#resultMsg : '';
  }
}

/** The advice for a status, in the light of the whole call. */
function actionFor(status: ErrorStatus, operation: MerchantOperation, init: ResultErrorInit): string {
  const { action, outcome, retried } = errorStatusInfo(operation, status);
  const isOutcomeOfCall = init.outcome === outcome && init.retryable === retried;
  // The action of a status that is repeated is to repeat it, so an earlier attempt changes nothing.
  const isAboutEarlierAttempt = init.mayHaveActedBefore === true && !retried;
  // While the outcome is open, the action for one operation can be wrong for the other.
  const isForOperation = outcome === 'rejected' || Object.hasOwn(resultStatuses[operation], status);
  return isOutcomeOfCall && !isAboutEarlierAttempt && isForOperation ? action : adviceFor(operation, init);
}

abstract class StatusError<Status extends ErrorStatus> extends ResultError {
  /** The documented status. */
  override readonly code: Status;
  /** The status as the service sent it. */
  override readonly resultStatus: Status;

  /** Takes the operation whose table has the meaning and the action. */
  constructor(status: Status, operation: MerchantOperation, init: ResultErrorInit) {
    const { meaning } = errorStatusInfo(operation, status);
    const action = actionFor(status, operation, init);
    const subject = init.metadata ? subjectText(init.metadata) : operation;
    super(`${subject}: ${status}. ${meaning} ${action}`, action, init);
    this.code = status;
    this.resultStatus = status;
  }
}

// Written out: the inferred type would show private fields, and would hide the texts of inherited members.
interface StatusErrorClass<Status extends ErrorStatus> {
  readonly kind: string;
  /** Takes the operation whose table has the meaning and the action. */
  new (operation: MerchantOperation, init: ResultErrorInit): StatusError<Status>;
}

function errorOf<const Status extends ErrorStatus>(status: Status): StatusErrorClass<Status> {
  return class extends StatusError<Status> {
    constructor(operation: MerchantOperation, init: ResultErrorInit) {
      super(status, operation, init);
    }
  };
}

/** The merchant does not have access. */
export class AccessDeniedError extends errorOf('ACCESS_DENIED') {
  static override readonly kind = 'AccessDeniedError';
}

/** The request is invalid by the service's own rules; in a repeat, this may be the answer to a known key. */
export class InvalidRequestError extends errorOf('INVALID_REQUEST') {
  static override readonly kind = 'InvalidRequestError';
}

/** The `referenceId` is not valid; for an upload, it does not exist or does not match. */
export class InvalidReferenceIdError extends errorOf('INVALID_REFERENCE_ID') {
  static override readonly kind = 'InvalidReferenceIdError';
}

/** The `storeId` is not valid. */
export class InvalidStoreIdError extends errorOf('INVALID_STORE_ID') {
  static override readonly kind = 'InvalidStoreIdError';
}

/**
 * The `referenceId` was used before, and the answer does not tell for what: `outcome` is `'unknown'`. Look the payment up.
 * If an earlier attempt may have created it, `probablyAccepted` is true. With `mayHaveBeenSent: false`, and without an
 * earlier attempt of this call, `outcome` is `'rejected'`.
 *
 * @example
 * ```ts
 * import { DuplicateReferenceIdError } from 'installment-payments';
 *
 * export function paymentProbablyExists(error: unknown): boolean {
 *   return error instanceof DuplicateReferenceIdError && error.probablyAccepted;
 * }
 * ```
 */
export class DuplicateReferenceIdError extends errorOf('DUPLICATE_REFERENCE_ID') {
  static override readonly kind = 'DuplicateReferenceIdError';
  /** True if an earlier attempt of this call, or one before it (`mayHaveBeenSent: true`), may have created the payment. */
  readonly probablyAccepted: boolean;

  /** Takes the operation whose table has the meaning and the action. */
  constructor(operation: MerchantOperation, init: ResultErrorInit) {
    super(operation, init);
    this.probablyAccepted = init.mayHaveActedBefore === true;
  }
}

/** The client ID is not registered. */
export class InvalidClientIdError extends errorOf('INVALID_CLIENT_ID') {
  static override readonly kind = 'InvalidClientIdError';
}

/**
 * The service computed another signature: it has another key, the signed text was changed on its way, or the service decides
 * an open question otherwise (see the option `wire`).
 */
export class InvalidSignatureError extends errorOf('INVALID_SIGNATURE') {
  static override readonly kind = 'InvalidSignatureError';
}

/** The merchant is not registered. */
export class InvalidMerchantIdError extends errorOf('INVALID_MERCHANT_ID') {
  static override readonly kind = 'InvalidMerchantIdError';
}

/** The HTTP method is wrong: most likely a proxy changed it. */
export class InvalidHttpMethodError extends errorOf('INVALID_HTTP_METHOD') {
  static override readonly kind = 'InvalidHttpMethodError';
}

/** The path is unknown to the service: most likely the `baseUrl` is wrong. */
export class InvalidApiError extends errorOf('INVALID_API') {
  static override readonly kind = 'InvalidApiError';
}

/** The amount is not valid. */
export class InvalidAmountError extends errorOf('INVALID_AMOUNT') {
  static override readonly kind = 'InvalidAmountError';
}

/** The phone number cannot be used, most likely because of its length. */
export class PhoneNumberUnavailableError extends errorOf('PHONE_NUMBER_UNAVAILABLE') {
  static override readonly kind = 'PhoneNumberUnavailableError';
}

/** The phone number is not valid. */
export class PhoneNumberInvalidError extends errorOf('PHONE_NUMBER_INVALID') {
  static override readonly kind = 'PhoneNumberInvalidError';
}

/** The amount is above the merchant's limit. */
export class AmountExceededUpperLimitError extends errorOf('AMOUNT_EXCEEDED_UPPER_LIMIT') {
  static override readonly kind = 'AmountExceededUpperLimitError';
}

/** The amount is below the merchant's minimum. */
export class AmountBelowMinimumLimitError extends errorOf('AMOUNT_BELOW_MINIMUM_LIMIT') {
  static override readonly kind = 'AmountBelowMinimumLimitError';
}

/** The same request was processed before, or is in progress. `outcome` is `'unknown'`. */
export class RequestProcessingError extends errorOf('REQUEST_PROCESSING') {
  static override readonly kind = 'RequestProcessingError';
}

/** A partner behind the service timed out. `outcome` is `'unknown'`. */
export class DownstreamError extends errorOf('DOWNSTREAM_ERROR') {
  static override readonly kind = 'DownstreamError';
}

/** The service declined because of a general error. For an upload: another error, which leaves open whether the file was stored. */
export class GeneralError extends errorOf('ERROR_GENERAL') {
  static override readonly kind = 'GeneralError';
}

/** The service does not accept files of this type. */
export class InvalidFileTypeError extends errorOf('INVALID_FILE_TYPE') {
  static override readonly kind = 'InvalidFileTypeError';
}

/** The file is larger than 5 MB. */
export class FileTooLargeError extends errorOf('FILE_TOO_LARGE') {
  static override readonly kind = 'FileTooLargeError';
}

/** The `referenceId` already has 3 invoices. */
export class LimitExceededError extends errorOf('LIMIT_EXCEEDED') {
  static override readonly kind = 'LimitExceededError';
}

/** An undocumented status that is safe to show: a word. Anything else could quote customer data. */
export function shownStatus(resultStatus: string): string | undefined {
  return /^[A-Za-z][A-Za-z_-]{0,59}$/.test(resultStatus) ? resultStatus : undefined;
}

/**
 * The service answered with an undocumented status. Its meaning for the payment is not known, so `outcome` is `'unknown'`
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
  override readonly code = 'UNKNOWN_RESULT';
  declare readonly outcome: 'unknown';
  // Private: the service may send any text, of any length.
  readonly #resultStatus: string;

  /** Takes the status as the service sent it. */
  constructor(resultStatus: string, init: ResultErrorInit) {
    const action = 'Ask the service what this status means before you continue or cancel the order.';
    const subject = init.metadata ? `${subjectText(init.metadata)}: ` : '';
    super(
      `${subject}the result status (${shownStatus(resultStatus) ?? 'not a word'}) is not documented. ${action}`,
      action,
      init,
    );
    this.#resultStatus = resultStatus;
  }

  /** The status as the service sent it. No inspection or JSON contains it, and the message only if it is a word. */
  override get resultStatus(): string {
    // One that was made from JSON has the status of its attempt, which is a word.
    if (#resultStatus in this) return this.#resultStatus;
    const { $metadata }: InstallmentError = this;
    return $metadata?.attempts.at(-1)?.resultStatus ?? '';
  }
}

/** The error class of each documented status; a status without one does not compile. */
export const resultErrorClasses = {
  ACCESS_DENIED: AccessDeniedError,
  INVALID_REQUEST: InvalidRequestError,
  INVALID_REFERENCE_ID: InvalidReferenceIdError,
  INVALID_STORE_ID: InvalidStoreIdError,
  DUPLICATE_REFERENCE_ID: DuplicateReferenceIdError,
  INVALID_CLIENT_ID: InvalidClientIdError,
  INVALID_SIGNATURE: InvalidSignatureError,
  INVALID_MERCHANT_ID: InvalidMerchantIdError,
  INVALID_HTTP_METHOD: InvalidHttpMethodError,
  INVALID_API: InvalidApiError,
  INVALID_AMOUNT: InvalidAmountError,
  PHONE_NUMBER_UNAVAILABLE: PhoneNumberUnavailableError,
  PHONE_NUMBER_INVALID: PhoneNumberInvalidError,
  AMOUNT_EXCEEDED_UPPER_LIMIT: AmountExceededUpperLimitError,
  AMOUNT_BELOW_MINIMUM_LIMIT: AmountBelowMinimumLimitError,
  REQUEST_PROCESSING: RequestProcessingError,
  DOWNSTREAM_ERROR: DownstreamError,
  ERROR_GENERAL: GeneralError,
  INVALID_FILE_TYPE: InvalidFileTypeError,
  FILE_TOO_LARGE: FileTooLargeError,
  LIMIT_EXCEEDED: LimitExceededError,
} as const satisfies Record<
  ErrorStatus,
  new (operation: MerchantOperation, init: ResultErrorInit) => ResultError
>;

/** An error of a documented status; `code` and `resultStatus` tell which. */
export type DocumentedResultError = InstanceType<(typeof resultErrorClasses)[ErrorStatus]>;

registerErrors({ ...resultErrorClasses, UNKNOWN_RESULT: UnknownResultError });
