import type { MerchantOperation } from './endpoints.js';
import { maxFileMegabytes, maxInvoices, usualPhoneDigits } from './limits.js';

/**
 * The outcome of an attempt or a whole call: what is known about the service's side.
 *
 * - `'accepted'`: the service did what was asked.
 * - `'not_sent'`: nothing reached the service, or, with a custom `fetch`, at most the headers of the request. The
 *   service did not act.
 * - `'rejected'`: the service refused the request. It is assumed that nothing was created.
 * - `'unknown'`: the service may have acted.
 */
export type Outcome = 'accepted' | 'not_sent' | 'rejected' | 'unknown';

/** The outcome of a call that failed; an error is never `'accepted'`. */
export type FailureOutcome = Exclude<Outcome, 'accepted'>;

/** The order of outcomes, from best to worst: the more the service may have done, the worse the outcome. */
const severity: Readonly<Record<FailureOutcome, number>> = { not_sent: 0, rejected: 1, unknown: 2 };

export function worseOf(a: FailureOutcome, b: FailureOutcome): FailureOutcome {
  return severity[b] > severity[a] ? b : a;
}

/** A row of a result-status table. */
export interface ResultStatusInfo {
  /** The meaning of the status. */
  readonly meaning: string;
  /**
   * The advice for the merchant, for a call without an earlier attempt. Some of it is assumed:
   *
   * - The advice for DUPLICATE_REFERENCE_ID is narrower than the advice in the specification ("Query the transaction
   *   status or use another referenceId").
   * - The advice for INVALID_SIGNATURE, REQUEST_PROCESSING, DOWNSTREAM_ERROR and an upload's INVALID_REFERENCE_ID adds
   *   to the advice in the specification.
   * - The advice for INVALID_FILE_TYPE follows the tables of the specification that exclude xml from `fileUrl`.
   */
  readonly action: string;
  /** The outcome of a call without an earlier attempt (assumed, because the specification does not state it). */
  readonly outcome: Exclude<Outcome, 'not_sent'>;
  /** Whether the client retries the request after this status (assumed). */
  readonly retryable: boolean;
}

// The table is frozen, because the decisions of the client depend on it.
function row<const O extends ResultStatusInfo['outcome']>(outcome: O, retryable: boolean) {
  return (meaning: string, action: string): ResultStatusInfo & { readonly outcome: O } =>
    Object.freeze({ meaning, action, outcome, retryable });
}

const accepted = row('accepted', false);
const rejected = row('rejected', false);
/** The service may have acted. A repeat of the same request shows whether it has acted (assumed). */
const retryableUnknown = row('unknown', true);
/** The service may have acted. No documented request shows whether it has acted. */
const finalUnknown = row('unknown', false);

/**
 * The documented result statuses of each operation (specification: Errors). The types, the error classes, the client's
 * decisions and the mock's responses derive from this table.
 *
 * @example
 * ```ts
 * import { resultStatuses } from 'installment-payments';
 *
 * resultStatuses.initiatePayment.DUPLICATE_REFERENCE_ID.outcome; // 'unknown'
 * resultStatuses.uploadInvoice.LIMIT_EXCEEDED.action; // what to do about it
 * ```
 */
export const resultStatuses = Object.freeze({
  initiatePayment: Object.freeze({
    APPROVED: accepted('The request was approved.', 'Send the customer to paymentUrl, or show qrData.'),
    ACCESS_DENIED: rejected('Access is denied.', 'Check how the merchant is set up, or contact support.'),
    INVALID_REQUEST: rejected('The request is invalid.', 'Correct the fields, then send the request again.'),
    INVALID_REFERENCE_ID: rejected(
      'The referenceId is invalid.',
      'Send the request again with a valid referenceId.',
    ),
    INVALID_STORE_ID: rejected('The storeId is invalid.', 'Send the request again with the correct storeId.'),
    // It is assumed that a payment with this referenceId exists. An earlier call for the same order can have created
    // it.
    DUPLICATE_REFERENCE_ID: finalUnknown(
      'The referenceId was used before.',
      'Look up the payment with this referenceId. Use another referenceId only if that payment was not created for this order.',
    ),
    INVALID_CLIENT_ID: rejected('The client ID is not registered.', 'Use a registered client ID.'),
    INVALID_SIGNATURE: rejected(
      'The HMAC signature is invalid.',
      'Recompute the signature with the correct secret key and request body: check that the key belongs to this client ID and ' +
        'environment, and that nothing changes the body in transit.',
    ),
    INVALID_MERCHANT_ID: rejected('The merchant is not registered.', 'Check the merchantId.'),
    INVALID_HTTP_METHOD: rejected('The HTTP method is invalid.', 'Use the documented method.'),
    INVALID_API: rejected('The API is not defined.', 'Check the base URL and the endpoint.'),
    INVALID_AMOUNT: rejected('The payment amount is invalid.', 'Check the amount.'),
    PHONE_NUMBER_UNAVAILABLE: rejected(
      'The phone number is unavailable, most likely because its length is wrong.',
      `Use a phone number of the documented length, usually ${usualPhoneDigits.join(' or ')} digits.`,
    ),
    PHONE_NUMBER_INVALID: rejected('The phone number is invalid.', 'Use a valid phone number.'),
    AMOUNT_EXCEEDED_UPPER_LIMIT: rejected(
      'The amount is above the configured limit.',
      'Lower the amount, or contact support.',
    ),
    AMOUNT_BELOW_MINIMUM_LIMIT: rejected(
      'The amount is below the configured minimum.',
      'Raise the amount, or contact support.',
    ),
    REQUEST_PROCESSING: retryableUnknown(
      'The request was processed already, or is in progress.',
      'Monitor the status of the payment, or send the same request again later, with mayHaveBeenSent: true. If the error ' +
        'persists, ask the provider.',
    ),
    DOWNSTREAM_ERROR: retryableUnknown(
      'A partner of the service timed out.',
      'Send the same request again later, with mayHaveBeenSent: true; the error can be temporary. If the error persists, ' +
        'ask the provider.',
    ),
    ERROR_GENERAL: rejected(
      'The request was declined because of a general error.',
      'Contact support if the error persists.',
    ),
  }),
  uploadInvoice: Object.freeze({
    APPROVED: accepted('The invoice was uploaded.', 'None.'),
    ACCESS_DENIED: rejected(
      'Access is denied.',
      'Check how the merchant is set up and what it is authorized for.',
    ),
    INVALID_REQUEST: rejected(
      'A field is missing or has a wrong format, JSON is malformed, or the like.',
      'Correct the fields, then send the request again.',
    ),
    INVALID_REFERENCE_ID: rejected(
      'The referenceId does not exist or does not match.',
      'Check the referenceId, and that its payment is confirmed; then send the upload again.',
    ),
    INVALID_STORE_ID: rejected(
      'The storeId is invalid (when it is required).',
      'Send the request again with the correct storeId.',
    ),
    INVALID_FILE_TYPE: rejected(
      'The file type is not supported.',
      'Use a jpg, png, pdf or xml file, or a fileUrl of a jpg, png or pdf.',
    ),
    FILE_TOO_LARGE: rejected(
      `The file is larger than ${maxFileMegabytes} MB.`,
      'Make the file smaller, then send it again.',
    ),
    LIMIT_EXCEEDED: rejected(
      `The referenceId has ${maxInvoices} invoices already.`,
      'Remove an invoice through the portal or support, or skip this invoice.',
    ),
    ERROR_GENERAL: finalUnknown('Another error occurred.', 'Contact support.'),
  }),
} as const satisfies Record<MerchantOperation, Record<string, ResultStatusInfo>>);

/** A documented result status of either operation. */
export type ResultStatus = {
  [Name in keyof typeof resultStatuses]: keyof (typeof resultStatuses)[Name];
}[keyof typeof resultStatuses];

const { initiatePayment, uploadInvoice } = resultStatuses;
const rows: Readonly<Record<ResultStatus, ResultStatusInfo>> = { ...initiatePayment, ...uploadInvoice };

/** The documented result statuses of both operations. */
export const documentedStatuses = Object.keys(rows) as readonly ResultStatus[];

/** The statuses of `initiatePayment` after which a payment can exist: all except refusals. */
export const nonRefusalStatuses = Object.entries(initiatePayment)
  .filter(([, { outcome }]) => outcome !== 'rejected')
  .map(([status]) => status);

/**
 * A result status on the wire: a documented status, or any other text, because the service can add statuses. Editors
 * suggest the documented statuses.
 */
export type AnyResultStatus = ResultStatus | (string & {});

/** A documented result status that is not success. Each of these statuses has an error class. */
export type ErrorStatus = Exclude<ResultStatus, 'APPROVED'>;

interface ErrorStatusInfo extends ResultStatusInfo {
  readonly outcome: 'rejected' | 'unknown';
}

/**
 * The rows of an operation for statuses that are documented only for the other operation, if the documented advice does
 * not fit.
 */
const adaptedRows: Readonly<Record<MerchantOperation, Partial<Record<ErrorStatus, ResultStatusInfo>>>> = {
  initiatePayment: {},
  uploadInvoice: {
    INVALID_SIGNATURE: {
      ...initiatePayment.INVALID_SIGNATURE,
      action:
        'Recompute the signature with the correct secret key over the canonical string of the text fields: check that the key ' +
        'belongs to this client ID and environment, and that nothing changes the fields in transit.',
    },
  },
};

/**
 * The row of an error status: from the table of the operation or, if this table lacks the status, from `adaptedRows` or
 * the other table. The specification lists some statuses, such as a wrong signature, for one operation only. It is
 * assumed that the other operation can return these statuses too.
 */
export function errorStatusInfo(operation: MerchantOperation, status: ErrorStatus): ErrorStatusInfo {
  const table: Partial<Record<ErrorStatus, ResultStatusInfo>> = resultStatuses[operation];
  return (table[status] ?? adaptedRows[operation][status] ?? rows[status]) as ErrorStatusInfo;
}

/** True for a documented status whose outcome is `'rejected'` in every table that lists the status. */
export function isDocumentedRefusal(status: string): boolean {
  const tables: readonly Readonly<Record<string, ResultStatusInfo>>[] = Object.values(resultStatuses);
  const outcomes = tables
    .filter((table) => Object.hasOwn(table, status))
    .map((table) => table[status]?.outcome);
  return outcomes.length > 0 && outcomes.every((outcome) => outcome === 'rejected');
}

export function isResultStatus(status: string): status is ResultStatus {
  return Object.hasOwn(rows, status);
}

export function isErrorStatus(status: string): status is ErrorStatus {
  return status !== 'APPROVED' && isResultStatus(status);
}
