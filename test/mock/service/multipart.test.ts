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
const type = `multipart/form-data; boundary=${boundary}`;
const part = (head: string, content: string | Buffer) =>
  Buffer.concat([Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')]);
const end = Buffer.from(`--${boundary}--\r\n`);
const named = (name: string) => `Content-Disposition: form-data; name="${name}"`;

describe('a form that form-data laid out', () => {
  test.each([
    ['plain text', 'Television'],
    ['nothing', ''],
    ['line feeds, lone and paired', 'a\nb\r\nc\rd\n'],
    ['white space at the ends', '  x\t '],
    ['a byte order mark', '\uFEFFx'],
    ['decomposed Vietnamese', 'Hoá đơn tủ lạnh'.normalize('NFD')],
    ['emoji', '\u{1f4c4}'],
    ['text like a boundary', '--BOUNDARY--\r\n----------------------------'],
    ['separators', 'a=b&extraData=c'],
    ['NUL', 'a\0b'],
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

  test('keeps the order of the fields', () => {
    const names = ['referenceId', 'merchantId', 'description'];
    const { fields } = read((form) => {
      for (const name of names) form.append(name, 'x');
    });
    expect(Object.keys(fields)).toEqual(names);
  });

  test('a field called __proto__ is a field like any other', () => {
    const { fields } = read((form) => {
      form.append('__proto__', 'x');
    });
    expect(Object.keys(fields)).toEqual(['__proto__']);
    expect(Reflect.get({}, 'x')).toBeUndefined();
  });
});

describe('a form that is refused', () => {
  test.each([
    ['without a Content-Type', undefined, end, 'Content-Type'],
    ['of another type', 'application/json', end, 'Content-Type'],
    ['without a boundary', 'multipart/form-data', end, 'Content-Type'],
    ['that is empty', type, Buffer.alloc(0), 'broken'],
    ['that begins with something else', type, Buffer.from('x'.repeat(100)), 'broken'],
    ['that never ends', type, part(named('a'), 'x'), 'broken'],
    ['whose head never ends', type, Buffer.from(`--${boundary}\r\n${'x'.repeat(20_000)}`), 'broken'],
    [
      'with two fields of one name',
      type,
      Buffer.concat([part(named('a'), '1'), part(named('a'), '1'), end]),
      'twice',
    ],
    [
      'with a field that has no name',
      type,
      Buffer.concat([part('Content-Disposition: form-data', '1'), end]),
      'no name',
    ],
    [
      'with a part that has no disposition',
      type,
      Buffer.concat([part('Content-Type: text/plain', '1'), end]),
      'no name',
    ],
    [
      'with text that is not UTF-8',
      type,
      Buffer.concat([part(named('a'), Buffer.from([0xff])), end]),
      'not UTF-8',
    ],
    [
      'with a head that is not UTF-8',
      type,
      Buffer.concat([Buffer.from(`--${boundary}\r\n${named('a')}\xff\r\n\r\n\r\n`, 'latin1'), end]),
      'broken',
    ],
    [
      'with filename*',
      type,
      Buffer.concat([part(`${named('file')}; filename*=bad'vi'a.pdf`, 'x'), end]),
      'filename*',
    ],
    [
      'with 33 fields',
      type,
      Buffer.concat([...Array.from({ length: 33 }, (_, i) => part(named(`f${String(i)}`), 'x')), end]),
      'broken',
    ],
  ])('%s', (_title, contentType, bytes, problem) => {
    const form = readForm(bytes, contentType);
    expect(form.problem).toContain(problem);
  });

  test('a file and a text of one name are two of one name', () => {
    const { problem } = read((form) => {
      form.append('file', Buffer.from('x'), 'a.pdf');
      form.append('file', 'text');
    });
    expect(problem).toContain('twice');
  });

  test('a quoted boundary is a boundary', () => {
    const { bytes, contentType } = formOf((form) => {
      form.append('a', 'x');
    });
    const quoted = contentType.replace(/boundary=(.*)/, 'charset=utf-8; Boundary="$1"');
    expect(readForm(bytes, quoted).fields).toEqual({ a: 'x' });
  });
});
