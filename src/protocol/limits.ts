// The limits that the specification states (specification: Limits), and at the end that of the mock.

/** Characters of a `referenceId`. */
export const maxReferenceLength = 60;
/** Items of one order. */
export const maxItems = 200;
/** The digits that a phone number "usually" has. */
export const usualPhoneDigits: readonly number[] = [10, 11];
/** Invoices of one `referenceId`. */
export const maxInvoices = 3;
export const maxFileMegabytes = 5;
/** That a MB is 1024 x 1024 bytes is assumed. */
export const maxFileBytes = maxFileMegabytes * 1024 * 1024;

/** The longest wait for a request over the HTTP controls of the mock, in milliseconds. */
export const longestWaitMs = 60_000;
