import type { MerchantOperation } from './endpoints.js';

/**
 * What is known about the service's side after an answer, or after a whole call:
 *
 * - `'accepted'`: the service did what was asked.
 * - `'not_sent'`: nothing reached the service.
 * - `'rejected'`: the service refused, and nothing was created.
 * - `'unknown'`: the service may have acted.
 */
export type Outcome = 'accepted' | 'not_sent' | 'rejected' | 'unknown';

/** The outcome of a call that failed; an error is never `'accepted'`. */
export type FailureOutcome = Exclude<Outcome, 'accepted'>;

/** One row of a result-status table. */
export interface ResultStatusInfo {
  /** What the status says, in short. */
  readonly meaning: string;
  /** What the merchant is to do. */
  readonly action: string;
  /** What the status says about the service's side, on a call that had no attempt before. */
  readonly outcome: Exclude<Outcome, 'not_sent'>;
  /** Whether the client repeats the request by itself. */
  readonly retried: boolean;
}

const accepted = { outcome: 'accepted', retried: false } as const;
const rejected = { outcome: 'rejected', retried: false } as const;
const pending = { outcome: 'unknown', retried: true } as const;

/** Frozen through and through: the client decides by this table, so nobody may write to it. */
function frozen<const T extends object>(table: T): T {
  for (const value of Object.values(table)) if (typeof value === 'object') frozen(value as object);
  return Object.freeze(table);
}

/**
 * Every documented result status, per operation (specification: Errors). The types, the error classes,
 * the client's decisions and the mock's answers derive from this table.
 *
 * @example
 * ```ts
 * import { resultStatuses } from 'installment-payments';
 *
 * resultStatuses.initiatePayment.DUPLICATE_REFERENCE_ID.outcome; // 'rejected'
 * resultStatuses.uploadInvoice.LIMIT_EXCEEDED.action; // what to do about it
 * ```
 */
export const resultStatuses = frozen({
  initiatePayment: {
    APPROVED: {
      meaning: 'The payment was created.',
      action: 'Continue: send the customer to paymentUrl, or show qrData.',
      ...accepted,
    },
    ACCESS_DENIED: {
      meaning: 'The merchant may not do this.',
      action: 'Check how the merchant is set up, or contact support.',
      ...rejected,
    },
    INVALID_REQUEST: {
      meaning: 'The request breaks a rule.',
      action: 'Correct the fields, then send the request again.',
      ...rejected,
    },
    INVALID_REFERENCE_ID: {
      meaning: 'The referenceId is not valid.',
      action: 'Send the request again with a valid referenceId.',
      ...rejected,
    },
    INVALID_STORE_ID: {
      meaning: 'The storeId is not valid.',
      action: 'Send the request again with the right storeId.',
      ...rejected,
    },
    DUPLICATE_REFERENCE_ID: {
      meaning: 'The referenceId was used before.',
      action: 'Find out how the first transaction ended, or take another referenceId.',
      ...rejected,
    },
    INVALID_CLIENT_ID: {
      meaning: 'The client ID is not registered.',
      action: 'Use a client ID that is registered.',
      ...rejected,
    },
    INVALID_SIGNATURE: {
      meaning: 'The HMAC signature does not match.',
      action: 'Sign again, with the right secret key and over the body exactly as it is sent.',
      ...rejected,
    },
    INVALID_MERCHANT_ID: {
      meaning: 'The merchant is not registered.',
      action: 'Verify the merchantId.',
      ...rejected,
    },
    INVALID_HTTP_METHOD: {
      meaning: 'The HTTP method is wrong.',
      action: 'Use the documented method.',
      ...rejected,
    },
    INVALID_API: {
      meaning: 'There is no such API.',
      action: 'Check the base URL and the endpoint.',
      ...rejected,
    },
    INVALID_AMOUNT: {
      meaning: 'The payment amount is not valid.',
      action: 'Verify the amount.',
      ...rejected,
    },
    PHONE_NUMBER_UNAVAILABLE: {
      meaning: 'The phone number cannot be used.',
      action: 'Give a phone number of the documented length, usually 10 or 11 digits.',
      ...rejected,
    },
    PHONE_NUMBER_INVALID: {
      meaning: 'The phone number is not valid.',
      action: 'Give a valid phone number.',
      ...rejected,
    },
    AMOUNT_EXCEEDED_UPPER_LIMIT: {
      meaning: "The amount is above the merchant's limit.",
      action: 'Adjust the amount, or contact support.',
      ...rejected,
    },
    AMOUNT_BELOW_MINIMUM_LIMIT: {
      meaning: "The amount is below the merchant's minimum.",
      action: 'Increase the amount, or contact support.',
      ...rejected,
    },
    REQUEST_PROCESSING: {
      meaning: 'The request was processed already, or still is.',
      action: 'Watch its status, or try again later with the same request.',
      ...pending,
    },
    DOWNSTREAM_ERROR: {
      meaning: 'A partner behind the service timed out.',
      action: 'Try again later with the same request; it may pass.',
      ...pending,
    },
    ERROR_GENERAL: {
      meaning: 'Declined because of a general error.',
      action: 'Contact support if it persists.',
      ...rejected,
    },
  },
  uploadInvoice: {
    APPROVED: {
      meaning: 'The invoice was stored.',
      action: 'Nothing more to do.',
      ...accepted,
    },
    ACCESS_DENIED: {
      meaning: 'The merchant may not do this.',
      action: 'Check how the merchant is set up and what it is authorised for.',
      ...rejected,
    },
    INVALID_REQUEST: {
      meaning: 'A field is missing or malformed, or its JSON is broken.',
      action: 'Correct the request, then send it again.',
      ...rejected,
    },
    INVALID_REFERENCE_ID: {
      meaning: 'The referenceId does not exist, or does not match.',
      action: 'Verify the referenceId, then send the upload again.',
      ...rejected,
    },
    INVALID_STORE_ID: {
      meaning: 'The storeId is not valid where one is required.',
      action: 'Use a valid storeId.',
      ...rejected,
    },
    INVALID_FILE_TYPE: {
      meaning: 'The file is of a type that is not supported.',
      action: 'Use a jpg, png, pdf or xml file; behind fileUrl a jpg, png or pdf.',
      ...rejected,
    },
    FILE_TOO_LARGE: {
      meaning: 'The file is larger than 5 MB.',
      action: 'Make the file smaller, then send it again.',
      ...rejected,
    },
    LIMIT_EXCEEDED: {
      meaning: 'The order has 3 invoices already.',
      action: 'Have one removed through the portal or support, or leave this one out.',
      ...rejected,
    },
    ERROR_GENERAL: {
      meaning: 'Another error.',
      action: 'Contact support.',
      ...rejected,
    },
  },
} as const satisfies Record<MerchantOperation, Record<string, ResultStatusInfo>>);

/** A documented result status of `initiatePayment`. */
export type InitiatePaymentStatus = keyof (typeof resultStatuses)['initiatePayment'];

/** A documented result status of `uploadInvoice`. */
export type UploadInvoiceStatus = keyof (typeof resultStatuses)['uploadInvoice'];

/** A documented result status of either operation. */
export type ResultStatus = InitiatePaymentStatus | UploadInvoiceStatus;

/**
 * A result status as it comes over the wire: documented, or one that the service may add. Editors offer the documented
 * ones.
 */
export type AnyResultStatus = ResultStatus | (string & {});

/** A documented result status that is not success: each has an error class of its own. */
export type ErrorStatus = Exclude<ResultStatus, 'APPROVED'>;

interface ErrorStatusInfo extends ResultStatusInfo {
  readonly outcome: 'rejected' | 'unknown';
}

const { APPROVED: _payment, ...paymentErrors } = resultStatuses.initiatePayment;
const { APPROVED: _invoice, ...invoiceErrors } = resultStatuses.uploadInvoice;

const ownErrors: Readonly<
  Record<MerchantOperation, Readonly<Partial<Record<ErrorStatus, ErrorStatusInfo>>>>
> = {
  initiatePayment: paymentErrors,
  uploadInvoice: invoiceErrors,
};
const allErrors: Readonly<Record<ErrorStatus, ErrorStatusInfo>> = { ...invoiceErrors, ...paymentErrors };

/**
 * The row of a status that is not success: from the operation's own table, else from the other one. The specification
 * lists some statuses (a wrong signature, say) for one operation only, though the other can meet them too.
 */
export function errorStatusInfo(operation: MerchantOperation, status: ErrorStatus): ErrorStatusInfo {
  return ownErrors[operation][status] ?? allErrors[status];
}

/** True for a documented status that is not success. */
export function isErrorStatus(status: string): status is ErrorStatus {
  return Object.hasOwn(allErrors, status);
}

/** True for a status that stands in one of the two tables. */
export function isResultStatus(status: string): status is ResultStatus {
  return status === 'APPROVED' || isErrorStatus(status);
}
