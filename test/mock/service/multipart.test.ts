import FormData from 'form-data';
import { describe, expect, test } from 'vitest';
import { readForm } from '../../../src/mock/service/messages.js';

function formOf(build: (form: FormData) => void): { bytes: Buffer; contentType: string } {
  const form = new FormData();
  build(form);
  const bytes = form.getBuffer();
  return { bytes, contentType: (form.getHeaders() as Record<string, string>)['content-type'] ?? '' };
}

function read(build: (form: FormData) => void): ReturnType<typeof readForm> {
  const { bytes, contentType } = formOf(build);
  return readForm(bytes, contentType);
}

const boundary = 'BOUNDARY';
const formType = 'multipart/form-data; boundary=';
const type = `${formType}${boundary}`;
const part = (head: string, content: string | Buffer) =>
  Buffer.concat([Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')]);
const end = Buffer.from(`--${boundary}--\r\n`);
const named = (name: string) => `Content-Disposition: form-data; name="${name}"`;
const formOfParts = (...parts: Buffer[]) => Buffer.concat([...parts, end]);
const fields = (count: number) => Array.from({ length: count }, (_, index) => part(named(`f${index}`), 'x'));

describe('a form of the package form-data', () => {
  test.each([
    ['plain text', 'Television'],
    ['line feeds, lone and paired', 'a\nb\r\nc\rd\n'],
    ['decomposed Vietnamese', 'Hoá đơn tủ lạnh'.normalize('NFD')],
    ['separators', 'a=b&extraData=c'],
  ])('keeps %s byte for byte', (_title, value) => {
    const { fields, problem } = read((form) => {
      form.append('description', value);
    });
    expect(problem).toBeUndefined();
    expect(fields['description']).toBe(value);
  });

  test('keeps every byte of a file, and its name and type', () => {
    const data = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256));
    const { files } = read((form) => {
      form.append('file', data, { filename: 'hoá đơn "1".pdf', contentType: 'application/pdf' });
    });
    expect(files).toHaveLength(1);
    expect(files[0]).toMatchObject({ field: 'file', type: 'application/pdf', size: data.length });
    expect(Buffer.from(files[0]?.bytes ?? []).equals(data)).toBe(true);
  });

  test('can have a field named __proto__', () => {
    const { fields } = read((form) => {
      form.append('__proto__', 'x');
    });
    expect(Object.keys(fields)).toEqual(['__proto__']);
    expect(Reflect.get({}, 'x')).toBeUndefined();
  });
});

const wrongType = 'The Content-Type is not multipart/form-data with a boundary.';
const broken = 'The multipart body is broken.';
const nameless = 'A part has no name.';

describe('a refused form', () => {
  const long = 'b'.repeat(71);
  const one = (head: string, content: string | Buffer = '1') => formOfParts(part(head, content));
  const wrongBytes = Buffer.from([0xff]);
  const file = part(`${named('file')}; filename="a.pdf"`, 'x');
  const wrongHead = Buffer.from(`--${boundary}\r\n${named('a')}\xff\r\n\r\n\r\n`, 'latin1');

  test.each([
    ['without a Content-Type', undefined, end, wrongType],
    ['without a boundary', 'multipart/form-data', end, wrongType],
    ['with another media type', `text/plain; boundary=${boundary}`, end, wrongType],
    ['with an empty boundary', 'multipart/form-data; boundary=""', end, wrongType],
    ['with a boundary of 71 characters', `${formType}${long}`, Buffer.from(`--${long}--\r\n`), broken],
    ['that is empty', type, Buffer.alloc(0), broken],
    ['that never ends', type, part(named('a'), 'x'), broken],
    ['whose head never ends', type, Buffer.from(`--${boundary}\r\n${'x'.repeat(20_000)}`), broken],
    ['with a head that is not UTF-8', type, Buffer.concat([wrongHead, end]), broken],
    ['with 33 fields', type, formOfParts(...fields(33)), broken],
    ['with a field that has no name', type, one('Content-Disposition: form-data'), nameless],
    ['with a part that has no Content-Disposition', type, one('Content-Type: text/plain'), nameless],
    ['with a field whose name is empty', type, one(named('')), nameless],
    ['with two of one name', type, formOfParts(...fields(1), ...fields(1)), 'The field f0 appears twice.'],
    ['with two files of one name', type, formOfParts(file, file), 'The field file appears twice.'],
    ['with text that is not UTF-8', type, one(named('a'), wrongBytes), 'The field a is not UTF-8.'],
    ['with a long name', type, one(named(long), wrongBytes), `The field ${'b'.repeat(60)} is not UTF-8.`],
    [
      'with filename* alone',
      type,
      one(`${named('a')}; filename*=bad'vi'a.pdf`),
      'A part has a filename* parameter, but no filename parameter.',
    ],
  ])('is one %s', (_title, contentType, bytes, problem) => {
    const form = readForm(bytes, contentType);
    expect(form.problem).toBe(problem);
  });

  test('can have a quoted boundary', () => {
    const { bytes, contentType } = formOf((form) => {
      form.append('a', 'x');
    });
    const quoted = contentType.replace(/boundary=(.*)/, 'charset=utf-8; Boundary="$1"');
    expect(readForm(bytes, quoted).fields).toEqual({ a: 'x' });
  });
});

describe('a form', () => {
  const sha256OfX = '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881';

  test('has its bytes, its fields and its files, with their digests', () => {
    const bytes = Buffer.concat([
      part(named('a'), '1'),
      part(`${named('file')}; filename="a.pdf"\r\nContent-Type: application/pdf`, 'x'),
      part(`${named('other')}; filename="b"`, ''),
      end,
    ]);
    const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    const { recorded, ...form } = readForm(bytes, type);
    const files = form.files.map((file) => ({ ...file, bytes: Buffer.from(file.bytes).toString() }));
    expect({ ...form, files }).toStrictEqual({
      bytes,
      fields: Object.assign(Object.create(null) as object, { a: '1' }),
      files: [
        { field: 'file', name: 'a.pdf', type: 'application/pdf', size: 1, sha256: sha256OfX, bytes: 'x' },
        { field: 'other', name: 'b', type: '', size: 0, sha256: empty, bytes: '' },
      ],
      problem: undefined,
    });
    const { bytes: _bytes, ...kept } = form.files[0] ?? {};
    expect(recorded).toMatchObject({ bodyBytes: bytes.length, fields: { a: '1' } });
    expect(recorded.files?.[0]).toStrictEqual(kept);
  });

  test('can have filename* beside filename, as in .NET, with a warning', () => {
    const head = "Content-Disposition: form-data; name=file; filename=a.pdf; filename*=bad'vi'b.pdf";
    const other = `${named('other')}; filename="a; filename*=b.pdf"`;
    const { files, problem, recorded } = readForm(formOfParts(part(head, 'x'), part(other, 'x')), type);
    expect(problem).toBeUndefined();
    expect(files.map(({ field, name }) => [field, name])).toEqual([
      ['file', 'a.pdf'],
      ['other', 'a; filename*=b.pdf'],
    ]);
    expect(recorded.warnings).toEqual([
      'The field file has a filename* parameter. RFC 7578 forbids filename* in a form, and the mock ignores filename*. In .NET, set ContentDisposition.FileNameStar to null.',
    ]);
  });

  test('can have 32 parts', () => {
    const form = readForm(formOfParts(...fields(32)), type);
    expect(form.problem).toBeUndefined();
    expect(Object.keys(form.fields)).toHaveLength(32);
  });

  test('keeps the parts before a refused part', () => {
    const bytes = Buffer.concat([part(named('a'), '1'), part(named('b'), Buffer.from([0xff])), end]);
    expect(readForm(bytes, type)).toMatchObject({
      bytes,
      fields: { a: '1' },
      files: [],
      problem: 'The field b is not UTF-8.',
    });
  });

  test.each(['b'.repeat(70), 'B'])('can have the boundary %s', (boundaryText) => {
    const bytes = Buffer.from(`--${boundaryText}\r\n${named('a')}\r\n\r\n1\r\n--${boundaryText}--\r\n`);
    for (const value of [boundaryText, `"${boundaryText}"`, `${boundaryText}; charset=utf-8`]) {
      expect(readForm(bytes, `Multipart/Form-Data;boundary=${value}`).fields).toEqual({ a: '1' });
    }
  });

  test('can have one file of 6 MiB', () => {
    const head = `${named('file')}; filename="a"`;
    const bytes = Buffer.concat([part(head, Buffer.alloc(6 * 1024 * 1024 - 200)), end]);
    expect(readForm(bytes, type).problem).toBeUndefined();
  });
});
