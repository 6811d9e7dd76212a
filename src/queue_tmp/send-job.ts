import type { WithMetadata } from '../errors/call-metadata.js';
import { isInstallmentError } from '../errors/guards.js';
import { describe, safeWords } from '../errors/error-words.js';
import type { CallOptions } from '../options/call-options.js';
import { repeatsUnknown } from '../options/repeats-unknown.js';
import { isKeyless, isMerchantOperation, operations, type Operation } from '../protocol/endpoints.js';
import type { InvoiceFileInput } from '../protocol/invoice-types.js';
import { isRecord } from '../values/untrusted-values.js';
import type { CheckedJob, JobResult, ProcessedJob, ProcessorOptions } from './job-types.js';
import { failedRun, type RunFailure } from './run-failure.js';

export interface JobRun {
  readonly operation: Operation;
  readonly job: CheckedJob;
}

const isFinal = { isRetried: false };

/** Checks a job, which anyone with write access to the queue can add. The client checks the request itself. */
export function parseJob(job: ProcessedJob): JobRun {
  const operation = operations.find((each) => each === job.name);
  const { data } = job;
  // A file in the request would be a path on this machine.
  if (operation === undefined || !isRecord(data) || !isRecord(data['request']) || 'file' in data['request']) {
    throw failedRun('VALIDATION', 'the job was not made by createJob', isFinal);
  }
  return { operation, job: job as CheckedJob };
}

/** True for a request that is not sent again after it may have been sent: the service could act twice. */
export function isSentOnce({ name, data }: ProcessedJob): boolean {
  const repeatUnknown = isRecord(data) ? data['repeatUnknown'] : undefined;
  return typeof repeatUnknown === 'boolean' ? !repeatUnknown : isKeyless(name);
}

type Send = (
  file: InvoiceFileInput | undefined,
  options: Pick<CallOptions, 'mayHaveBeenSent' | 'signal'>,
) => Promise<JobResult['result'] & WithMetadata>;

interface Sender {
  readonly send: Send;
  /** True for a payment or receipt of a client with `repeatUnknown: false`; what the job says is {@link isSentOnce}. */
  readonly isOnceByClient: boolean;
}

type ClientOf<Client> = Client | ((job: CheckedJob) => Client | undefined | Promise<Client | undefined>);

async function clientOf<Client extends object>(
  chosen: ClientOf<Client> | undefined,
  { operation, job }: JobRun,
): Promise<Client> {
  let client: Client | undefined;
  try {
    client = typeof chosen === 'function' ? await chosen(job) : chosen;
  } catch (cause) {
    const words = describe(safeWords(cause));
    throw failedRun('CONFIGURATION', `the function that finds the client rejected: ${words}`, { cause });
  }
  // A function may return anything.
  if (isRecord(client)) return client;
  const problem =
    typeof chosen === 'function'
      ? "the processor's function returned no client for this job: check its data.account"
      : 'the processor has no client for it';
  throw failedRun('CONFIGURATION', `${operation} was not sent: ${problem}`, isFinal);
}

/**
 * The call that a run makes. The client repeats a payment or receipt in the first run only: later the queue repeats it, so
 * that one job does not send three times as often as it has runs. What is sent once is never repeated by the client: while
 * the client waits, the marker says that the request may have been sent; the queue waits without a marker.
 */
export async function senderOf(run: JobRun, { client, lender }: ProcessorOptions): Promise<Sender> {
  const { operation, job } = run;
  const { request } = job.data;
  const isRepeatedByQueue = isKeyless(operation) || isSentOnce(job) || job.attemptsStarted > 1;
  const senderBy = (chosen: object, call: Send): Sender => {
    const isOnceByClient = !isKeyless(operation) && !repeatsUnknown(chosen);
    const terms = isRepeatedByQueue || isOnceByClient ? { maxRetries: 0 } : {};
    return { send: (file, options) => call(file, { ...options, ...terms }), isOnceByClient };
  };
  // The client checks the request, so its type is not stated here.
  if (isMerchantOperation(operation)) {
    const merchant = await clientOf(client, run);
    return senderBy(merchant, (file, options) =>
      operation === 'initiatePayment'
        ? merchant.initiatePayment(request as never, options)
        : merchant.uploadInvoice({ ...request, file } as never, options),
    );
  }
  const sender = await clientOf(lender, run);
  return senderBy(sender, (_file, options) =>
    operation === 'paymentReceipt'
      ? sender.notifyPaymentReceipt(request as never, options)
      : sender.notifyRepaymentAllocation(request as never, options),
  );
}

/** How a call failed. An error of another package proves nothing, so the service may have acted. */
export function failureOf(error: unknown, { operation, job }: JobRun, isOnceByClient = false): RunFailure {
  const isRepeated = !isSentOnce(job) && !isOnceByClient;
  if (!isInstallmentError(error)) {
    const message = `the client failed: ${describe(safeWords(error))}`;
    return { outcome: 'unknown', code: 'UNEXPECTED_ERROR', message, isRetried: isRepeated, cause: error };
  }
  const { outcome, code, message, retryable, retryAfterMs, $metadata } = error;
  // The outcome covers earlier runs too, where one may have been sent: a refusal of this run ends the job all the same.
  const own = $metadata?.attempts.at(-1);
  const isRefused = own?.outcome === 'rejected' && own.httpStatus !== 429;
  const mayBeRetried = retryable || (isKeyless(operation) && outcome === 'unknown' && !isRefused);
  const isRetried = mayBeRetried && (isRepeated || outcome !== 'unknown');
  return { outcome, code, message, isRetried, retryAfterMs, cause: error };
}
