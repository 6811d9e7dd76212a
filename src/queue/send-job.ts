import type { WithMetadata } from '../errors/call-metadata.js';
import { isInstallmentError } from '../errors/error-table.js';
import { describe, safeWords } from '../errors/foreign-errors.js';
import type { MerchantCallOptions } from '../options/call-options.js';
import { isKeyless, isMerchantOperation } from '../protocol/endpoints.js';
import type { InvoiceFileInput } from '../protocol/invoice-types.js';
import { isRecord, readProperty, valueOf } from '../values/untrusted-values.js';
import { hasOwnId } from './job-id.js';
import { JobFailure } from './job-failure.js';
import type { CheckedJob, JobResult, NewJob, SenderOptions } from './job-types.js';

/** A job as a queue hands it over. */
export type QueuedJob = Readonly<{ id: string; name: string; data: unknown }>;

/** Checks a job, which anyone with write access to the queue can add. The client checks the request itself. */
export function parseJob(job: QueuedJob): CheckedJob {
  const { id, name, data } = job as CheckedJob;
  // Data that createJob never makes has no ID at all. A file in the request would be a path on this machine.
  const isOwn = valueOf(
    () => Object.hasOwn(methods, name) && !('file' in data.request) && hasOwnId(id, name, data),
  );
  if (isOwn) return { id, name, data };
  const problem =
    'the job does not have the ID that createJob makes for its data: it was added without createJob, copied or changed. ' +
    'Nothing was sent, because its original may have been. Add a new job with createJob';
  throw new JobFailure('CONFIGURATION', problem, { isFinal: true });
}

/** True for a request that is not sent again after it may have been sent: the service could act twice. */
export function isSentOnce({ name, data }: Pick<QueuedJob, 'name' | 'data'>): boolean {
  const repeatUnknown = readProperty(data, 'repeatUnknown');
  return typeof repeatUnknown === 'boolean' ? !repeatUnknown : isKeyless(name);
}

export async function clientOf(job: CheckedJob, { client, lender }: SenderOptions): Promise<object> {
  const chosen = isMerchantOperation(job.name) ? client : lender;
  let found: unknown;
  try {
    found = typeof chosen === 'function' ? await chosen(job) : chosen;
  } catch (cause) {
    const words = describe(safeWords(cause));
    throw new JobFailure('CONFIGURATION', `the function that finds the client rejected: ${words}`, { cause });
  }
  if (isRecord(found)) return found;
  const problem = `${job.name} was not sent: there is no client for it, or none for its data.account`;
  throw new JobFailure('CONFIGURATION', problem, { isFinal: true });
}

const methods: Readonly<Record<NewJob['operation'], string>> = {
  initiatePayment: 'initiatePayment',
  uploadInvoice: 'uploadInvoice',
  paymentReceipt: 'notifyPaymentReceipt',
  repaymentAllocation: 'notifyRepaymentAllocation',
};

/** Calls a method of a client, which checks the request: the types of its requests are not stated here. */
type Call = (request: object, options: MerchantCallOptions) => Promise<JobResult['result'] & WithMetadata>;

export async function sendJob(
  { name, data: { request, additionalFields } }: CheckedJob,
  client: object,
  file: InvoiceFileInput | undefined,
  options: MerchantCallOptions,
): Promise<JobResult> {
  const call = Reflect.get(client, methods[name]) as Call;
  const complete = { ...request, ...(file && { file }) };
  const result = await call.call(client, complete, {
    ...options,
    ...(additionalFields && { additionalFields }),
  });
  // Times become texts.
  return { result, metadata: JSON.parse(JSON.stringify(result.$metadata)) as JobResult['metadata'] };
}

/** How a call failed. An error of another package proves nothing, so the service may have acted. */
export function failureOf(error: unknown, { name }: CheckedJob, isOnce: boolean): JobFailure {
  if (!isInstallmentError(error)) {
    const text = `the client failed: ${describe(safeWords(error))}`;
    return new JobFailure('UNEXPECTED_ERROR', text, { outcome: 'unknown', isFinal: isOnce, cause: error });
  }
  const { outcome, code, message, retryable, retryAfterMs, $metadata } = error;
  // The outcome covers earlier runs too, where one may have been sent: a refusal of this run ends the job all the same.
  const own = $metadata?.attempts.at(-1);
  const isRefused = own?.outcome === 'rejected' && own.httpStatus !== 429;
  // A call whose sendBefore is over is not repeated as it is. The next run has a new one.
  const mayBeRetried =
    retryable || code === 'TIMEOUT' || (isKeyless(name) && outcome === 'unknown' && !isRefused);
  const isFinal = !mayBeRetried || (isOnce && outcome === 'unknown');
  return new JobFailure(code, message, { outcome, isFinal, retryAfterMs, cause: error });
}
