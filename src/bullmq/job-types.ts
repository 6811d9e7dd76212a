import type { ResultMetadata, Attempt } from '../errors/call-metadata.js';
import type { AcknowledgementContent } from '../lender/acknowledgement.js';
import type { Operation } from '../protocol/endpoints.js';
import type { Invoice, InvoiceUpload } from '../protocol/invoice-types.js';
import type {
  PaymentReceiptNotification,
  RepaymentAllocationNotification,
} from '../protocol/lender-types.js';
import type { Payment, PaymentRequest } from '../protocol/payment-types.js';

/** What is done once only: neither has a documented key by which the service could recognise a repeat. */
interface RepeatUnknown {
  /**
   * Sends the request again where an earlier run may have been sent, and tries again after an `'unknown'` outcome. The
   * service may then act twice. @default false
   */
  repeatUnknown?: boolean | undefined;
}

/** A payment to create. */
export interface PaymentJob {
  /** Which operation the job is for. */
  operation: 'initiatePayment';
  /** The order, as for `InstallmentClient.initiatePayment`. */
  request: PaymentRequest;
}

/** An invoice to upload. */
export interface InvoiceJob extends RepeatUnknown {
  /** Which operation the job is for. */
  operation: 'uploadInvoice';
  /** The invoice without its file, as for `InstallmentClient.uploadInvoice`. */
  request: Omit<InvoiceUpload, 'file'>;
  /**
   * The name of the file, for `loadFile`: any JSON value, such as a key in your object storage. The file itself does not
   * belong in a queue, and bytes are refused.
   */
  file?: unknown;
}

/** A payment receipt to report. */
export interface ReceiptJob {
  /** Which operation the job is for. */
  operation: 'paymentReceipt';
  /** The notification, as for `LenderClient.notifyPaymentReceipt`. */
  request: PaymentReceiptNotification;
}

/** A repayment allocation to report. */
export interface AllocationJob extends RepeatUnknown {
  /** Which operation the job is for. */
  operation: 'repaymentAllocation';
  /** The notification, as for `LenderClient.notifyRepaymentAllocation`. */
  request: RepaymentAllocationNotification;
}

/** What {@link createJob} makes a job of. */
export type NewJob = PaymentJob | InvoiceJob | ReceiptJob | AllocationJob;

/** What is in the queue for a job: plain JSON, with customer data and without secrets. */
export interface JobData {
  /** The request in the form in which it is sent, without what the worker's client fills in. */
  request: Record<string, unknown>;
  /** What names the file for `loadFile`. */
  file?: unknown;
  /** See {@link InvoiceJob}. */
  repeatUnknown?: true;
}

/** The arguments of BullMQ's `queue.add`. */
export interface JobArguments {
  /** The operation. */
  name: Operation;
  /** What the worker needs. */
  data: JobData;
  /** Options of the job. They can be overridden, but for `backoff.type`. */
  opts: {
    /** The same for the same request, so that adding it again adds nothing. */
    jobId: string;
    /** The most runs that end in a failure. */
    attempts: number;
    /** The waits between them. `type` names the strategy in {@link workerOptions}; `delay` is the first wait in milliseconds. */
    backoff: { type: string; delay: number };
    /** How long a completed job is kept, in seconds. So long, adding it again adds nothing. */
    removeOnComplete: { age: number };
    /** Failed jobs are kept: a person looks at them. */
    removeOnFail: false;
    /** How many failures are kept in the job. At least 1: the processor reads the last one. */
    stackTraceLimit: number;
  };
}

/** The part of BullMQ's `Job` that the processor uses. */
export interface ProcessedJob {
  /** ID of the job. */
  readonly id?: string | undefined;
  /** The operation. */
  readonly name: string;
  /** What {@link createJob} made. It is checked again. */
  readonly data: unknown;
  /** The options with which the job was added. */
  readonly opts: { readonly backoff?: unknown };
  /** Has the marker of the last run that may have sent. */
  readonly progress: unknown;
  /** How earlier runs ended, oldest first. */
  readonly stacktrace: readonly string[] | null;
  /** Writes the marker. */
  updateProgress(progress: string | boolean | number | object): Promise<unknown>;
  /** Confirms the lock: resolves to 1 if this worker still holds it. */
  extendLock(token: string, durationMs: number): Promise<unknown>;
}

/** The return value of a completed job. */
export interface JobResult<Result = Payment | Invoice | AcknowledgementContent> {
  /** The service's answer. */
  result: Result;
  /** How the call went: the `$metadata` of the result, with times as ISO 8601 text. */
  metadata: Omit<ResultMetadata, 'attempts'> & {
    readonly attempts: readonly (Omit<Attempt, 'startedAt'> & { readonly startedAt: string })[];
  };
}
