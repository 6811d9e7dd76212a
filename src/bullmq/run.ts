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
import { notSent, type RunFailure } from './job-outcome.js';
import type { CheckedJob, JobResult, ProcessedJob, ProcessorOptions } from './job-types.js';

/** What a run does. */
export interface Run {
  readonly operation: Operation;
  readonly job: CheckedJob;
}

/** What is in the queue, which anybody with access to it can write. The client checks the request itself. */
export function parseJob(job: ProcessedJob): Run {
  const operation = operations.find((each) => each === job.name);
  const { data } = job;
  // A file in the request would be a path on this machine.
  if (operation === undefined || !isRecord(data) || !isRecord(data['request']) || 'file' in data['request']) {
    throw notSent('VALIDATION', 'the job was not made by createJob', { isRetried: false });
  }
  return { operation, job: job as CheckedJob };
}

/** True for an operation that has no documented key by which the service could recognise a repeat. */
export function isKeyless(operation: string): boolean {
  return operation === 'uploadInvoice' || operation === 'repaymentAllocation';
}

/** True for a request that is not sent again after it may have been sent: the service could act twice. */
export function isSentOnce({ name, data }: ProcessedJob): boolean {
  const repeatUnknown = isRecord(data) ? data['repeatUnknown'] : undefined;
  return typeof repeatUnknown === 'boolean' ? !repeatUnknown : isKeyless(name);
}

interface SendOptions {
  readonly file: InvoiceFileInput | undefined;
  /** Absent for a first run: another job or process may have sent the same request, so nothing is vouched for. */
  readonly mayHaveBeenSent?: true;
  readonly signal: AbortSignal | undefined;
}

type Send = (options: SendOptions) => Promise<JobResult['result'] & WithMetadata>;

type OneOrMade<Client> = Client | ((job: CheckedJob) => Client | undefined | Promise<Client | undefined>);

/** The client of a job. Without one the job is left to another worker. */
async function clientOf<Client extends object>(
  chosen: OneOrMade<Client> | undefined,
  { operation, job }: Run,
): Promise<Client> {
  let client: Client | undefined;
  try {
    client = typeof chosen === 'function' ? await chosen(job) : chosen;
  } catch (cause) {
    const words = describe(safeWords(cause));
    throw notSent('CONFIGURATION', `the function that finds the client rejected: ${words}`, { cause });
  }
  // A function may return anything.
  if (isRecord(client)) return client;
  const problem =
    typeof chosen === 'function'
      ? `the processor's function returned no client for this job: check its data.account`
      : 'the processor has no client for it';
  throw notSent('CONFIGURATION', `${operation} was not sent: ${problem}`);
}

/**
 * The call that a run makes. The client checks the request, which is anything. What is sent once is not repeated by the
 * client: the marker would stand for as long as it waits, and the queue can wait without one.
 */
export async function senderOf(run: Run, { client, lender }: ProcessorOptions): Promise<Send> {
  const request: unknown = run.job.data.request;
  const limits = isKeyless(run.operation) || isSentOnce(run.job) ? { maxRetries: 0 } : {};
  switch (run.operation) {
    case 'initiatePayment': {
      const merchant = await clientOf(client, run);
      return ({ file: _, ...options }) =>
        merchant.initiatePayment(request as PaymentRequest, { ...options, ...limits });
    }
    case 'uploadInvoice': {
      const merchant = await clientOf(client, run);
      return ({ file, ...options }) =>
        merchant.uploadInvoice({ ...(request as InvoiceUpload), file }, { ...options, ...limits });
    }
    case 'paymentReceipt': {
      const sender = await clientOf(lender, run);
      return ({ file: _, ...options }) =>
        sender.notifyPaymentReceipt(request as PaymentReceiptNotification, { ...options, ...limits });
    }
    case 'repaymentAllocation': {
      const sender = await clientOf(lender, run);
      return ({ file: _, ...options }) =>
        sender.notifyRepaymentAllocation(request as RepaymentAllocationNotification, {
          ...options,
          ...limits,
        });
    }
  }
}

/** How a call failed. What is not an error of this package says nothing, so the service may have acted. */
export function failureOf(error: unknown, { operation, job }: Run): RunFailure {
  const isRepeated = !isSentOnce(job);
  if (!isInstallmentError(error)) {
    const message = `the client failed: ${describe(safeWords(error))}`;
    return { outcome: 'unknown', code: 'UNEXPECTED_ERROR', message, isRetried: isRepeated, cause: error };
  }
  const { outcome, code, message, retryable, retryAfterMs } = error;
  const mayBeRetried = retryable || (isKeyless(operation) && outcome === 'unknown');
  const isRetried = mayBeRetried && (isRepeated || outcome !== 'unknown');
  return { outcome, code, message, isRetried, retryAfterMs, cause: error };
}
