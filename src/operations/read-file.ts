import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { isUint8Array } from 'node:util/types';
import { invalidInput } from '../errors/make-error.js';
import { describe, wordsOfError } from '../errors/foreign-errors.js';
import { valid } from '../values/checked.js';
import { ignoreErrors } from '../values/untrusted-values.js';
import type { Call, WithinLimits } from '../http/call.js';
import { nextTurn } from '../values/timers.js';
import {
  checkFile,
  tooLarge,
  wrongFile,
  type CheckedFile,
  type FileProblem,
  type InvoiceFile,
} from '../protocol/file-rules.js';
import { fileSourceOf, isWebStream, type FileSource, type PieceStream } from '../protocol/file-source.js';
import type { InvoiceFileInput } from '../protocol/invoice-types.js';
import { maxFileBytes } from '../protocol/limits.js';

type Pieces = CheckedFile<Uint8Array[]>;

const chunksPerTurn = 1024;
const blockBytes = 64 * 1024;

/** Copies of pieces, in blocks. A source can reuse its buffer, and can return each byte as a separate piece. */
class CopiedPieces {
  readonly #blocks: Uint8Array[] = [];
  /** The free part of the last block. */
  #free = new Uint8Array();

  add(piece: Uint8Array): void {
    for (let rest = piece; rest.length > 0;) {
      if (this.#free.length === 0) this.#blocks.push((this.#free = new Uint8Array(blockBytes)));
      const part = rest.subarray(0, this.#free.length);
      this.#free.set(part);
      this.#free = this.#free.subarray(part.length);
      rest = rest.subarray(part.length);
    }
  }

  all(): Uint8Array[] {
    const last = this.#blocks.at(-1)?.subarray(0, blockBytes - this.#free.length);
    return last ? [...this.#blocks.slice(0, -1), last] : [];
  }
}

// Two uploads of one stream would share its pieces, and the first one to end would close the stream for both. ES
// modules and CommonJS share the list. Reflect.set does not throw if globalThis is frozen.
const takenKey = Symbol.for('installment-payments.streams');
const takenStreams = (Reflect.get(globalThis, takenKey) as WeakSet<object> | undefined) ?? new WeakSet();
Reflect.set(globalThis, takenKey, takenStreams);

/** True unless the object makes a new iterator each time. */
function isReadOnce(stream: PieceStream): boolean {
  return isWebStream(stream) || 'destroy' in stream || 'next' in stream;
}

/** Claims a stream; undefined if another upload has claimed it. */
function takeStream(stream: PieceStream) {
  if (isWebStream(stream)) {
    const reader = stream.getReader();
    return { next: () => reader.read(), close: () => reader.cancel() };
  }
  if (takenStreams.has(stream)) return undefined;
  const node: Partial<Readable> = stream as object;
  if (isReadOnce(stream)) takenStreams.add(stream);
  const iterator = stream[Symbol.asyncIterator]();
  const close = () => {
    // Without a listener, an error of the unread stream would end the process.
    node.on?.('error', () => undefined);
    return node.destroy ? node.destroy() : iterator.return?.();
  };
  return { next: () => iterator.next(), close };
}

/** Closes the stream of a valid file that is not read, unless another upload has claimed it. */
export function closeUnread(file: unknown): void {
  void ignoreErrors(() => {
    const source = fileSourceOf(file);
    if (!source.ok || source.value.kind !== 'stream' || !isReadOnce(source.value.stream)) return;
    return takeStream(source.value.stream)?.close();
  });
}

/** Reads a stream until it ends, exceeds the limit or is aborted. */
async function readStream(stream: PieceStream, signal: AbortSignal): Promise<Pieces> {
  const reader = takeStream(stream);
  if (!reader) return wrongFile('is a stream that something else is reading, or has read');
  const { next, close } = reader;
  const stop = () => void ignoreErrors(close);
  signal.addEventListener('abort', stop);
  const pieces = new CopiedPieces();
  let count = 0;
  let size = 0;
  try {
    for (let piece = await next(); !piece.done; piece = await next()) {
      signal.throwIfAborted();
      if (!isUint8Array(piece.value))
        return wrongFile('must be a stream of bytes: a piece is not a Uint8Array');
      size += piece.value.length;
      if (size > maxFileBytes) return tooLarge;
      pieces.add(piece.value);
      count += 1;
      // If a source never waits, the timers of the limits would never run.
      if (count % chunksPerTurn === 0) await nextTurn();
    }
  } finally {
    stop();
  }
  // busboy and @fastify/multipart set this property if the stream ended early, without an error.
  return Reflect.get(stream, 'truncated') === true
    ? wrongFile(
        'was cut short, because it exceeds the limit of the multipart parser (busboy, multer, @fastify/multipart: ' +
          `limits.fileSize): set that limit above ${maxFileBytes} bytes`,
      )
    : valid(pieces.all());
}

/** The bytes of a file, unless its size changed: a file that is still being written would be sent incomplete. */
function atSize(bytes: Uint8Array, before: number, later: number): Pieces {
  if (before === bytes.length && later === bytes.length) return valid([bytes]);
  return wrongFile(
    `changed its size while it was read (${before} bytes before, ${bytes.length} read, ${later} after): ` +
      'write it under a different name, and rename it when it is complete',
  );
}

async function readPath(path: string, signal: AbortSignal): Promise<Pieces> {
  // The path is checked before it is opened: opening a pipe waits for its other end, and that cannot be interrupted.
  const stats = await stat(path);
  if (!stats.isFile()) return wrongFile(stats.isDirectory() ? 'is a folder' : 'is not a regular file');
  if (stats.size > maxFileBytes) return tooLarge;
  const handle = await open(path);
  try {
    // The size is that of the open file, because the path can lead to a new file by now.
    const { size } = await handle.stat();
    if (size > maxFileBytes) return tooLarge;
    // The buffer has room for one byte more, which shows whether the file has grown.
    const bytes = Buffer.allocUnsafe(size + 1);
    let read = 0;
    for (let more = 1; more > 0; read += more) {
      signal.throwIfAborted();
      more = (await handle.read(bytes, { offset: read })).bytesRead;
    }
    return atSize(bytes.subarray(0, read), size, (await handle.stat()).size);
  } finally {
    await handle.close();
  }
}

async function readBlob(blob: Blob): Promise<Pieces> {
  const { size } = blob;
  if (size > maxFileBytes) return tooLarge;
  return atSize(new Uint8Array(await blob.arrayBuffer()), size, blob.size);
}

function piecesOf(source: FileSource, signal: AbortSignal) {
  if (source.kind === 'bytes') return valid([source.bytes]);
  if (source.kind === 'blob') return readBlob(source.blob);
  return source.kind === 'path' ? readPath(source.path, signal) : readStream(source.stream, signal);
}

/**
 * Reads and checks a file, and calls `make` with it. For bytes, `make` runs synchronously, so no extra copy is needed:
 * the caller may change the bytes after the call.
 */
export async function readInvoice<Made>(
  file: unknown,
  signal: AbortSignal,
  make: (file: InvoiceFile) => Made,
): Promise<CheckedFile<Made>> {
  const source = fileSourceOf(file);
  if (!source.ok) return wrongFile(source.problem);
  const read = piecesOf(source.value, signal);
  const pieces = read instanceof Promise ? await read : read;
  const checked = pieces.ok ? checkFile(source.value, pieces.value) : pieces;
  return checked.ok ? valid(make(checked.value)) : checked;
}

/** Reads the file of an upload within the limits of its call, and resolves to the result of `make`. */
export async function readFile<Made>(
  given: InvoiceFileInput,
  limits: WithinLimits,
  { subject, mayHaveBeenSent }: Pick<Call<unknown>, 'subject' | 'mayHaveBeenSent'>,
  make: (file: InvoiceFile) => Made,
): Promise<Made> {
  const refusal = ({ message, resultStatus }: FileProblem, cause: object = {}) =>
    invalidInput([{ path: ['file'], message, resultStatus }], subject, { mayHaveBeenSent, ...cause });
  const unreadable = (cause: unknown) => {
    // An error of the disk names the path. An error of a stream comes from the caller's code and stays in the cause.
    const source = fileSourceOf(given);
    const isFromDisk = cause instanceof Error && source.ok && source.value.kind === 'path';
    const reason = isFromDisk ? cause.message : `${describe(wordsOfError(cause))} (see error.cause)`;
    return refusal(wrongFile(`cannot be read: ${reason}`).problem, { cause });
  };
  const read = limits.within(
    (signal) => readInvoice(given, signal, make),
    unreadable,
    'reading the file',
  );
  // If no time is left, reading does not begin, and the stream is still open.
  const made = await read.finally(() => closeUnread(given));
  if (!made.ok) throw refusal(made.problem);
  return made.value;
}
