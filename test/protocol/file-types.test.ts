import { describe, expect, test } from 'vitest';
import { declaredTypeFits, detectFileType, nameFits, urlPathFits } from '../../src/protocol/file-types.js';
import { files } from '../helpers/samples.js';

const utf16 = (text: string, mark: readonly number[], swap: boolean) => {
  const bytes = Buffer.from(text, 'utf16le');
  return Buffer.concat([Buffer.from(mark), swap ? bytes.swap16() : bytes]);
};

describe('the type of a file by its content', () => {
  test.each([
    ['pdf', files.pdf, 'application/pdf'],
    ['png', files.png, 'image/png'],
    ['jpg', files.jpg, 'image/jpeg'],
    ['xml', files.xml, 'application/xml'],
  ])('is found for a %s', (_name, bytes, type) => {
    expect(detectFileType(bytes)).toBe(type);
  });

  test.each([
    ['a byte order mark', '\ufeff<invoice/>'],
    ['white space first', ' \r\n\t<invoice a="1"></invoice>\n'],
    [
      'a declaration, comments and another DOCTYPE',
      '<?xml version="1.0"?><!-- <html> --><!DOCTYPE i><?x y?>\n<i:invoice/>',
    ],
    ['a long comment first', `<!--${'x'.repeat(200_000)}--><invoice/>`],
    ['a name in Vietnamese', '<hoáĐơn/>'],
    ['a root that begins as html does', '<html5/>'],
    ['a DOCTYPE that begins as html does', '<!DOCTYPE html5><v/>'],
    ['HTML as text', '<v><![CDATA[<!DOCTYPE html><p>Hóa đơn</p>]]></v>'],
    ['a root that HTML has too', '<table><html/></table>'],
    ['markup that a parser would refuse', '<v b=1>< <'],
    ['a tag that does not end', '<invoice'],
    ['a comment that does not end', '<!-- <html>'],
  ])('is XML with %s', (_name, text) => {
    expect(detectFileType(Buffer.from(text))).toBe('application/xml');
  });

  test('is XML with bytes that are not UTF-8', () => {
    expect(detectFileType(Buffer.from('<hóa/>', 'latin1'))).toBe('application/xml');
  });

  test.each([
    ['in lower case', '<html>'],
    ['in capitals', ' <HTML LANG="vi">'],
    ['without an end', '<html'],
    ['that is empty', '<html/>'],
    ['after a byte order mark', '\ufeff<html>'],
    ['after a declaration', '<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml">'],
    ['after comments', '<!-- a > b --><!---->\n<html>'],
    ['by its DOCTYPE', '<!DOCTYPE html><invoice/>'],
    ['by its DOCTYPE in the other case, over two lines', '<!doctype\n  HTML><invoice/>'],
    [
      'by the DOCTYPE of XHTML',
      '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x">',
    ],
  ])('is unknown for HTML %s', (_name, text) => {
    expect(detectFileType(Buffer.from(text))).toBeUndefined();
  });

  test.each([
    ['comments that end', '<!---->'.repeat(700_000)],
    ['comments that do not end', '<!--'.repeat(1_000_000)],
    ['instructions that end, then text', `${'<??>'.repeat(1_000_000)}x`],
    ['white space', ' '.repeat(5_000_000)],
  ])('is found quickly, even in %s', (_name, hostile) => {
    const startedAt = performance.now();
    detectFileType(Buffer.from(hostile));
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  test('is PDF with a header anywhere in the first 1024 bytes', () => {
    const after = (length: number) => Buffer.concat([Buffer.alloc(length, 10), files.pdf]);
    expect(detectFileType(after(1))).toBe('application/pdf');
    expect(detectFileType(after(1024 - '%PDF-'.length))).toBe('application/pdf');
    expect(detectFileType(after(1025 - '%PDF-'.length))).toBeUndefined();
  });

  test('is XML in UTF-16 of either byte order, with and without a byte order mark', () => {
    for (const mark of [true, false]) {
      expect(detectFileType(utf16('<hoáĐơn/>', mark ? [0xff, 0xfe] : [], false))).toBe('application/xml');
      expect(detectFileType(utf16(' <v/>', mark ? [0xfe, 0xff] : [], true))).toBe('application/xml');
      expect(detectFileType(utf16('<html>', mark ? [0xff, 0xfe] : [], false))).toBeUndefined();
      expect(detectFileType(utf16('<!DOCTYPE html>', mark ? [0xfe, 0xff] : [], true))).toBeUndefined();
    }
  });

  test.each([
    ['nothing', ''],
    ['text', 'an invoice'],
    ['text before a tag', 'x<v/>'],
    ['half the mark of a png', '\u0089PN'],
    ['a gif', 'GIF89a'],
    ['a program', 'MZ'],
  ])('is unknown for %s', (_name, text) => {
    expect(detectFileType(Buffer.from(text, 'latin1'))).toBeUndefined();
  });

  test('is found in a view that does not begin its buffer', () => {
    const whole = Buffer.concat([Buffer.from('xx'), files.png]);
    expect(detectFileType(new Uint8Array(whole.buffer, whole.byteOffset + 2, files.png.length))).toBe(
      'image/png',
    );
  });
});

test('the path of a fileUrl has an accepted extension, or no known extension', () => {
  const fits = ['/a.jpg', '/A.JPEG', '/a.png', '/a.b.pdf', '/INV.2026', '/invoice', '/invoice.', ''];
  const alsoFits = ['/download.php', '/hoadon-shop.com', '/a.pdf '];
  expect([...fits, ...alsoFits].filter((path) => !urlPathFits(path))).toEqual([]);
  expect(['/a.xml', '/a.exe', '/a.pdf.exe', '/a.DOCX', '/a.html', '/.zip'].filter(urlPathFits)).toEqual([]);
});

test('the name of a jpeg has one of its extensions, or none of another accepted type', () => {
  const fits = [
    'a.jpg',
    'a.JPEG',
    'photo',
    'INV.2026',
    'hoadon-shop.com',
    'INV.2026.ts',
    'Cty ABC.app',
    'HD.v2',
  ];
  const alsoFits = ['a.jpg.exe', 'a.docx', 'a.jpg.zip', '.html', 'a.pdf.', 'No. 7', ''];
  expect([...fits, ...alsoFits].filter((name) => !nameFits(name, 'image/jpeg'))).toEqual([]);
  const others = ['a.pdf', 'a.PNG', 'a.jpg.xml', '.pdf'];
  expect(others.filter((name) => nameFits(name, 'image/jpeg'))).toEqual([]);
});

test.each([
  ['application/xml', ['application/xml', 'text/xml', 'Text/XML; charset=utf-8'], ['text/plain']],
  ['image/jpeg', ['image/jpg', 'image/pjpeg'], ['image/png']],
  ['image/png', ['image/x-png', 'application/octet-stream'], ['application/pdf']],
  ['application/pdf', ['application/x-pdf', 'binary/octet-stream', '', ' ; charset=x'], ['pdf']],
] as const)('%s can be declared with its own names, or as bytes of any type', (type, fitting, others) => {
  expect(fitting.filter((declared) => !declaredTypeFits(declared, type))).toEqual([]);
  expect(others.filter((declared) => declaredTypeFits(declared, type))).toEqual([]);
});
