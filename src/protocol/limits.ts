// The limits of the service (specification: Limits), and one limit of the mock.

/** The maximum length of a `referenceId`. */
export const maxReferenceLength = 60;
/** The maximum number of items in an order. */
export const maxItems = 200;
/** The numbers of digits that a phone number "usually" has, as the specification says. */
export const usualPhoneDigits: readonly number[] = [10, 11];
/** The maximum number of invoices for a `referenceId`. */
export const maxInvoices = 3;
export const maxFileMegabytes = 5;
/** It is assumed that 1 MB is 1024 x 1024 bytes. */
export const maxFileBytes = maxFileMegabytes * 1024 * 1024;

/** The longest wait for a request over the HTTP controls of the mock, in milliseconds. */
export const longestWaitMs = 60_000;
