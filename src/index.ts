// Client
export { InstallmentClient } from './client.js';
export type { InstallmentApi } from './installment-api.js';
export type {
  ChangeableOptions,
  InstallmentClientOptions,
  SecretKeyFunction,
} from './options/client-options.js';
export type { WireSwitches } from './protocol/wire-switches.js';
export type { CommonOptions } from './options/common-options.js';
export type {
  CallOptions,
  InitiatePaymentOptions,
  MerchantCallOptions,
  PostOptions,
  UploadInvoiceOptions,
  UploadProgress,
} from './options/call-options.js';
export type { PaymentResult } from './operations/initiate-payment.js';
export type { InvoiceResult } from './operations/upload-invoice.js';
export type { PostAnswer, PostResult } from './operations/post.js';
export type { RetryPolicy } from './protocol/endpoints.js';
export type { AttemptMessage, CallMessage } from './http/diagnostics.js';
export type { Hooks, Logger, LogLevel } from './http/observer.js';
export type { Fetch } from './http/transport.js';

// Requests and answers
export type * from './protocol/payment-types.js';
export type * from './protocol/invoice-types.js';

// Schemas
export { paymentRequestSchema } from './protocol/payment-schema.js';
export { invoiceUploadSchema } from './protocol/invoice-schema.js';

// Signing
export { invoiceCanonicalString } from './protocol/canonical-string.js';
export type { AbsentFields, SignedInvoiceField, SignedInvoiceFields } from './protocol/canonical-string.js';
export { signInvoice, signPayment } from './protocol/signature.js';
export type { SignatureEncoding } from './protocol/signature.js';

// Result statuses
export { resultStatuses } from './protocol/result-statuses.js';
export type {
  AnyResultStatus,
  ErrorStatus,
  FailureOutcome,
  InitiatePaymentStatus,
  Outcome,
  ResultStatus,
  ResultStatusInfo,
  UploadInvoiceStatus,
} from './protocol/result-statuses.js';
export type { MerchantOperation, Operation } from './protocol/endpoints.js';

// Errors
export * from './errors/errors.js';
export { InstallmentError } from './errors/installment-error.js';
export type { NextStep } from './errors/next-step.js';
export type * from './errors/call-metadata.js';
export type { AttemptJSON, CauseJSON, InstallmentErrorJSON } from './errors/error-json.js';
export * from './errors/result-errors.js';
export * from './errors/status-errors.js';
export type { DocumentedResultError } from './errors/error-table.js';
export * from './errors/guards.js';
export type { ValidationIssue } from './protocol/issues.js';
