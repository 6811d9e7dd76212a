import { fileURLToPath } from 'node:url';
import { ignoreErrors } from '../errors/ignore-errors.js';

/** A file input told apart by what has to be done to read it. */
export type FileSource = (
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'blob'; readonly blob: Blob }
  | { readonly kind: 'stream'; readonly stream: AsyncIterable<unknown>; readonly release: () => void }
  | { readonly kind: 'path'; readonly path: string }
) & { readonly filename?: string; readonly contentType?: string };

const accepted =
  'a Blob or File, bytes, a stream of bytes, { path }, or { data, filename } around one of them';

function isRecord(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null;
}

// By what it can do, not by its class: Jest and vm contexts bring classes of their own.
function isBlob(value: Record<PropertyKey, unknown>): value is Record<PropertyKey, unknown> & Blob {
  return (
    typeof value['arrayBuffer'] === 'function' &&
    typeof value['stream'] === 'function' &&
    typeof value['size'] === 'number'
  );
}

function isWebStream(
  value: Record<PropertyKey, unknown>,
): value is Record<PropertyKey, unknown> & ReadableStream {
  return typeof value['getReader'] === 'function' && typeof value['cancel'] === 'function';
}

function isAsyncIterable(
  value: Record<PropertyKey, unknown>,
): value is Record<PropertyKey, unknown> & AsyncIterable<unknown> {
  return typeof value[Symbol.asyncIterator] === 'function';
}

function bytesOf(value: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  const tag = Object.prototype.toString.call(value);
  return tag === '[object ArrayBuffer]' || tag === '[object SharedArrayBuffer]'
    ? new Uint8Array(value as ArrayBuffer)
    : undefined;
}

const ignore = () => undefined;

/** A web stream. Nothing waits for its answer when it is told to stop: some never give one. */
function webStreamSource(stream: ReadableStream): FileSource {
  let reader: ReadableStreamDefaultReader<unknown> | undefined;
  async function* chunks(): AsyncGenerator {
    reader = stream.getReader();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) yield chunk.value;
  }
  const release = () => {
    void ignoreErrors(() => (reader ?? stream).cancel());
  };
  return { kind: 'stream', stream: { [Symbol.asyncIterator]: chunks }, release };
}

/** A Node stream, or any other async iterable. */
function iterableSource(stream: Record<PropertyKey, unknown> & AsyncIterable<unknown>): FileSource {
  const { destroy, on } = stream;
  if (typeof destroy === 'function' && typeof on === 'function') {
    const release = () => {
      void ignoreErrors(() => {
        // A stream that fails while nobody listens would end the process.
        Reflect.apply(on, stream, ['error', ignore]);
        Reflect.apply(destroy, stream, []);
      });
    };
    return { kind: 'stream', stream, release };
  }
  let iterator: AsyncIterator<unknown> | undefined;
  const once = { [Symbol.asyncIterator]: () => (iterator = stream[Symbol.asyncIterator]()) };
  const release = () => {
    void ignoreErrors(() => iterator?.return?.());
  };
  return { kind: 'stream', stream: once, release };
}

function pathSource(path: unknown): FileSource | string {
  if (typeof path === 'string') {
    if (path === '' || path.includes('\0')) return 'has a path that is empty or holds NUL';
    if (path.startsWith('file://')) return 'has a file: URL as text: pass new URL(path), or a path';
    return { kind: 'path', path };
  }
  if (isRecord(path) && typeof path['href'] === 'string') {
    try {
      return { kind: 'path', path: fileURLToPath(path['href']) };
    } catch {
      return 'has a path URL that is no file: URL of this machine';
    }
  }
  return 'has a path that is neither text nor a file: URL';
}

function optionalText(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === 'string' && value.isWellFormed());
}

function namedSource(value: Record<PropertyKey, unknown>): FileSource | string {
  const { data, filename, contentType } = value;
  const unknown = Object.keys(value).find((key) => !['data', 'filename', 'contentType'].includes(key));
  if (unknown !== undefined) return 'may hold data, filename and contentType, and no other field';
  if (isRecord(data) && !isBlob(data) && 'data' in data) return 'wraps { data } twice';
  if (!optionalText(filename)) return 'has a filename that is not well-formed text';
  if (!optionalText(contentType)) return 'has a contentType that is not well-formed text';
  const source = fileSourceOf(data);
  if (typeof source === 'string') return source;
  return {
    ...source,
    ...(filename !== undefined && { filename }),
    ...(contentType !== undefined && { contentType }),
  };
}

/** Tells a file input apart, or says in words what is wrong with it. Reads nothing. */
export function fileSourceOf(value: unknown): FileSource | string {
  if (typeof value === 'string') {
    return 'must not be a bare text, which could be a path or the content: pass { path } to read a file, or its bytes';
  }
  const bytes = bytesOf(value);
  if (bytes) return { kind: 'bytes', bytes };
  if (!isRecord(value)) return `must be ${accepted}`;
  if (isBlob(value)) {
    const name: unknown = Reflect.get(value, 'name');
    const type: unknown = value.type;
    return {
      kind: 'blob',
      blob: value,
      ...(typeof name === 'string' && name !== '' && { filename: name }),
      ...(typeof type === 'string' && { contentType: type }),
    };
  }
  if (isWebStream(value)) {
    return value.locked ? 'is a stream that is being read elsewhere already' : webStreamSource(value);
  }
  if (isAsyncIterable(value)) return iterableSource(value);
  if ('data' in value) return namedSource(value);
  if ('path' in value) {
    return Object.keys(value).length === 1
      ? pathSource(value['path'])
      : 'may hold path and no other field; name it with { data: { path }, filename }';
  }
  return `must be ${accepted}`;
}
