import type { ResultMetadata } from '../errors/call-metadata.js';
import type { AttemptJSON } from '../errors/error-json.js';
import type { AcknowledgementContent } from '../lender/acknowledgement.js';
import type { InstallmentApi } from '../installment-api.js';
import type { LenderClient } from '../lender/lender-client.js';
import type { Operation } from '../protocol/endpoints.js';
import type { Invoice, InvoiceFileInput, InvoiceUpload } from '../protocol/invoice-types.js';
import type {
  PaymentReceiptNotification,
  RepaymentAllocationNotification,
} from '../protocol/lender-types.js';
import type { Payment, PaymentRequest } from '../protocol/payment-types.js';

/** Fields of every job. */
interface AnyJob<Request> {
  /** The argument of the client's method, such as `InstallmentClient.initiatePayment`; an upload without its file. */
  request: Request;
  /**
   * Names the merchant or shop that the job belongs to, for a processor that serves several: any JSON value, and no
   * secret. It is part of the job's ID, and the processor's functions read it as `job.data.account`.
   */
  account?: unknown;
  /**
   * Set it for a job that is added again because the queue may have lost the first one, as a sweeper does. The first run
   * then counts as a repeat: its outcome is `'unknown'` unless the service accepts, and an upload or allocation is not
   * sent without `repeatUnknown`. It is not part of the job's ID. @default false
   */
  mayHaveBeenSent?: boolean | undefined;
}

/** A request with a key by which the service may recognise a repeat. */
interface KeyedJob<Request> extends AnyJob<Request> {
  /**
   * Set it to false for a service that acts again on a repeated key: a payment or receipt that may have been sent is then
   * not sent again, and fails with `unknown`. @default as the worker's client has it: true
   */
  repeatUnknown?: false | undefined;
}

/** A request that is sent once only: it has no documented key by which the service could recognise a repeat. */
interface OnceJob<Request> extends AnyJob<Request> {
  /**
   * Sends the request again where an earlier run may have been sent, and tries again after an `'unknown'` outcome. The
   * service may then act twice. @default false
   */
  repeatUnknown?: boolean | undefined;
}

/** A payment to create. */
export interface PaymentJob extends KeyedJob<PaymentRequest> {
  /** The operation. */
  operation: 'initiatePayment';
}

/** An invoice to upload. */
export interface InvoiceJob extends OnceJob<Omit<InvoiceUpload, 'file'>> {
  /** The operation. */
  operation: 'uploadInvoice';
  /**
   * The name of the file, for `loadFile`: any JSON value, such as a key in your object storage. The file itself does not
   * belong in a queue, and bytes are refused.
   */
  file?: unknown;
}

/** A payment receipt to report. */
export interface ReceiptJob extends KeyedJob<PaymentReceiptNotification> {
  /** The operation. */
  operation: 'paymentReceipt';
}

/** A repayment allocation to report. */
export interface AllocationJob extends OnceJob<RepaymentAllocationNotification> {
  /** The operation. */
  operation: 'repaymentAllocation';
}

/** The argument of {@link createJob} and {@link enqueue}. */
export type NewJob = PaymentJob | InvoiceJob | ReceiptJob | AllocationJob;

/** The data of a job in the queue: plain JSON, with customer data and without secrets. */
export interface JobData {
  /** The request in the form in which it is sent, without what the worker's client fills in. */
  request: Record<string, unknown>;
  /** The name of the file, for `loadFile`. */
  file?: unknown;
  /** See {@link NewJob}; only where it differs from the operation's default. */
  repeatUnknown?: boolean;
  /** See {@link NewJob}. */
  account?: unknown;
  /** See {@link NewJob}. */
  mayHaveBeenSent?: true;
}

/** The arguments of BullMQ's `queue.add`. */
export interface JobArguments {
  /** The operation. */
  name: Operation;
  /** The data that the worker needs. */
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
    /** How many failures are kept in the job, for a person to read. */
    stackTraceLimit: number;
  };
}

/** The part of BullMQ's `Job` that the processor uses. */
export interface ProcessedJob {
  /** ID of the job. */
  readonly id?: string | undefined;
  /** The operation. */
  readonly name: string;
  /** The data that {@link createJob} made. It is checked again. */
  readonly data: unknown;
  /** The options with which the job was added. */
  readonly opts: { readonly backoff?: unknown; readonly repeat?: unknown };
  /** When the job was added, in milliseconds. */
  readonly timestamp: number;
  /** How often a worker has taken the job, this run included. */
  readonly attemptsStarted: number;
  /** The record that earlier runs have written. */
  readonly progress: unknown;
  /** Writes down what is known, before and after a request. */
  updateProgress(progress: string | boolean | number | object): Promise<unknown>;
  /** Confirms the lock: resolves to 1 if this worker still holds it. */
  extendLock(token: string, durationMs: number): Promise<unknown>;
}

/** A job whose data was checked, as the functions of the processor get it. */
export type CheckedJob = ProcessedJob & { readonly data: JobData };

/** The part of a merchant's client that the processor calls. */
export type MerchantCalls = Pick<InstallmentApi, 'initiatePayment' | 'uploadInvoice'>;
/** The part of a lender's client that the processor calls. */
export type LenderCalls = Pick<LenderClient, 'notifyPaymentReceipt' | 'notifyRepaymentAllocation'>;

/** Options of `createProcessor`. At least one client is needed. */
export interface ProcessorOptions {
  /**
   * Sends payments and invoices. With several merchants in one queue: a function that returns the client of a job, found
   * by `job.data.account`. A job without a client fails with `not_sent CONFIGURATION`; where the function rejects, the
   * job is tried again.
   */
  readonly client?:
    | MerchantCalls
    | ((job: CheckedJob) => MerchantCalls | undefined | Promise<MerchantCalls | undefined>)
    | undefined;
  /** Sends the notifications of a lender: a client, or a function of the job, as for `client`. */
  readonly lender?:
    | LenderCalls
    | ((job: CheckedJob) => LenderCalls | undefined | Promise<LenderCalls | undefined>)
    | undefined;
  /**
   * Loads the file of an upload by what {@link createJob} was given as `file`. The file is read and checked before the
   * job is marked as sent; that may take two minutes. If it cannot be read, nothing is sent and the job is tried again,
   * unless the error is named `UnrecoverableError`, as BullMQ's is.
   */
  readonly loadFile?:
    ((file: unknown, job: CheckedJob) => InvoiceFileInput | Promise<InvoiceFileInput>) | undefined;
}

/** The return value of a completed job. */
export interface JobResult<Result = Payment | Invoice | AcknowledgementContent> {
  /** The service's answer. */
  result: Result;
  /** How the call went: the `$metadata` of the result, with times as ISO 8601 text. */
  metadata: Omit<ResultMetadata, 'attempts'> & { readonly attempts: readonly AttemptJSON[] };
}
