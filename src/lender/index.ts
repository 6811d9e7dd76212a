// Client
export { LenderClient } from './lender-client.js';
export type { LenderClientOptions, NotificationContext, NotificationHeaders } from './lender-options.js';
export type { Acknowledgement } from './notify.js';
export type { Acknowledged, AcknowledgementContent } from './acknowledgement.js';
export type { CommonOptions } from '../options/common-options.js';
export type { CallOptions } from '../options/call-options.js';
export type { Hooks, Logger, LogLevel } from '../http/observer.js';
export type { RetryBudgetOptions } from '../http/retry-budget.js';
export type { Fetch } from '../http/transport.js';

// Notifications
export type * from '../protocol/lender-types.js';
export {
  paymentReceiptNotificationSchema,
  repaymentAllocationNotificationSchema,
} from '../protocol/lender-schemas.js';

// Errors
export * from '../errors/errors.js';
export * from '../errors/installment-error.js';
export type * from '../errors/call-metadata.js';
export { metadataOf } from '../errors/metadata-of.js';
export type { AttemptJSON, CauseJSON, InstallmentErrorJSON } from '../errors/error-json.js';
export * from '../errors/guards.js';
export type { Operation } from '../protocol/endpoints.js';
export type { AnyResultStatus, FailureOutcome, Outcome, ResultStatus } from '../protocol/result-statuses.js';
export type { ValidationIssue } from '../protocol/issues.js';
