// Client
export { InstallmentClient, type InstallmentApi } from '../client.js';
export type { InstallmentClientOptions } from '../options/client-options.js';
export type { WireSwitches } from '../protocol/wire-switches.js';
export type {
  InitiatePaymentOptions,
  PostOptions,
  UploadInvoiceOptions,
  UploadProgress,
} from '../options/call-options.js';
export type { PaymentResult } from '../operations/initiate-payment.js';
export type { InvoiceResult } from '../operations/upload-invoice.js';
export type { PostResult } from '../operations/post.js';
export type { AttemptMessage, CallMessage } from '../http/diagnostics.js';
export type { Hooks, Logger } from '../http/observer.js';
export type { Fetch } from '../http/transport.js';

// Requests and responses
export type {
  CheckedPaymentRequest,
  PaymentAmount,
  PaymentCustomer,
  PaymentItem,
  PaymentRequest,
  PaymentSeller,
  PaymentShipping,
} from '../protocol/payment-types.js';
export type { InvoiceFileInput, InvoiceUpload } from '../protocol/invoice-types.js';

// Schemas
export { paymentRequestSchema } from '../protocol/payment-schema.js';
export { invoiceUploadSchema } from '../protocol/invoice-schema.js';

// Signing
export { invoiceCanonicalString, type SignedInvoiceFields } from '../protocol/canonical-string.js';
export { signInvoice, signPayment } from '../operations/signer.js';

// Result statuses
export { resultStatuses } from '../protocol/result-statuses.js';
export type {
  AnyResultStatus,
  ErrorStatus,
  FailureOutcome,
  Outcome,
  ResultStatus,
  ResultStatusInfo,
} from '../protocol/result-statuses.js';

// Errors
export * from '../errors/errors.js';
export { InstallmentError, type InstallmentErrorJSON } from '../errors/installment-error.js';
export type { Attempt, CallMetadata, CallName, NextStep } from '../errors/call-metadata.js';
export * from '../errors/status-errors.js';
export { isInstallmentError } from '../errors/error-codes.js';
export type { AnyInstallmentError, InstallmentErrorCode } from '../errors/error-codes.js';
export type { ValidationIssue } from '../protocol/issues.js';
