// Client
export { LenderClient } from './lender-client.js';
export type { LenderClientOptions, NotificationContext, NotificationHeaders } from './lender-options.js';
export type { Acknowledgement } from './notify.js';
export type { Acknowledged, AcknowledgementContent } from './acknowledgement.js';
export type { CommonOptions } from '../options/common-options.js';
export type { CallOptions, PostOptions } from '../options/call-options.js';
export type { PostAnswer, PostResult } from '../operations/post.js';
export type { Hooks, Logger, LogLevel } from '../http/observer.js';
export type { Fetch } from '../http/transport.js';

// Notifications
export type * from '../protocol/lender-types.js';
export {
  paymentReceiptNotificationSchema,
  repaymentAllocationNotificationSchema,
} from '../protocol/lender-schemas.js';

// Errors
export * from '../errors/errors.js';
export { InstallmentError } from '../errors/installment-error.js';
export type { NextStep } from '../errors/next-step.js';
export type * from '../errors/call-metadata.js';
export type { AttemptJSON, CauseJSON, InstallmentErrorJSON } from '../errors/error-json.js';
export * from '../errors/guards.js';
export type { Operation } from '../protocol/endpoints.js';
export type { AnyResultStatus, FailureOutcome, Outcome, ResultStatus } from '../protocol/result-statuses.js';
export type { ValidationIssue } from '../protocol/issues.js';
