import { ignoreErrors } from '../errors/ignore-errors.js';
import { fileSourceOf, isWebStream, type PieceStream } from '../protocol/file-source.js';
import { refusedAt, type Parsed } from '../protocol/issues.js';
import { valueOf } from '../values/untrusted-values.js';

/** The file of an upload, whose stream no other upload reads meanwhile. */
export interface HeldFile {
  /** The issue of a stream that another upload reads, or has read. */
  readonly parsed: Parsed<undefined>;
  /** Closes the stream, however the call has ended. */
  readonly release: () => void;
}

// Two uploads of one stream would share its pieces, and the first one to end would close it for both.
const heldStreams = new WeakSet();

/** How a stream is closed; undefined for an object that makes a new iterator each time. */
function closerOf(stream: PieceStream): (() => unknown) | undefined {
  if (isWebStream(stream)) return () => stream.cancel();
  const { destroy, on, next, return: end }: Partial<Record<string, unknown>> = stream as object;
  if (typeof destroy === 'function' && typeof on === 'function') {
    // An error of a stream that nobody reads yet would end the process.
    Reflect.apply(on, stream, ['error', () => undefined]);
    return () => Reflect.apply(destroy, stream, []) as unknown;
  }
  if (typeof next !== 'function') return undefined;
  return typeof end === 'function' ? () => Reflect.apply(end, stream, []) as unknown : () => undefined;
}

const nothingHeld: HeldFile = { parsed: { value: undefined }, release: () => undefined };

/** Takes the stream of a well-formed file. Any other file has nothing to close. */
export function holdFile(file: unknown): HeldFile {
  const source = valueOf(() => fileSourceOf(file));
  if (typeof source !== 'object' || source.kind !== 'stream') return nothingHeld;
  const { stream } = source;
  const close = valueOf(() => closerOf(stream));
  if (!close) return nothingHeld;
  if (heldStreams.has(stream)) {
    return {
      ...nothingHeld,
      parsed: refusedAt(['file'], 'is a stream that is being read elsewhere, or was'),
    };
  }
  heldStreams.add(stream);
  return { ...nothingHeld, release: () => void ignoreErrors(close) };
}
