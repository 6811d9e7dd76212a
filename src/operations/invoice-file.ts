import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isUint8Array } from 'node:util/types';
import type { FileSource } from '../protocol/file-source.js';
import {
  declaredTypeFits,
  detectFileType,
  fileTypes,
  maxFileBytes,
  nameFits,
  type InvoiceContentType,
} from '../protocol/file-types.js';
import { describe, safeWords } from '../errors/redact.js';
import type { ResultStatus } from '../protocol/result-status.js';

/** A file as it goes over the wire. */
export interface InvoiceFile {
  readonly bytes: Uint8Array;
  readonly filename: string;
  readonly contentType: InvoiceContentType;
}

/** Why a file cannot be sent. It becomes an issue of the field `file`. */
export class FileProblem {
  constructor(
    readonly message: string,
    readonly resultStatus: ResultStatus = 'INVALID_REQUEST',
    /** The error of the disk or the stream behind it. */
    readonly origin?: unknown,
  ) {}
}

const tooLarge = new FileProblem('must not be larger than 5 MB (5242880 bytes)', 'FILE_TOO_LARGE');

const chunksPerTurn = 1024;

/** Reads pieces until they end, or until they are too many; the source is told to stop then. */
async function collect(
  chunks: AsyncIterable<unknown>,
  signal: AbortSignal,
): Promise<Uint8Array | FileProblem> {
  const collected: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    if (!isUint8Array(chunk)) return new FileProblem('is a stream of something other than bytes');
    size += chunk.length;
    if (size > maxFileBytes) return tooLarge;
    // A copy, which a slice of a Buffer is not: the source may use its buffer again for the next piece.
    collected.push(new Uint8Array(chunk));
    // A source that never waits would keep every limit from being noticed.
    if (collected.length % chunksPerTurn === 0) await nextTurn();
  }
  return Buffer.concat(collected, size);
}

async function readPath(path: string, signal: AbortSignal): Promise<Uint8Array | FileProblem> {
  // Asked before it is opened: opening a pipe waits for its other end, on a thread that nothing can call back.
  const stats = await stat(path);
  if (!stats.isFile()) return new FileProblem(stats.isDirectory() ? 'is a folder' : 'is no regular file');
  if (stats.size > maxFileBytes) return tooLarge;
  // The file may have grown since: one byte past the limit is enough to tell.
  return collect(createReadStream(path, { end: maxFileBytes, signal }), signal);
}

/** Reads a source that is not in memory yet. Whatever goes wrong is a {@link FileProblem} with its origin. */
export async function readSource(
  source: Exclude<FileSource, { kind: 'bytes' }>,
  signal: AbortSignal,
): Promise<Uint8Array | FileProblem> {
  try {
    switch (source.kind) {
      case 'blob':
        return source.blob.size > maxFileBytes ? tooLarge : new Uint8Array(await source.blob.arrayBuffer());
      case 'stream':
        return await collect(source.stream, signal);
      case 'path':
        return await readPath(source.path, signal);
    }
  } catch (error) {
    return new FileProblem(
      `cannot be read: ${describe(safeWords(error))}; see the cause`,
      'INVALID_REQUEST',
      error,
    );
  }
}

/** The last part of a name, whichever system's separators it has. */
function baseName(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
}

/** The name that goes over the wire, or why there can be none. */
function wireName(source: FileSource, contentType: InvoiceContentType): string | FileProblem {
  const name = source.filename ?? (source.kind === 'path' ? source.path : '');
  if (/[\r\n\0]/.test(name)) return new FileProblem('has a name that holds CR, LF or NUL');
  if (!name.isWellFormed()) return new FileProblem('has a name that is not well-formed Unicode');
  const base = baseName(name);
  return ['', '.', '..'].includes(base) ? `invoice.${fileTypes[contentType].extensions[0]}` : base;
}

/** Names and types the bytes of a source, or says why the service would not take them. */
export function checkFile(source: FileSource, bytes: Uint8Array): InvoiceFile | FileProblem {
  if (bytes.length === 0) return new FileProblem('must not be empty');
  if (bytes.length > maxFileBytes) return tooLarge;
  const contentType = detectFileType(bytes);
  if (contentType === undefined) {
    return new FileProblem(
      'must be a pdf, png, jpg or xml by its content, which is none of them',
      'INVALID_FILE_TYPE',
    );
  }
  const filename = wireName(source, contentType);
  if (filename instanceof FileProblem) return filename;
  if (!nameFits(filename, contentType)) {
    return new FileProblem(
      `has a name that does not go with its content, ${contentType}`,
      'INVALID_FILE_TYPE',
    );
  }
  if (!declaredTypeFits(source.contentType ?? '', contentType)) {
    return new FileProblem(
      `was declared as another type than its content, ${contentType}`,
      'INVALID_FILE_TYPE',
    );
  }
  return { bytes, filename, contentType };
}
