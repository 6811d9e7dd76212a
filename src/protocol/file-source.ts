import { fileURLToPath } from 'node:url';
import { invalid, valid, type Checked } from '../values/checked.js';
import { bytesOf } from '../values/encodings.js';
import { kindOf } from '../values/kind-of-value.js';
import { isRecord, orUndefined } from '../values/untrusted-values.js';

/** A stream of pieces: a web stream, or anything with an async iterator. */
export type PieceStream = ReadableStream | AsyncIterable<unknown>;

/** A file input, classified by how it is read. Nothing has been read yet. */
export type FileSource = (
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'blob'; readonly blob: Blob }
  | { readonly kind: 'stream'; readonly stream: PieceStream }
  | { readonly kind: 'path'; readonly path: string }
) & { readonly filename?: string | undefined; readonly contentType?: string | undefined };

export const fileRule =
  'must be a Blob or File, bytes, a stream of bytes, { path }, or { data, filename } to set the file name';

// Streams are recognised by their methods, because Jest and vm contexts have their own classes.

function isBlob(value: Record<string, unknown>): value is Record<string, unknown> & Blob {
  return (
    typeof value['arrayBuffer'] === 'function' &&
    typeof value['stream'] === 'function' &&
    typeof value['size'] === 'number'
  );
}

export function isWebStream(value: object): value is ReadableStream {
  return 'getReader' in value && typeof value.getReader === 'function' && 'cancel' in value;
}

function isAsyncIterable(value: object): value is AsyncIterable<unknown> {
  return Symbol.asyncIterator in value && typeof value[Symbol.asyncIterator] === 'function';
}

function pathSource(path: unknown): Checked<FileSource> {
  if (typeof path === 'string') {
    if (path === '' || path.includes('\0')) return invalid('has a path that is empty or contains NUL');
    if (path.startsWith('file://'))
      return invalid('has a file: URL as a string: pass new URL(path), or a path');
    return valid({ kind: 'path', path });
  }
  const { href } = isRecord(path) ? path : {};
  if (typeof href !== 'string') return invalid('has a path that is neither a string nor a file: URL');
  const local = orUndefined(() => fileURLToPath(href));
  return local === undefined
    ? invalid('has a path that is not a file: URL of this machine')
    : valid({ kind: 'path', path: local });
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === 'string' && value.isWellFormed());
}

const namedFileFields: readonly string[] = ['data', 'filename', 'contentType'];

function namedSource(value: Record<string, unknown>): Checked<FileSource> {
  const { data, filename, contentType } = value;
  if (!Object.keys(value).every((key) => namedFileFields.includes(key)))
    return invalid(`must have only the fields ${namedFileFields.join(', ')}`);
  if (isRecord(data) && !isBlob(data) && 'data' in data)
    return invalid('must not have { data } inside its data');
  if (!isOptionalText(filename)) return invalid('has a filename that is not a well-formed string');
  if (!isOptionalText(contentType)) return invalid('has a contentType that is not a well-formed string');
  const checked = fileSourceOf(data);
  if (!checked.ok) return checked;
  const { value: source } = checked;
  return valid({
    ...source,
    filename: filename ?? source.filename,
    contentType: contentType ?? source.contentType,
  });
}

/** Classifies a file input, or returns the reason why it is refused. */
export function fileSourceOf(value: unknown): Checked<FileSource> {
  if (typeof value === 'string') {
    return invalid(
      'must not be a string, because it could be a path or the content: pass { path }, or the bytes of the file',
    );
  }
  const bytes = bytesOf(value);
  if (bytes) return valid({ kind: 'bytes', bytes });
  if (!isRecord(value)) return invalid(`${fileRule}; got ${kindOf(value)}`);
  if (isBlob(value)) {
    const { name, type }: Record<string, unknown> = value;
    return valid({
      kind: 'blob',
      blob: value,
      filename: typeof name === 'string' && name !== '' ? name : undefined,
      contentType: typeof type === 'string' ? type : undefined,
    });
  }
  if (isWebStream(value)) {
    return value.locked
      ? invalid('is a stream that is already being read')
      : valid({ kind: 'stream', stream: value });
  }
  if (isAsyncIterable(value)) return valid({ kind: 'stream', stream: value });
  if ('data' in value) return namedSource(value);
  if ('path' in value) {
    return Object.keys(value).length === 1
      ? pathSource(value['path'])
      : invalid('must have only the field path; to name the file, pass { data: { path }, filename }');
  }
  return invalid(`${fileRule}; got ${kindOf(value)}`);
}
