import { invalidInput } from '../errors/error-of.js';
import { describe, safeWords } from '../errors/error-words.js';
import { bounded } from '../http/bounded.js';
import { callerSignal } from '../http/caller-signal.js';
import type { Runtime } from '../http/runtime.js';
import { holdFile } from '../operations/hold-file.js';
import { subjectOf } from '../operations/parse-input.js';
import { readSource } from '../operations/read-file.js';
import { checkFile, FileProblem, type InvoiceFile } from '../protocol/file-rules.js';
import { fileSourceOf } from '../protocol/file-source.js';
import type { InvoiceFileInput } from '../protocol/invoice-types.js';
import type { ProcessorOptions } from './job-types.js';
import { failedRun, RunFailedError } from './run-failure.js';
import { failureOf, type JobRun } from './send-job.js';

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
  run: JobRun,
  loadFile: ProcessorOptions['loadFile'],
  signal: AbortSignal | undefined,
  runtime: Runtime,
): Promise<InvoiceFileInput | undefined> {
  const { job } = run;
  const { file: name, request } = job.data;
  if (name === undefined) return undefined;
  if (!loadFile) throw failedRun('FILE_NOT_LOADED', 'the processor has no loadFile. Nothing was sent.');
  const load = async (stopped: AbortSignal) => {
    const file: unknown = await loadFile(name, job);
    const { parsed, release } = holdFile(file);
    if ('issues' in parsed) return new FileProblem(parsed.issues[0]?.message ?? '');
    return readInput(file, stopped).finally(release);
  };
  const limit = { ms: fileLimitMs, signal: signal && callerSignal(signal), runtime };
  const loaded = await bounded(load, limit);
  if (loaded.ended === 'timeout') {
    throw failedRun('FILE_NOT_LOADED', `the file was not read within ${fileLimitMs} ms. Nothing was sent.`);
  }
  if (loaded.ended === 'aborted') {
    throw failedRun('ABORTED', 'the worker cancelled the job. Nothing was sent.');
  }
  if (loaded.ended === 'failed') {
    const words = safeWords(loaded.error);
    const isRetried = words.name !== 'UnrecoverableError';
    const message = `the file cannot be read: ${describe(words)}. Nothing was sent.`;
    throw failedRun('FILE_NOT_LOADED', message, { isRetried, cause: loaded.error });
  }
  if (loaded.value instanceof FileProblem) {
    const { message, resultStatus } = loaded.value;
    const issues = [{ path: ['file'], message, resultStatus }];
    const error = invalidInput(issues, subjectOf('uploadInvoice', request));
    throw new RunFailedError(failureOf(error, run));
  }
  const { bytes: data, filename, contentType } = loaded.value;
  return { data, filename, contentType };
}
