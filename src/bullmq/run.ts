import type { WithMetadata } from '../errors/call-metadata.js';
import { ValidationError } from '../errors/errors.js';
import { isInstallmentError } from '../errors/guards.js';
import { describe, safeWords } from '../errors/redact.js';
import { bounded } from '../http/bounded.js';
import { callerSignal } from '../http/caller-signal.js';
import type { Runtime } from '../http/runtime.js';
import type { CallOptions } from '../options/call-options.js';
import { closingStreams } from '../operations/closing-streams.js';
import { subjectOf } from '../operations/parse-input.js';
import { readSource } from '../operations/read-file.js';
import { isKeyless, isMerchantOperation, operations, type Operation } from '../protocol/endpoints.js';
import { checkFile, FileProblem, type InvoiceFile } from '../protocol/file-rules.js';
import { fileSourceOf } from '../protocol/file-source.js';
import type { InvoiceFileInput } from '../protocol/invoice-types.js';
import { isRecord } from '../protocol/untrusted-values.js';
import { notSent, RunFailedError, type RunFailure } from './job-outcome.js';
import type { CheckedJob, JobResult, ProcessedJob, ProcessorOptions } from './job-types.js';

export interface Run {
  readonly operation: Operation;
  readonly job: CheckedJob;
}

const isFinal = { isRetried: false };

/** Checks a job, which anyone with write access to the queue can add. The client checks the request itself. */
export function parseJob(job: ProcessedJob): Run {
  const operation = operations.find((each) => each === job.name);
  const { data } = job;
  // A file in the request would be a path on this machine.
  if (operation === undefined || !isRecord(data) || !isRecord(data['request']) || 'file' in data['request']) {
    throw notSent('VALIDATION', 'the job was not made by createJob', isFinal);
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
type ClientOf<Client> = Client | ((job: CheckedJob) => Client | undefined | Promise<Client | undefined>);

async function clientOf<Client extends object>(
  chosen: ClientOf<Client> | undefined,
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
      ? "the processor's function returned no client for this job: check its data.account"
      : 'the processor has no client for it';
  throw notSent('CONFIGURATION', `${operation} was not sent: ${problem}`, isFinal);
}

/**
 * The call that a run makes. The client repeats a payment or receipt in the first run only: later the queue repeats it, so
 * that one job does not send three times as often as it has runs. What is sent once is never repeated by the client: the
 * marker would stand for as long as it waits, and the queue can wait without one.
 */
export async function senderOf(run: Run, { client, lender }: ProcessorOptions): Promise<Send> {
  const { operation, job } = run;
  const isRepeatedByQueue = isKeyless(operation) || isSentOnce(job) || job.attemptsStarted > 1;
  const limits = isRepeatedByQueue ? { maxRetries: 0 } : {};
  const { request } = job.data;
  // The client checks the request, so its type is not stated here.
  if (isMerchantOperation(operation)) {
    const merchant = await clientOf(client, run);
    return (file, options) =>
      operation === 'initiatePayment'
        ? merchant.initiatePayment(request as never, { ...options, ...limits })
        : merchant.uploadInvoice({ ...request, file } as never, { ...options, ...limits });
  }
  const sender = await clientOf(lender, run);
  return (_file, options) =>
    operation === 'paymentReceipt'
      ? sender.notifyPaymentReceipt(request as never, { ...options, ...limits })
      : sender.notifyRepaymentAllocation(request as never, { ...options, ...limits });
}

/** How a call failed. An error of another package proves nothing, so the service may have acted. */
export function failureOf(error: unknown, { operation, job }: Run): RunFailure {
  const isRepeated = !isSentOnce(job);
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

/** Loading and reading together. A stream that stalls would otherwise keep its job for ever. */
const fileLimitMs = 120_000;

async function readInput(input: unknown, signal: AbortSignal): Promise<InvoiceFile | FileProblem> {
  const source = fileSourceOf(input);
  if (typeof source === 'string') return new FileProblem(source);
  const bytes = source.kind === 'bytes' ? source.bytes : await readSource(source, signal);
  return bytes instanceof FileProblem ? bytes : checkFile(source, bytes);
}

/** The file of an upload, in memory and checked, so that nothing but the request itself happens under the marker. */
export async function loadedFile(
  run: Run,
  loadFile: ProcessorOptions['loadFile'],
  signal: AbortSignal | undefined,
  runtime: Runtime,
): Promise<InvoiceFileInput | undefined> {
  const { job } = run;
  const { file: name, request } = job.data;
  if (name === undefined) return undefined;
  if (!loadFile) throw notSent('FILE_NOT_LOADED', 'the processor has no loadFile. Nothing was sent.');
  const load = async (stopped: AbortSignal) => {
    const file: unknown = await loadFile(name, job);
    return closingStreams({ file }, () => readInput(file, stopped));
  };
  const limit = { ms: fileLimitMs, signal: signal && callerSignal(signal), runtime };
  const loaded = await bounded(load, limit);
  if (loaded.ended === 'timeout') {
    throw notSent('FILE_NOT_LOADED', `the file was not read within ${fileLimitMs} ms. Nothing was sent.`);
  }
  if (loaded.ended === 'aborted') {
    throw notSent('ABORTED', 'the worker cancelled the job. Nothing was sent.');
  }
  if (loaded.ended === 'failed') {
    const words = safeWords(loaded.error);
    const isRetried = words.name !== 'UnrecoverableError';
    const message = `the file cannot be read: ${describe(words)}. Nothing was sent.`;
    throw notSent('FILE_NOT_LOADED', message, { isRetried, cause: loaded.error });
  }
  if (loaded.value instanceof FileProblem) {
    const { message, resultStatus } = loaded.value;
    const issues = [{ path: ['file'], message, resultStatus }];
    const error = new ValidationError(issues, subjectOf('uploadInvoice', request));
    throw new RunFailedError(failureOf(error, run));
  }
  const { bytes: data, filename, contentType } = loaded.value;
  return { data, filename, contentType };
}
