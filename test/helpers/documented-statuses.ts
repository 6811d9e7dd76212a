/** The client's result for a documented status. */
export interface DocumentedStatus {
  /** Name of the error class. */
  readonly name: string;
  readonly outcome: 'rejected' | 'unknown';
  readonly retryable: boolean;
  /** The number of requests of a call if the service gives this response each time. */
  readonly requests: number;
  /** A word of the action that the specification requires of the merchant. */
  readonly action: RegExp;
}

function refused(name: string, action: RegExp): DocumentedStatus {
  return { name, outcome: 'rejected', retryable: false, requests: 1, action };
}

function pending(name: string, action: RegExp): DocumentedStatus {
  return { name, outcome: 'unknown', retryable: true, requests: 3, action };
}

/** Both tables of the specification (Errors), written by hand, because the tests must not read them from the code. */
export const documentedStatuses = {
  initiatePayment: {
    ACCESS_DENIED: refused('AccessDeniedError', /set up|support/),
    INVALID_REQUEST: refused('InvalidRequestError', /fields/),
    INVALID_REFERENCE_ID: refused('InvalidReferenceIdError', /valid referenceId/),
    INVALID_STORE_ID: refused('InvalidStoreIdError', /storeId/),
    // This is assumed: the specification does not define outcomes, and says "Query the transaction status or use
    // another referenceId".
    DUPLICATE_REFERENCE_ID: {
      ...refused(
        'DuplicateReferenceIdError',
        /look up the payment with this referenceId.*another referenceId only if/i,
      ),
      outcome: 'unknown',
    },
    INVALID_CLIENT_ID: refused('InvalidClientIdError', /registered/),
    INVALID_SIGNATURE: refused('InvalidSignatureError', /secret key/),
    INVALID_MERCHANT_ID: refused('InvalidMerchantIdError', /merchantId/),
    INVALID_HTTP_METHOD: refused('InvalidHttpMethodError', /method/),
    INVALID_API: refused('InvalidApiError', /endpoint/),
    INVALID_AMOUNT: refused('InvalidAmountError', /amount/),
    PHONE_NUMBER_UNAVAILABLE: refused('PhoneNumberUnavailableError', /length/),
    PHONE_NUMBER_INVALID: refused('PhoneNumberInvalidError', /valid phone number/),
    AMOUNT_EXCEEDED_UPPER_LIMIT: refused('AmountExceededUpperLimitError', /amount|support/),
    AMOUNT_BELOW_MINIMUM_LIMIT: refused('AmountBelowMinimumLimitError', /amount|support/),
    REQUEST_PROCESSING: pending('RequestProcessingError', /later/),
    DOWNSTREAM_ERROR: pending('DownstreamError', /later/),
    ERROR_GENERAL: refused('GeneralError', /support/),
  },
  uploadInvoice: {
    ACCESS_DENIED: refused('AccessDeniedError', /authori[sz]ed|set up/),
    INVALID_REQUEST: refused('InvalidRequestError', /request/),
    INVALID_REFERENCE_ID: refused('InvalidReferenceIdError', /referenceId/),
    INVALID_STORE_ID: refused('InvalidStoreIdError', /storeId/),
    INVALID_FILE_TYPE: refused('InvalidFileTypeError', /jpg, png, pdf/),
    FILE_TOO_LARGE: refused('FileTooLargeError', /smaller/),
    LIMIT_EXCEEDED: refused('LimitExceededError', /support/),
    ERROR_GENERAL: { ...refused('GeneralError', /support/), outcome: 'unknown' },
  },
} as const satisfies Record<string, Record<string, DocumentedStatus>>;
