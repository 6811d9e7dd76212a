import type { ErrorStatus } from '../protocol/result-statuses.js';
import { hiddenFactsOf, type ErrorFacts } from './installment-error.js';
import { ResultError } from './errors.js';

// Each class is named after its status, such as AccessDeniedError. The class for ERROR_GENERAL is GeneralError.

interface StatusError<Status extends ErrorStatus> extends ResultError {
  readonly code: Status;
  /** The status as the service sent it. */
  readonly resultStatus: Status;
}

// This type is explicit, because the inferred type would hide the doc comments of inherited members.
interface StatusErrorClass<Status extends ErrorStatus> {
  /** The status of this class. */
  readonly status: Status;
  /** Errors are created by this package. */
  new (facts: ErrorFacts): StatusError<Status>;
}

function classOf<const Status extends ErrorStatus>(status: Status): StatusErrorClass<Status> {
  return class extends ResultError {
    static readonly status = status;
    declare readonly code: Status;
    readonly resultStatus = status;
  };
}

/** The merchant does not have access. */
export class AccessDeniedError extends classOf('ACCESS_DENIED') {}

/**
 * The service says that the request is invalid. After a retry, this status can also mean that the service has already
 * seen the idempotency key.
 */
export class InvalidRequestError extends classOf('INVALID_REQUEST') {}

/** The `referenceId` is not valid; for an upload, it does not exist or does not match. */
export class InvalidReferenceIdError extends classOf('INVALID_REFERENCE_ID') {}

/** The `storeId` is not valid. */
export class InvalidStoreIdError extends classOf('INVALID_STORE_ID') {}

/**
 * The `referenceId` was used before, and the response does not say for which request. So `outcome` is always
 * `'unknown'`: look the payment up.
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
export class DuplicateReferenceIdError extends classOf('DUPLICATE_REFERENCE_ID') {
  declare readonly outcome: 'unknown';
  /** True if an earlier attempt, or an earlier call (`mayHaveBeenSent: true`), may have created the payment. */
  readonly probablyAccepted: boolean = hiddenFactsOf(this).mayHaveActedBefore === true;
}

/** The client ID is not registered. */
export class InvalidClientIdError extends classOf('INVALID_CLIENT_ID') {}

/**
 * The service computed a different signature: its key differs, the signed text was changed in transit, or the service
 * and the client differ in a point that the specification leaves open (see the option `wire`).
 */
export class InvalidSignatureError extends classOf('INVALID_SIGNATURE') {}

/** The merchant is not registered. */
export class InvalidMerchantIdError extends classOf('INVALID_MERCHANT_ID') {}

/** The HTTP method is wrong: most likely, a proxy changed it. */
export class InvalidHttpMethodError extends classOf('INVALID_HTTP_METHOD') {}

/** The service does not have this path: most likely, the `baseUrl` is wrong. */
export class InvalidApiError extends classOf('INVALID_API') {}

/** The amount is not valid. */
export class InvalidAmountError extends classOf('INVALID_AMOUNT') {}

/** The phone number cannot be used, most likely because of its length. */
export class PhoneNumberUnavailableError extends classOf('PHONE_NUMBER_UNAVAILABLE') {}

/** The phone number is not valid. */
export class PhoneNumberInvalidError extends classOf('PHONE_NUMBER_INVALID') {}

/** The amount is above the merchant's limit. */
export class AmountExceededUpperLimitError extends classOf('AMOUNT_EXCEEDED_UPPER_LIMIT') {}

/** The amount is below the merchant's minimum. */
export class AmountBelowMinimumLimitError extends classOf('AMOUNT_BELOW_MINIMUM_LIMIT') {}

/** The same request was processed before, or is in progress. `outcome` is `'unknown'`. */
export class RequestProcessingError extends classOf('REQUEST_PROCESSING') {}

/** A partner of the service timed out. `outcome` is `'unknown'`. */
export class DownstreamError extends classOf('DOWNSTREAM_ERROR') {}

/**
 * The service declined the request because of a general error. For an upload, it is unknown whether the file was
 * stored.
 */
export class GeneralError extends classOf('ERROR_GENERAL') {}

/** The service does not accept files of this type. */
export class InvalidFileTypeError extends classOf('INVALID_FILE_TYPE') {}

/** The file is larger than 5 MB. */
export class FileTooLargeError extends classOf('FILE_TOO_LARGE') {}

/** The `referenceId` already has 3 invoices. */
export class LimitExceededError extends classOf('LIMIT_EXCEEDED') {}
