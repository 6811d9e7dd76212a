import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { describe, expect, test } from 'vitest';
import { fileRule, fileSourceOf } from '../../src/protocol/file-source.js';
import { readProperty } from '../../src/values/untrusted-values.js';
import { files } from '../helpers/samples.js';

const neither =
  /^must be a Blob or File, bytes, a stream of bytes, \{ path \}, or \{ data, filename \} to set the file name; got /;

/** The source, or the reason why it is refused. */
const classified = (value: unknown) => {
  const checked = fileSourceOf(value);
  return checked.ok ? checked.value : checked.problem;
};

const noop = () => undefined;
const blobLike = { arrayBuffer: noop, stream: noop, size: 3 };

async function* pieces(): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield files.pdf;
}

describe('a file as bytes', () => {
  const whole = Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8]);
  const shared = new SharedArrayBuffer(8);
  new Uint8Array(shared).set(whole);

  test.each<readonly [string, unknown, readonly number[]]>([
    ['a Uint8Array', whole, [1, 2, 3, 4, 5, 6, 7, 8]],
    ['a part of a larger buffer', whole.subarray(2, 4), [3, 4]],
    ['a DataView of a part', new DataView(whole.buffer, 1, 2), [2, 3]],
    ['wider numbers', new Uint16Array(whole.buffer, 2, 1), [3, 4]],
    ['an ArrayBuffer', whole.buffer, [1, 2, 3, 4, 5, 6, 7, 8]],
    ['a SharedArrayBuffer', shared, [1, 2, 3, 4, 5, 6, 7, 8]],
    ['an ArrayBuffer of another realm', vm.runInNewContext('new ArrayBuffer(2)'), [0, 0]],
    ['a Uint8Array of another realm', vm.runInNewContext('Uint8Array.of(9)'), [9]],
  ])('is recognised: %s', (_name, value, bytes) => {
    expect(classified(value)).toEqual({ kind: 'bytes', bytes: Uint8Array.from(bytes) });
  });

  test('is not copied', () => {
    expect(readProperty(readProperty(classified(whole), 'bytes'), 'buffer')).toBe(whole.buffer);
  });
});

describe('a file as a Blob', () => {
  test('has its type', () => {
    const blob = new Blob(['a'], { type: 'image/png' });
    expect(classified(blob)).toEqual({ kind: 'blob', blob, contentType: 'image/png' });
  });

  test('has the name of a File too, unless it is empty', () => {
    const named = new File(['a'], 'a.png');
    const unnamed = new File(['a'], '');
    expect(classified(named)).toEqual({
      kind: 'blob',
      blob: named,
      filename: 'a.png',
      contentType: '',
    });
    expect(classified(unnamed)).toEqual({ kind: 'blob', blob: unnamed, contentType: '' });
  });

  test('is recognised in a different class by its methods and its size', () => {
    const blob = { ...blobLike, name: 7, type: null };
    expect(classified(blob)).toEqual({ kind: 'blob', blob });
  });

  test.each(['arrayBuffer', 'stream', 'size'])('is not recognised with a wrong %s', (name) => {
    expect(classified({ ...blobLike, [name]: '3' })).toMatch(neither);
  });
});

describe('a file as a stream', () => {
  test.each<readonly [string, object]>([
    ['a stream of the web', new Blob(['a']).stream()],
    ['a stream of Node', Readable.from(['a'])],
    ['a stream by its methods', { getReader: noop, cancel: noop }],
    ['a stream by its async iterator', pieces()],
  ])('is recognised: %s', (_name, stream) => {
    const source = classified(stream);
    expect(source).toEqual({ kind: 'stream', stream });
    expect(readProperty(source, 'stream')).toBe(stream);
  });

  test('is refused if the stream is already being read', () => {
    const stream = new Blob(['a']).stream();
    stream.getReader();
    expect(classified(stream)).toBe('is a stream that is already being read');
  });

  test.each([
    { getReader: noop },
    { getReader: 1, cancel: noop },
    { cancel: noop },
    { [Symbol.asyncIterator]: 1 },
  ])('is not recognised: %o', (value) => {
    expect(classified(value)).toMatch(neither);
  });
});

describe('a file as a path', () => {
  test.each<readonly [string, unknown, string]>([
    ['a text', './hóa đơn.pdf', './hóa đơn.pdf'],
    ['a text that only contains file://', 'a/file://b', 'a/file://b'],
    ['a file: URL', pathToFileURL('/tmp/hóa đơn.pdf'), '/tmp/hóa đơn.pdf'],
    ['a URL of another class', { href: 'file:///tmp/a.pdf' }, '/tmp/a.pdf'],
  ])('is recognised: %s', (_name, path, expected) => {
    expect(classified({ path })).toEqual({ kind: 'path', path: expected });
  });

  test.each<readonly [unknown, string]>([
    ['', 'has a path that is empty or contains NUL'],
    ['a\0b', 'has a path that is empty or contains NUL'],
    ['file:///tmp/a.pdf', 'has a file: URL as a string: pass new URL(path), or a path'],
    [new URL('https://shop.example/a.pdf'), 'has a path that is not a file: URL of this machine'],
    [new URL('file://shop.example/a.pdf'), 'has a path that is not a file: URL of this machine'],
    [{ href: 7 }, 'has a path that is neither a string nor a file: URL'],
    [null, 'has a path that is neither a string nor a file: URL'],
  ])('is refused: %j', (path, message) => {
    expect(classified({ path })).toBe(message);
  });

  test('is refused with another field', () => {
    expect(classified({ path: 'a.pdf', filename: 'b.pdf' })).toBe(
      'must have only the field path; to name the file, pass { data: { path }, filename }',
    );
  });
});

describe('{ data }', () => {
  const bytes = Uint8Array.of(1);
  const file = new File(['a'], 'a.png', { type: 'image/png' });

  test('is its data, with the given name and type', () => {
    expect(classified({ data: bytes })).toEqual({ kind: 'bytes', bytes });
    expect(classified({ data: bytes, filename: 'b.pdf', contentType: 'text/plain' })).toEqual({
      kind: 'bytes',
      bytes,
      filename: 'b.pdf',
      contentType: 'text/plain',
    });
    expect(classified({ data: { path: 'a.pdf' }, filename: '' })).toEqual({
      kind: 'path',
      path: 'a.pdf',
      filename: '',
    });
  });

  test('overrides name and type of a File, unless they are undefined', () => {
    const source = { kind: 'blob', blob: file, filename: 'a.png', contentType: 'image/png' };
    expect(classified({ data: file, filename: 'b.png', contentType: '' })).toEqual({
      ...source,
      filename: 'b.png',
      contentType: '',
    });
    expect(classified({ data: file, filename: undefined, contentType: undefined })).toEqual(source);
  });

  test('can be a Blob that has a field of the same name', () => {
    const blob = Object.assign(new Blob(['a']), { data: 1 });
    expect(classified({ data: blob })).toEqual({ kind: 'blob', blob, contentType: '' });
  });

  const noName = 'has a filename that is not a well-formed string';
  const noType = 'has a contentType that is not a well-formed string';

  test.each<readonly [string, object, string]>([
    ['another field', { data: bytes, name: 'a' }, 'must have only the fields data, filename, contentType'],
    ['a path beside it', { data: bytes, path: 'a' }, 'must have only the fields data, filename, contentType'],
    ['{ data } in it', { data: { data: bytes } }, 'must not have { data } inside its data'],
    ['a number as its name', { data: bytes, filename: 7 }, noName],
    ['null as its name', { data: bytes, filename: null }, noName],
    ['half a pair in its name', { data: bytes, filename: '\ud800' }, noName],
    ['an object as its type', { data: bytes, contentType: {} }, noType],
    ['half a pair in its type', { data: bytes, contentType: '\ud800' }, noType],
    ['no data', { data: undefined }, `${fileRule}; got undefined`],
    ['null as its data', { data: null }, `${fileRule}; got null`],
    ['an object as its data', { data: {} }, `${fileRule}; got an object`],
    ['a path that is refused', { data: { path: '' } }, 'has a path that is empty or contains NUL'],
  ])('is refused with %s', (_name, value, message) => {
    expect(classified(value)).toBe(message);
  });
});

describe('a value that is not a file', () => {
  test.each([[undefined], [null], [7], [true], [[]], [[1, 2]], [{}], [new Date(0)], [noop]])(
    'is refused: %o',
    (value) => {
      expect(classified(value)).toMatch(neither);
    },
  );

  test('is refused with a hint if it is a string', () => {
    expect(classified('./invoice.pdf')).toBe(
      'must not be a string, because it could be a path or the content: pass { path }, or the bytes of the file',
    );
  });
});
