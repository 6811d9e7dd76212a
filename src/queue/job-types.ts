import type { ResultMetadata } from '../errors/call-metadata.js';
import type { AttemptJSON } from '../errors/call-metadata.js';
import type { AcknowledgementContent } from '../lender/acknowledgement.js';
import type { InstallmentApi } from '../installment-api.js';
import type { LenderClient } from '../lender/lender-client.js';
import type { AdditionalFields, AdditionalTexts } from '../protocol/additional-fields.js';
import type { Operation } from '../protocol/endpoints.js';
import type { Invoice, InvoiceFileInput, InvoiceUpload } from '../protocol/invoice-types.js';
import type {
  PaymentReceiptNotification,
  RepaymentAllocationNotification,
} from '../protocol/lender-types.js';
import type { Payment, PaymentRequest } from '../protocol/payment-types.js';
import type { Outcome } from '../protocol/result-statuses.js';

/** Fields of every job. */
interface AnyJob<Request> {
  /** The argument of the client's method, such as `InstallmentClient.initiatePayment`; an upload without its file. */
  request: Request;
  /**
   * Names the merchant or shop that the job belongs to, for a sender that serves several: any JSON value, and no
   * secret. It is part of the job's ID, and the sender's functions read it as `job.data.account`.
   */
  account?: unknown;
  /**
   * Set it for a job that is added again because the queue may have lost the first one, as a sweeper does. The first run
   * then counts as a repeat: its outcome is `'unknown'` unless the service accepts, and an upload or allocation is not
   * sent without `repeatUnknown`. It is not part of the job's ID. @default false
   */
  mayHaveBeenSent?: boolean | undefined;
}

interface KeyedJob<Request> extends AnyJob<Request> {
  /**
   * Set it to false for a service that acts again on a repeated key: a payment or receipt that may have been sent is then
   * not sent again, and fails with `unknown`. @default as the worker's client has it: true
   */
  repeatUnknown?: false | undefined;
}

interface OnceJob<Request> extends AnyJob<Request> {
  /**
   * Sends the request again where an earlier run may have been sent, and tries again after an `'unknown'` outcome. The
   * service may then act twice. @default false
   */
  repeatUnknown?: boolean | undefined;
}

/** A payment to create. */
export interface PaymentJob extends KeyedJob<PaymentRequest> {
  /** The call option of the same name. It is part of the job's ID. */
  additionalFields?: AdditionalFields | undefined;
  /** The operation. */
  operation: 'initiatePayment';
}

/** An invoice to upload. */
export interface InvoiceJob extends OnceJob<Omit<InvoiceUpload, 'file'>> {
  /** The call option of the same name. It is part of the job's ID. */
  additionalFields?: AdditionalTexts | undefined;
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

/** The argument of {@link createJob}. */
export type NewJob = PaymentJob | InvoiceJob | ReceiptJob | AllocationJob;

/** The data of a job in the queue: plain JSON, with customer data and without secrets. See {@link NewJob}. */
export interface JobData {
  /** In the form in which it is sent, without what the worker's client fills in. */
  request: Record<string, unknown>;
  /** The name of the file. */
  file?: unknown;
  /** Only where it differs from the operation's default. */
  repeatUnknown?: boolean;
  /** Names the merchant. */
  account?: unknown;
  /** Only where it is true. */
  mayHaveBeenSent?: true;
  /** Only where there are some. */
  additionalFields?: AdditionalFields;
}

/** A job as {@link createJob} makes it: plain JSON. */
export interface JobArguments {
  /** The same for the same request, so that adding it again adds nothing. */
  id: string;
  /** The operation. */
  name: Operation;
  /** The data that the worker needs. */
  data: JobData;
  /** For BullMQ's `queue.add`. They can be overridden, but for `jobId` and `backoff.type`. */
  opts: {
    jobId: string;
    /** The most runs that end in a failure. */
    attempts: number;
    /** The waits between them. `type` names the strategy in `workerOptions`; `delay` is the first wait in milliseconds. */
    backoff: { type: string; delay: number };
    /** How long a completed job is kept, in seconds. So long, adding it again adds nothing. */
    removeOnComplete: { age: number };
    /** Failed jobs are kept: a person looks at them. */
    removeOnFail: false;
    /** How many failures are kept in the job, for a person to read. */
    stackTraceLimit: number;
  };
}

/** A job whose data was checked, as the functions of a sender get it. */
export type CheckedJob = Readonly<Pick<JobArguments, 'id' | 'name' | 'data'>>;

/** A client, or a function that finds the client of a job. */
type ClientOf<Client> = Client | ((job: CheckedJob) => Client | undefined | Promise<Client | undefined>);

/** Options of {@link createSender}. At least one client is needed. */
export interface SenderOptions {
  /**
   * Sends payments and invoices. With several merchants in one queue: a function that returns the client of a job, found
   * by `job.data.account`. A job without a client fails with `not_sent CONFIGURATION`; where the function rejects, the
   * job is tried again.
   */
  readonly client?: ClientOf<Pick<InstallmentApi, 'initiatePayment' | 'uploadInvoice'>> | undefined;
  /** Sends the notifications of a lender: a client, or a function of the job, as for `client`. */
  readonly lender?:
    ClientOf<Pick<LenderClient, 'notifyPaymentReceipt' | 'notifyRepaymentAllocation'>> | undefined;
  /**
   * Loads the file of an upload by what {@link createJob} was given as `file`. The file is read and checked before the
   * job is marked as sent; that may take two minutes. If it cannot be read, nothing is sent and the job is tried again,
   * unless the error is named `UnrecoverableError`, as BullMQ's is.
   */
  readonly loadFile?:
    ((file: unknown, job: CheckedJob) => InvoiceFileInput | Promise<InvoiceFileInput>) | undefined;
}

/** The return value of an accepted job. */
export interface JobResult<Result = Payment | Invoice | AcknowledgementContent> {
  /** The service's answer. */
  result: Result;
  /** How the call went: the `$metadata` of the result, with times as ISO 8601 text. */
  metadata: Omit<ResultMetadata, 'attempts'> & { readonly attempts: readonly AttemptJSON[] };
}

/** The record of a job's runs, true if nothing is ever stored after it: plain JSON, to be stored as it is. */
export interface JobHistory {
  /** The worst outcome over all runs: `'unknown'` from right before a request is sent until it has ended otherwise. */
  readonly outcome: Outcome;
  /** The answer of an accepted request. A run that finds it returns it and sends nothing. */
  readonly answer?: JobResult;
}

/** Stores the history of one job, for one run of it, which must own the job: by a lock, or a claim that ends. */
export interface JobStore {
  /**
   * The value that any run has stored last; undefined or null where none has. `'lost'` where earlier runs happened and
   * their history is gone: the job was perhaps sent.
   */
  readonly history: JobHistory | null | undefined | 'lost';
  /**
   * Stores `known` for good, and confirms that this run still owns the job: once a run, right before the request is sent.
   * `false` sends nothing. A Date says until when the run owns the job, by this machine's clock read **before** the
   * statement: nothing is sent after it (the call option `sendBefore`). `true` says that no other run can own the job.
   */
  mark(known: JobHistory): Promise<Date | boolean>;
  /** Stores what is known now. It changes nothing once another run owns the job. */
  keep(known: JobHistory): Promise<unknown>;
}
