import { invalidInput } from '../errors/error-of.js';
import { describe, safeWords } from '../errors/foreign-errors.js';
import { bounded } from '../http/bounded.js';
import type { Runtime } from '../http/runtime.js';
import { subjectOf } from '../operations/parse-input.js';
import { readInvoice } from '../operations/read-file.js';
import { FileProblem } from '../protocol/file-rules.js';
import type { InvoiceFileInput } from '../protocol/invoice-types.js';
import { JobFailure } from './job-failure.js';
import type { CheckedJob, SenderOptions } from './job-types.js';

/** Loading and reading together. A stream that stalls would otherwise keep its job for ever. */
const fileLimitMs = 120_000;

const notLoaded = (text: string, cause?: unknown) =>
  new JobFailure('FILE_NOT_LOADED', `${text}. Nothing was sent.`, { cause });

/** The file of an upload, in memory and checked, so that nothing but the request itself happens under the marker. */
export async function loadedFile(
  job: CheckedJob,
  loadFile: SenderOptions['loadFile'],
  signal: AbortSignal | undefined,
  runtime: Runtime,
): Promise<InvoiceFileInput | undefined> {
  const { file: name, request } = job.data;
  if (name === undefined) return undefined;
  if (!loadFile) throw notLoaded('there is no loadFile');
  const load = async (stopped: AbortSignal) => readInvoice(await loadFile(name, job), stopped);
  const loaded = await bounded(load, { ms: fileLimitMs, signal, runtime });
  if (loaded.ended === 'aborted') throw new JobFailure('ABORTED', 'the job was cancelled. Nothing was sent.');
  if (loaded.ended === 'timeout') throw notLoaded(`the file was not read within ${fileLimitMs} ms`);
  if (loaded.ended === 'failed')
    throw notLoaded(`the file cannot be read: ${describe(safeWords(loaded.error))}`, loaded.error);
  if (loaded.value instanceof FileProblem) {
    const { message, resultStatus } = loaded.value;
    const issue = { path: ['file'], message, resultStatus };
    const cause = invalidInput([issue], subjectOf('uploadInvoice', request));
    throw new JobFailure('VALIDATION', cause.message, { isFinal: true, cause });
  }
  const { bytes: data, filename, contentType } = loaded.value;
  return { data, filename, contentType };
}
