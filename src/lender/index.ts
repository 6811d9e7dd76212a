// Client
export { LenderClient } from './lender-client.js';
export type { LenderClientOptions, NotificationContext, NotificationHeaders } from './lender-options.js';
export type { Acknowledgement } from './notify.js';
export type { Acknowledged, AcknowledgementContent } from './acknowledgement.js';
export type { CommonOptions } from '../options/common-options.js';
export type { CallOptions } from '../options/call-options.js';
export type { Hooks, Logger, LogLevel } from '../http/observer.js';
export type { Fetch } from '../http/transport.js';

// Notifications
export type {
  CompletePaymentReceiptNotification,
  CompleteRepaymentAllocationNotification,
  LenderCommonFields,
  PaymentReceiptNotification,
  PaymentReceiptWire,
  RepaymentAllocationNotification,
  RepaymentAllocationWire,
  RepaymentTransaction,
  RepaymentTransactionWire,
} from '../protocol/lender-types.js';
export {
  paymentReceiptNotificationSchema,
  repaymentAllocationNotificationSchema,
} from '../protocol/lender-schemas.js';

// Errors
export {
  AbortedError,
  ConfigurationError,
  ConnectionError,
  HookError,
  InstallmentError,
  NotificationRejectedError,
  TimeoutError,
  UnexpectedResponseError,
  ValidationError,
} from '../errors/errors.js';
export type {
  Attempt,
  CallMetadata,
  CallName,
  CallSubject,
  Phase,
  RequestTarget,
  ResultMetadata,
  WithMetadata,
} from '../errors/call-metadata.js';
export type { ErrorInit } from '../errors/errors.js';
export { isInstallmentError } from '../errors/guards.js';
export type { AnyInstallmentError } from '../errors/guards.js';
export type { Operation } from '../protocol/endpoints.js';
export type { AnyResultStatus, FailureOutcome, Outcome, ResultStatus } from '../protocol/result-statuses.js';
export type { ValidationIssue } from '../protocol/issues.js';
