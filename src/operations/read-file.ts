import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isUint8Array } from 'node:util/types';
import { ignoreErrors } from '../errors/ignore-errors.js';
import { FileProblem, tooLarge } from '../protocol/file-rules.js';
import { isWebStream, type PieceStream, type UnreadSource } from '../protocol/file-source.js';
import { maxFileBytes } from '../protocol/limits.js';

const chunksPerTurn = 1024;

interface PieceReader {
  readonly next: () => Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
  readonly close: () => unknown;
}

function readerOf(stream: PieceStream): PieceReader {
  if (isWebStream(stream)) {
    const reader = stream.getReader();
    return { next: () => reader.read(), close: () => reader.cancel() };
  }
  const iterator = stream[Symbol.asyncIterator]();
  return { next: () => iterator.next(), close: () => iterator.return?.() };
}

/** Reads a stream until it ends, exceeds the limit or is aborted. */
async function readStream(stream: PieceStream, signal: AbortSignal): Promise<Uint8Array | FileProblem> {
  const { next, close } = readerOf(stream);
  const stop = () => void ignoreErrors(close);
  signal.addEventListener('abort', stop);
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for (let piece = await next(); piece.done !== true; piece = await next()) {
      signal.throwIfAborted();
      if (!isUint8Array(piece.value))
        return new FileProblem('must be a stream of bytes: a piece is not a Uint8Array');
      size += piece.value.length;
      if (size > maxFileBytes) return tooLarge;
      // A copy: the source may use its buffer again for the next piece.
      pieces.push(new Uint8Array(piece.value));
      // A source that never waits would block the timers of the limits.
      if (pieces.length % chunksPerTurn === 0) await nextTurn();
    }
  } finally {
    stop();
  }
  // busboy and @fastify/multipart set this if the stream ended early, without an error.
  return Reflect.get(stream, 'truncated') === true
    ? new FileProblem(
        'was cut short by the multipart parser, whose limit it exceeds (busboy, multer, @fastify/multipart: ' +
          `limits.fileSize): set that limit above ${maxFileBytes} bytes`,
      )
    : Buffer.concat(pieces, size);
}

async function readPath(path: string, signal: AbortSignal): Promise<Uint8Array | FileProblem> {
  // Before it is opened: opening a pipe waits for its other end, which cannot be interrupted.
  const stats = await stat(path);
  if (!stats.isFile()) return new FileProblem(stats.isDirectory() ? 'is a folder' : 'is not a regular file');
  if (stats.size > maxFileBytes) return tooLarge;
  // The file may have grown since, so the limit is checked again.
  return readStream(createReadStream(path), signal);
}

export async function readSource(
  source: UnreadSource,
  signal: AbortSignal,
): Promise<Uint8Array | FileProblem> {
  switch (source.kind) {
    case 'blob':
      return source.blob.size > maxFileBytes ? tooLarge : new Uint8Array(await source.blob.arrayBuffer());
    case 'stream':
      return readStream(source.stream, signal);
    case 'path':
      return readPath(source.path, signal);
  }
}
