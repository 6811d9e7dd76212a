// Client
export { LenderClient } from '../lender/lender-client.js';
export type {
  LenderClientOptions,
  NotificationContext,
  NotificationOptions,
} from '../lender/lender-options.js';
export type { Acknowledgement } from '../lender/notify.js';
export type { PostOptions } from '../options/call-options.js';
export type { PostResult } from '../operations/post.js';
export type { Hooks, Logger } from '../http/observer.js';
export type { Fetch } from '../http/transport.js';

// Notifications
export type {
  PaymentReceiptNotification,
  RepaymentAllocationNotification,
  RepaymentTransaction,
} from '../protocol/lender-types.js';
export {
  paymentReceiptNotificationSchema,
  repaymentAllocationNotificationSchema,
} from '../protocol/lender-schemas.js';

// Errors
export * from '../errors/errors.js';
export { InstallmentError, type InstallmentErrorJSON } from '../errors/installment-error.js';
export type { Attempt, CallMetadata, NextStep } from '../errors/call-metadata.js';
export { isInstallmentError } from '../errors/error-codes.js';
export type { FailureOutcome, Outcome } from '../protocol/result-statuses.js';
export type { ValidationIssue } from '../protocol/issues.js';
