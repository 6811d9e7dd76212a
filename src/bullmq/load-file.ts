import { ValidationError } from '../errors/errors.js';
import { describe, safeWords } from '../errors/redact.js';
import { callerSignal } from '../http/caller-signal.js';
import type { Runtime } from '../http/runtime.js';
import { bounded } from '../http/bounded.js';
import { closingStreams } from '../operations/closing-streams.js';
import { subjectOf } from '../operations/parse-input.js';
import { readSource } from '../operations/read-file.js';
import { checkFile, FileProblem, type InvoiceFile } from '../protocol/file-rules.js';
import { fileSourceOf } from '../protocol/file-source.js';
import type { InvoiceFileInput } from '../protocol/invoice-types.js';
import { notSent } from './job-outcome.js';
import type { ProcessorOptions } from './job-types.js';
import { failureOf, type Run } from './run.js';

/** Loading and reading together. A stream that stalls would otherwise keep its job for ever. */
const limitMs = 120_000;

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
): Promise<InvoiceFileInput> {
  const { job } = run;
  if (!loadFile) throw notSent('FILE_NOT_LOADED', 'the processor has no loadFile. Nothing was sent.');
  const load = async (stopped: AbortSignal) => {
    const file: unknown = await loadFile(job.data.file, job);
    return closingStreams({ file }, () => readInput(file, stopped));
  };
  const loaded = await bounded(load, { ms: limitMs, signal: signal && callerSignal(signal), runtime });
  switch (loaded.ended) {
    case 'timeout':
      throw notSent('FILE_NOT_LOADED', `the file was not read within ${limitMs} ms. Nothing was sent.`);
    case 'aborted':
      throw notSent('ABORTED', 'the worker cancelled the job. Nothing was sent.');
    case 'failed': {
      const words = safeWords(loaded.error);
      throw notSent('FILE_NOT_LOADED', `the file cannot be read: ${describe(words)}. Nothing was sent.`, {
        isRetried: words.name !== 'UnrecoverableError',
        cause: loaded.error,
      });
    }
    case 'done': {
      if (!(loaded.value instanceof FileProblem)) {
        const { bytes: data, filename, contentType } = loaded.value;
        return { data, filename, contentType };
      }
      const { message, resultStatus } = loaded.value;
      const subject = subjectOf('uploadInvoice', job.data.request);
      const error = new ValidationError([{ path: ['file'], message, resultStatus }], subject);
      throw notSent(error.code, error.message, failureOf(error, run));
    }
  }
}
