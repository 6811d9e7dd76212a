import type { WithMetadata } from '../errors/call-metadata.js';
import { isInstallmentError } from '../errors/guards.js';
import { describe, safeWords } from '../errors/redact.js';
import { operations, type Operation } from '../protocol/endpoints.js';
import type { InvoiceFileInput, InvoiceUpload } from '../protocol/invoice-types.js';
import type {
  PaymentReceiptNotification,
  RepaymentAllocationNotification,
} from '../protocol/lender-types.js';
import type { PaymentRequest } from '../protocol/payment-types.js';
import { isRecord } from '../protocol/records.js';
import type { JobResult, ProcessedJob } from './job-types.js';
import type { ProcessorOptions } from './processor-options.js';
import { notSent, type RunFailure } from './run-failure.js';

/** What a run does. */
export interface Run {
  readonly operation: Operation;
  readonly request: Record<string, unknown>;
  readonly file: unknown;
  readonly repeatUnknown: boolean;
}

/** What is in the queue, which anybody with access to it can write. The client checks the request itself. */
export function parseJob({ name, data }: ProcessedJob): Run {
  const operation = operations.find((each) => each === name);
  const { request, file, repeatUnknown } = isRecord(data) ? data : {};
  // A file in the request would be a path on this machine.
  if (operation === undefined || !isRecord(request) || 'file' in request) {
    throw notSent('VALIDATION', 'the job was not made by createJob', { isRetried: false });
  }
  return { operation, request, file, repeatUnknown: repeatUnknown === true };
}

interface SendOptions {
  readonly file: InvoiceFileInput | undefined;
  /** Absent for a first run: another job or process may have sent the same request. */
  readonly mayHaveBeenSent?: true;
  readonly signal: AbortSignal | undefined;
}

type Send = (options: SendOptions) => Promise<JobResult['result'] & WithMetadata>;

/** The call that a run makes; undefined without a client for it. The client checks the request, which is anything. */
export function senderOf(run: Run, { client, lender }: ProcessorOptions): Send | undefined {
  const request: unknown = run.request;
  switch (run.operation) {
    case 'initiatePayment':
      return (
        client && (({ file: _, ...options }) => client.initiatePayment(request as PaymentRequest, options))
      );
    case 'uploadInvoice':
      return (
        client &&
        (({ file, ...options }) => client.uploadInvoice({ ...(request as InvoiceUpload), file }, options))
      );
    case 'paymentReceipt':
      return (
        lender &&
        (({ signal }) => lender.notifyPaymentReceipt(request as PaymentReceiptNotification, { signal }))
      );
    case 'repaymentAllocation':
      return (
        lender &&
        (({ signal }) =>
          lender.notifyRepaymentAllocation(request as RepaymentAllocationNotification, { signal }))
      );
  }
}

/** How a call failed. What is not an error of this package says nothing, so the service may have acted. */
export function failureOf(error: unknown, { operation, repeatUnknown }: Run): RunFailure {
  const isRepeatable = repeatUnknown || !isOnce(operation);
  if (!isInstallmentError(error)) {
    const message = `the client failed: ${describe(safeWords(error))}`;
    return { outcome: 'unknown', code: 'UNEXPECTED_ERROR', message, isRetried: isRepeatable, cause: error };
  }
  const { outcome, code, message, retryable, retryAfterMs } = error;
  const isRetried = retryable || (repeatUnknown && outcome === 'unknown');
  return { outcome, code, message, isRetried, retryAfterMs, cause: error };
}

/** An operation that has no documented key by which the service could recognise a repeat. */
export function isOnce(operation: Operation): boolean {
  return operation === 'uploadInvoice' || operation === 'repaymentAllocation';
}
