import type { AttemptJSON, ResultMetadata } from '../errors/call-metadata.js';
import type { AcknowledgementContent } from '../lender/acknowledgement.js';
import type { InstallmentApi } from '../client.js';
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
interface JobOf<Name extends Operation, Request, Repeats extends boolean, Additional = undefined> {
  /** The operation. */
  operation: Name;
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
  /**
   * Whether a request that may have been sent is sent again, and tried again after an `'unknown'` outcome. Set it to
   * false for a payment or receipt if the service acts again on a repeated key; with true, an upload or allocation may
   * be acted on twice. @default false for an upload or allocation; else as the worker's client has it: true
   */
  repeatUnknown?: Repeats | undefined;
  /** For a payment or an upload: the call option of the same name. It is part of the job's ID. */
  additionalFields?: Additional | undefined;
}

/** An invoice to upload. */
interface InvoiceJob extends JobOf<'uploadInvoice', Omit<InvoiceUpload, 'file'>, boolean, AdditionalTexts> {
  /**
   * The name of the file, for `loadFile`: any JSON value, such as a key in your object storage. The file itself does not
   * belong in a queue, and bytes are refused.
   */
  file?: unknown;
}

/** The argument of {@link createJob}. */
export type NewJob =
  | JobOf<'initiatePayment', PaymentRequest, false, AdditionalFields>
  | InvoiceJob
  | JobOf<'paymentReceipt', PaymentReceiptNotification, false>
  | JobOf<'repaymentAllocation', RepaymentAllocationNotification, boolean>;

/** The data of a job: plain JSON, with customer data and without secrets. See {@link NewJob}. */
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
  additionalFields?: AdditionalFields | undefined;
}

/** A job whose data was checked, as the functions of a sender get it. */
export interface CheckedJob {
  /** The same for the same request, so that adding it again adds nothing. */
  readonly id: string;
  /** The operation. */
  readonly name: NewJob['operation'];
  /** The data that the worker needs. */
  readonly data: JobData;
}

/** The options of every job for BullMQ. Failed jobs are kept: a person looks at them. */
export const jobOptions = {
  attempts: 12,
  backoff: { type: 'installment-payments', delay: 5_000 },
  removeOnComplete: { age: 7 * 24 * 60 * 60 },
  removeOnFail: false,
  stackTraceLimit: 3,
};

/** A job as {@link createJob} makes it: plain JSON. */
export interface JobArguments extends CheckedJob {
  /**
   * For BullMQ's `queue.add`: 12 runs that may fail, 5 seconds before the second; a completed job is kept for a week, a
   * failed one until a person removes it. They can be overridden, but for `jobId` and `backoff.type`.
   */
  readonly opts: typeof jobOptions & { jobId: string };
}

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
   * job is marked as sent; that may take two minutes. If it cannot be read, nothing is sent and the job is tried again.
   */
  readonly loadFile?:
    ((file: unknown, job: CheckedJob) => InvoiceFileInput | Promise<InvoiceFileInput>) | undefined;
}

/** The return value of an accepted job. */
export interface JobResult<Result = Payment | Invoice | AcknowledgementContent> {
  /** The service's response. */
  result: Result;
  /** How the call went: the `$metadata` of the result, with times as ISO 8601 text. */
  metadata: Omit<ResultMetadata, 'attempts'> & { readonly attempts: readonly AttemptJSON[] };
}

/** The record of a job's runs, true if nothing is ever stored after it: plain JSON, to be stored as it is. */
export interface JobHistory {
  /**
   * The worst outcome over all runs: `'unknown'`, the marker, from right before a request is sent until it has ended
   * otherwise.
   */
  readonly outcome: Outcome;
  /** The response of an accepted request. A run that finds it returns it and sends nothing. */
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
