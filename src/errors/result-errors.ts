import { adviceFor, subjectText } from './error-messages.js';
import { InstallmentError, type ErrorInit } from './errors.js';
import type { MerchantOperation } from '../protocol/endpoints.js';
import { errorStatusInfo, type AnyResultStatus, type ErrorStatus } from '../protocol/result-statuses.js';

/** What a result error is built from. */
export interface ResultErrorInit extends ErrorInit {
  /** The service's own text. */
  readonly resultMsg?: string;
}

/**
 * The service answered, and the answer is not success. Each documented status has a subclass named for it.
 *
 * @example
 * ```ts
 * import { ResultError } from 'installment-payments';
 *
 * export function whatToDo(error: unknown): string | undefined {
 *   return error instanceof ResultError ? `${error.resultStatus}: ${error.action}` : undefined;
 * }
 * ```
 * @see specification, Errors
 */
export abstract class ResultError extends InstallmentError {
  static override readonly kind: string = 'ResultError';
  /** The documented status, or `UNKNOWN_RESULT` for any other. */
  abstract override readonly code: ErrorStatus | 'UNKNOWN_RESULT';
  /** `'unknown'` where the status leaves it open, or where an attempt before it may have been acted on. */
  declare readonly outcome: 'rejected' | 'unknown';
  /** The status as the service sent it. */
  abstract readonly resultStatus: AnyResultStatus;
  /** What the specification tells the merchant to do. */
  readonly action: string;
  // Private, because the service may quote the phone number it did not like.
  readonly #resultMsg: string;

  /** Takes the message and what to do about it. */
  constructor(message: string, action: string, init: ResultErrorInit) {
    super(message, init);
    this.action = action;
    this.#resultMsg = init.resultMsg ?? '';
  }

  /** The service's own text; empty when there was none. It may quote customer data, so it is part of no message, inspection or JSON. */
  get resultMsg(): string {
    return this.#resultMsg;
  }
}

/** What the errors of the documented statuses share. */
abstract class StatusError<Status extends ErrorStatus> extends ResultError {
  /** The documented status. */
  override readonly code: Status;
  /** The status as the service sent it. */
  override readonly resultStatus: Status;

  /** Takes the operation whose table has the meaning and the action. */
  constructor(status: Status, operation: MerchantOperation, init: ResultErrorInit) {
    const { meaning, action, outcome } = errorStatusInfo(operation, status);
    // After an attempt that may have been acted on, what the status asks for could charge the customer twice.
    const next =
      init.outcome === outcome
        ? action
        : `The service may have acted on an earlier attempt. ${adviceFor(operation, init.outcome)}`;
    const subject = init.metadata ? subjectText(init.metadata) : operation;
    super(`${subject}: ${status}. ${meaning} ${next}`, action, init);
    this.code = status;
    this.resultStatus = status;
  }
}

// Written out: declarations with an inferred one would show private fields, and no text of an inherited member.
interface StatusErrorClass<Status extends ErrorStatus> {
  readonly kind: string;
  /** Takes the operation whose table has the meaning and the action. */
  new (operation: MerchantOperation, init: ResultErrorInit): StatusError<Status>;
}

/** The base class of the error of one documented status. */
function errorOf<const Status extends ErrorStatus>(status: Status): StatusErrorClass<Status> {
  return class extends StatusError<Status> {
    constructor(operation: MerchantOperation, init: ResultErrorInit) {
      super(status, operation, init);
    }
  };
}

/** The merchant may not do this. */
export class AccessDeniedError extends errorOf('ACCESS_DENIED') {
  static override readonly kind = 'AccessDeniedError';
}

/** The request breaks a rule that the client does not know. */
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
 * The `referenceId` was used before. When an earlier attempt may have been the one that used it, `probablyAccepted`
 * is true and `outcome` is `'unknown'`: the payment most likely exists.
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
  /** True when an attempt before this answer, or an earlier process, may have created the payment. */
  readonly probablyAccepted: boolean;

  /** Takes the operation whose table has the meaning and the action. */
  constructor(operation: MerchantOperation, init: ResultErrorInit) {
    super(operation, init);
    this.probablyAccepted = init.outcome === 'unknown';
  }
}

/** The client ID is not registered. */
export class InvalidClientIdError extends errorOf('INVALID_CLIENT_ID') {
  static override readonly kind = 'InvalidClientIdError';
}

/** The signature does not match: the secret key differs, or something between here and the service changed the bytes. */
export class InvalidSignatureError extends errorOf('INVALID_SIGNATURE') {
  static override readonly kind = 'InvalidSignatureError';
}

/** The merchant is not registered. */
export class InvalidMerchantIdError extends errorOf('INVALID_MERCHANT_ID') {
  static override readonly kind = 'InvalidMerchantIdError';
}

/** The HTTP method is wrong: something between here and the service changed it. */
export class InvalidHttpMethodError extends errorOf('INVALID_HTTP_METHOD') {
  static override readonly kind = 'InvalidHttpMethodError';
}

/** There is no such API: most likely the `baseUrl` is wrong. */
export class InvalidApiError extends errorOf('INVALID_API') {
  static override readonly kind = 'InvalidApiError';
}

/** The amount is not valid. */
export class InvalidAmountError extends errorOf('INVALID_AMOUNT') {
  static override readonly kind = 'InvalidAmountError';
}

/** The phone number cannot be used: most likely its length. */
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

/** The same request was processed already, or still is. `outcome` is `'unknown'`. */
export class RequestProcessingError extends errorOf('REQUEST_PROCESSING') {
  static override readonly kind = 'RequestProcessingError';
}

/** A partner behind the service timed out. `outcome` is `'unknown'`. */
export class DownstreamError extends errorOf('DOWNSTREAM_ERROR') {
  static override readonly kind = 'DownstreamError';
}

/** The service declined because of a general error. */
export class GeneralError extends errorOf('ERROR_GENERAL') {
  static override readonly kind = 'GeneralError';
}

/** The service does not take files of this type. */
export class InvalidFileTypeError extends errorOf('INVALID_FILE_TYPE') {
  static override readonly kind = 'InvalidFileTypeError';
}

/** The file is larger than 5 MB. */
export class FileTooLargeError extends errorOf('FILE_TOO_LARGE') {
  static override readonly kind = 'FileTooLargeError';
}

/** The order has its 3 invoices already. */
export class LimitExceededError extends errorOf('LIMIT_EXCEEDED') {
  static override readonly kind = 'LimitExceededError';
}

/** An undocumented status as it may be shown: a word. Anything else could be a quotation, of a phone number say. */
export function shownStatus(resultStatus: string): string | undefined {
  return /^[A-Za-z][A-Za-z_-]{0,59}$/.test(resultStatus) ? resultStatus : undefined;
}

/**
 * The service answered with a status that no table of the specification has. What it means for the payment is not
 * known, so `outcome` is `'unknown'` and the client neither retries nor succeeds.
 */
export class UnknownResultError extends ResultError {
  static override readonly kind = 'UnknownResultError';
  override readonly code = 'UNKNOWN_RESULT';
  declare readonly outcome: 'unknown';
  // Private, because it is the service's text and no word of ours: it may be of any length and hold anything.
  readonly #resultStatus: string;

  /** Takes the status as the service sent it. */
  constructor(resultStatus: string, init: ResultErrorInit) {
    const action = 'Ask the service what this status means before the order goes on, or is given up.';
    const subject = init.metadata ? `${subjectText(init.metadata)}: ` : '';
    super(
      `${subject}the result status (${shownStatus(resultStatus) ?? 'not a word'}) is not documented. ${action}`,
      action,
      init,
    );
    this.#resultStatus = resultStatus;
  }

  /** The status as the service sent it. It is part of no inspection or JSON, and of the message only when it is a word. */
  override get resultStatus(): string {
    return this.#resultStatus;
  }
}

/** The error class of each documented status. A status without a class does not compile. */
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
