import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { isUint8Array } from 'node:util/types';
import { invalidInput } from '../errors/make-error.js';
import { shortDescription, safeFactsOf } from '../errors/foreign-errors.js';
import { valid } from '../values/checked.js';
import { ignoreErrors } from '../values/untrusted-values.js';
import type { Call, WorkRunner } from '../http/call.js';
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

type PiecesOrProblem = CheckedFile<Uint8Array[]>;

const piecesPerTurn = 1024;
const blockBytes = 64 * 1024;

/** Copies pieces into blocks: a source can reuse its buffer, and a piece can be a single byte. */
class CopiedPieces {
  readonly #blocks: Uint8Array[] = [];
  /** The free part of the last block. */
  #free = new Uint8Array();

  add(piece: Uint8Array): void {
    for (let rest = piece; rest.length > 0;) {
      if (this.#free.length === 0) {
        this.#free = new Uint8Array(blockBytes);
        this.#blocks.push(this.#free);
      }
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

// Each stream is claimed by one upload. Two uploads of the same stream would each get only some of its pieces, and the
// upload that ends first would close the stream. The ES module and CommonJS builds share the set of claimed streams.
// Reflect.set does not throw if globalThis is frozen.
const claimedStreamsKey = Symbol.for('installment-payments.streams');
const claimedStreams =
  (Reflect.get(globalThis, claimedStreamsKey) as WeakSet<object> | undefined) ?? new WeakSet();
Reflect.set(globalThis, claimedStreamsKey, claimedStreams);

/** True for a stream that can be read only once; false for an object that makes a new iterator each time. */
function isReadOnce(stream: PieceStream): boolean {
  return isWebStream(stream) || 'destroy' in stream || 'next' in stream;
}

/** Claims a stream; undefined if another upload has claimed it. */
function claimStream(stream: PieceStream) {
  if (isWebStream(stream)) {
    const reader = stream.getReader();
    return { next: () => reader.read(), close: () => reader.cancel() };
  }
  if (claimedStreams.has(stream)) return undefined;
  const node: Partial<Readable> = stream as object;
  if (isReadOnce(stream)) claimedStreams.add(stream);
  const iterator = stream[Symbol.asyncIterator]();
  const close = () => {
    // Without a listener, an error of the unread stream would end the process.
    node.on?.('error', () => undefined);
    return node.destroy ? node.destroy() : iterator.return?.();
  };
  return { next: () => iterator.next(), close };
}

/** Closes the stream of a valid file that was not read. A stream that another upload has claimed stays open. */
export function closeUnread(file: unknown): void {
  void ignoreErrors(() => {
    const source = fileSourceOf(file);
    if (!source.ok || source.value.kind !== 'stream' || !isReadOnce(source.value.stream)) return;
    return claimStream(source.value.stream)?.close();
  });
}

/** Reads a stream until it ends, exceeds the size limit or is aborted. */
async function readStream(stream: PieceStream, signal: AbortSignal): Promise<PiecesOrProblem> {
  const reader = claimStream(stream);
  if (!reader) return wrongFile('is a stream that is already being read, or was read before');
  const { next, close } = reader;
  const stop = () => void ignoreErrors(close);
  signal.addEventListener('abort', stop);
  const pieces = new CopiedPieces();
  let pieceCount = 0;
  let size = 0;
  try {
    for (let piece = await next(); !piece.done; piece = await next()) {
      signal.throwIfAborted();
      if (!isUint8Array(piece.value))
        return wrongFile('must be a stream of bytes: a piece is not a Uint8Array');
      size += piece.value.length;
      if (size > maxFileBytes) return tooLarge;
      pieces.add(piece.value);
      pieceCount += 1;
      // Without this pause, a source that never waits would keep the timers of the time limits from firing.
      if (pieceCount % piecesPerTurn === 0) await nextTurn();
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

/**
 * The bytes of a file, or a problem if the size of the file changed during the read. Another process is probably still
 * writing such a file, and the client would send an incomplete file.
 */
function unlessResized(bytes: Uint8Array, sizeBefore: number, sizeAfter: number): PiecesOrProblem {
  if (sizeBefore === bytes.length && sizeAfter === bytes.length) return valid([bytes]);
  return wrongFile(
    `changed its size while it was read (${sizeBefore} bytes before, ${bytes.length} read, ${sizeAfter} after): ` +
      'write it under a different name, and rename it when it is complete',
  );
}

async function readPath(path: string, signal: AbortSignal): Promise<PiecesOrProblem> {
  // The file is checked before it is opened: opening a named pipe waits until another process opens the pipe, and this
  // wait cannot be interrupted.
  const stats = await stat(path);
  if (!stats.isFile()) return wrongFile(stats.isDirectory() ? 'is a folder' : 'is not a regular file');
  if (stats.size > maxFileBytes) return tooLarge;
  const handle = await open(path);
  try {
    // The size of the open file counts, because the path can lead to a different file by now.
    const { size } = await handle.stat();
    if (size > maxFileBytes) return tooLarge;
    // The buffer has room for one extra byte. If that byte is read, the file has grown.
    const bytes = Buffer.allocUnsafe(size + 1);
    let read = 0;
    for (let more = 1; more > 0; read += more) {
      signal.throwIfAborted();
      more = (await handle.read(bytes, { offset: read })).bytesRead;
    }
    return unlessResized(bytes.subarray(0, read), size, (await handle.stat()).size);
  } finally {
    await handle.close();
  }
}

async function readBlob(blob: Blob): Promise<PiecesOrProblem> {
  const { size } = blob;
  if (size > maxFileBytes) return tooLarge;
  return unlessResized(new Uint8Array(await blob.arrayBuffer()), size, blob.size);
}

function piecesOf(source: FileSource, signal: AbortSignal) {
  if (source.kind === 'bytes') return valid([source.bytes]);
  if (source.kind === 'blob') return readBlob(source.blob);
  return source.kind === 'path' ? readPath(source.path, signal) : readStream(source.stream, signal);
}

/**
 * Reads and checks a file, and calls `build` with the file. For bytes in memory, `build` runs synchronously, before
 * `uploadInvoice` returns its promise. The caller can change the bytes only after that, so they need no copy.
 */
export async function readAndCheckFile<Built>(
  file: unknown,
  signal: AbortSignal,
  build: (file: InvoiceFile) => Built,
): Promise<CheckedFile<Built>> {
  const source = fileSourceOf(file);
  if (!source.ok) return wrongFile(source.problem);
  const read = piecesOf(source.value, signal);
  const pieces = read instanceof Promise ? await read : read;
  const checked = pieces.ok ? checkFile(source.value, pieces.value) : pieces;
  return checked.ok ? valid(build(checked.value)) : checked;
}

/** Reads the file of an upload within the time limits of its call, and resolves to the result of `build`. */
export async function readUploadFile<Built>(
  given: InvoiceFileInput,
  runner: WorkRunner,
  { subject, mayHaveBeenSent }: Pick<Call<unknown>, 'subject' | 'mayHaveBeenSent'>,
  build: (file: InvoiceFile) => Built,
): Promise<Built> {
  const refusal = ({ message, resultStatus }: FileProblem, cause: object = {}) =>
    invalidInput([{ path: ['file'], message, resultStatus }], subject, { mayHaveBeenSent, ...cause });
  const unreadable = (cause: unknown) => {
    // The message of a file system error is shown, because it contains only the path. The message of any other error
    // can contain any text, so it is not shown, and only `cause` contains it.
    const source = fileSourceOf(given);
    const isFromDisk = cause instanceof Error && source.ok && source.value.kind === 'path';
    const reason = isFromDisk ? cause.message : `${shortDescription(safeFactsOf(cause))} (see error.cause)`;
    return refusal(wrongFile(`cannot be read: ${reason}`).problem, { cause });
  };
  const read = runner.within(
    (signal) => readAndCheckFile(given, signal, build),
    unreadable,
    'reading the file',
  );
  // If no time is left, reading does not begin, so the stream must be closed here.
  const built = await read.finally(() => closeUnread(given));
  if (!built.ok) throw refusal(built.problem);
  return built.value;
}
