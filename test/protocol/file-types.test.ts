import { describe, expect, it } from 'vitest';
import {
  declaredTypeFits,
  detectFileType,
  extensionOf,
  isUrlExtension,
  nameFits,
} from '../../src/protocol/file-types.js';
import { files } from '../helpers/samples.js';

const utf16 = (text: string, mark: readonly number[], swap: boolean) => {
  const bytes = Buffer.from(text, 'utf16le');
  return Buffer.concat([Buffer.from(mark), swap ? bytes.swap16() : bytes]);
};

describe('the type of a file comes from its content', () => {
  it.each([
    ['pdf', files.pdf, 'application/pdf'],
    ['png', files.png, 'image/png'],
    ['jpg', files.jpg, 'image/jpeg'],
    ['xml', files.xml, 'application/xml'],
  ])('%s', (_name, bytes, type) => {
    expect(detectFileType(bytes)).toBe(type);
  });

  it.each([
    ['an element alone', '<invoice/>'],
    ['a byte order mark', '\ufeff<invoice/>'],
    ['white space first', ' \r\n\t<invoice a="1"></invoice>\n'],
    [
      'comments, a DOCTYPE, an instruction',
      '<?xml version="1.0"?><!-- a > b --><!DOCTYPE i><?x y?>\n<i:invoice/>',
    ],
    ['a name in Vietnamese', '<hoáĐơn/>'],
  ])('XML with %s', (_name, text) => {
    expect(detectFileType(Buffer.from(text))).toBe('application/xml');
  });

  it.each([
    ['attributes in either quotes', `<v b="1" c='2 > 1'/>`],
    ['a section of text that is not parsed', '<v><![CDATA[<br> & co]]></v>'],
    ['references', '<v>&amp;&#10;&#xe9;&own;</v>'],
    ['a document type with declarations', '<!DOCTYPE v [<!ENTITY own "x">]><v>&own;</v>'],
    ['nested elements of one name', '<v><v><v/></v></v>'],
    ['a comment and white space after the root', '<v/>\n<!-- end -->\n'],
    ['a root that an invoice and HTML could share', '<data><item/></data>'],
    ['a namespace', '<inv:invoice xmlns:inv="urn:x"><inv:body/></inv:invoice>'],
    ['a root that begins as html does', '<x:html5/>'],
    ['HTML as text', '<v><![CDATA[<!DOCTYPE html><p>Hóa đơn</p>]]></v>'],
  ])('XML with %s', (_name, text) => {
    expect(detectFileType(Buffer.from(text))).toBe('application/xml');
  });

  it.each([
    ['a page without an html tag', '<div>Hóa đơn<br></div>'],
    ['a page without an html tag that is well-formed', '<div><p>Hóa đơn</p></div>'],
    ['the same with an XML declaration', '<?xml version="1.0"?><DIV/>'],
    ['a heading', '<h1>Hóa đơn</h1>'],
    ['a link of a page', '<link/>'],
    ['a footer of a page', '<footer>Hóa đơn</footer>'],
    ['a list', '<ul><li>Hóa đơn</li></ul>'],
    ['a form', '<form/>'],
    ['the document type of HTML, over two lines', '<!DOCTYPE\n  html><invoice/>'],
    ['a comment before a page', '<!-- page --><body/>'],
    ['the document type of HTML', '<!DOCTYPE html><invoice/>'],
    ['XHTML with a prefix', '<x:html xmlns:x="http://www.w3.org/1999/xhtml"/>'],
    ['a lone tag', '<invoice>'],
    ['broken tags', '<v b>< <'],
    ['an attribute without quotes', '<v b=1/>'],
    ['an attribute without a value', '<v b/>'],
    ['tags that cross', '<v><w></v></w>'],
    ['an end without a start', '<v/></v>'],
    ['two roots', '<v/><w/>'],
    ['text before the root', 'x<v/>'],
    ['text after the root', '<v/>x'],
    ['a bare ampersand', '<v>Q & A</v>'],
    ['a comment inside that does not end', '<v><!-- </v>'],
    ['a control character', '<v>\0</v>'],
  ])('%s is no XML', (_name, text) => {
    expect(detectFileType(Buffer.from(text))).toBeUndefined();
  });

  it('a large XML file is told in little time, and so is one made to be slow', () => {
    const large = `<v>${'<line n="1">Tủ lạnh</line>'.repeat(150_000)}</v>`;
    const hostile = `<v ${' '.repeat(2_000_000)}b`;
    const startedAt = performance.now();
    expect(detectFileType(Buffer.from(large))).toBe('application/xml');
    expect(detectFileType(Buffer.from(hostile))).toBeUndefined();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('the header of a PDF may be anywhere in its first 1024 bytes', () => {
    const after = (length: number) => Buffer.concat([Buffer.alloc(length, 10), files.pdf]);
    expect(detectFileType(after(1))).toBe('application/pdf');
    expect(detectFileType(after(1024 - '%PDF-'.length))).toBe('application/pdf');
    expect(detectFileType(after(1024))).toBeUndefined();
  });

  it('XML in UTF-16, either end first', () => {
    expect(detectFileType(utf16('<invoice/>', [0xff, 0xfe], false))).toBe('application/xml');
    expect(detectFileType(utf16('<invoice/>', [0xfe, 0xff], true))).toBe('application/xml');
  });

  it.each([
    ['nothing', ''],
    ['text', 'an invoice'],
    ['HTML', '<html><body>'],
    ['HTML in capitals', '<!DOCTYPE html><HTML>'],
    ['HTML named xml inside', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">'],
    ['a comment without end', '<!-- <invoice/>'],
    ['an instruction without end', '<?xml <invoice/>'],
    ['a prolog without an element', '<?xml version="1.0"?>'],
    ['a tag that is none', '<1invoice/>'],
    ['a tag without end', '<invoice'],
    ['half the mark of a png', '\u0089PN'],
    ['a gif', 'GIF89a'],
    ['a program', 'MZ'],
  ])('%s is none of them', (_name, text) => {
    expect(detectFileType(Buffer.from(text, 'latin1'))).toBeUndefined();
  });

  it('a prolog longer than 64 KiB is not looked through', () => {
    const padded = (length: number) => Buffer.from(`<!--${'x'.repeat(length)}--><invoice/>`);
    expect(detectFileType(padded(60 * 1024))).toBe('application/xml');
    expect(detectFileType(padded(64 * 1024))).toBeUndefined();
    const comment = '<!---->'.length;
    expect(detectFileType(padded(64 * 1024 - comment))).toBe('application/xml');
    expect(detectFileType(padded(64 * 1024 - comment + 1))).toBeUndefined();
  });

  it('is found in a view that does not begin its buffer', () => {
    const whole = Buffer.concat([Buffer.from('xx'), files.png]);
    expect(detectFileType(new Uint8Array(whole.buffer, whole.byteOffset + 2, files.png.length))).toBe(
      'image/png',
    );
  });
});

describe('extensions', () => {
  it.each([
    ['invoice.pdf', 'pdf'],
    ['INVOICE.PDF', 'pdf'],
    ['a.b.jpeg', 'jpeg'],
    ['a.jp2', 'jp2'],
    ['.xml', 'xml'],
    ['INV.2026', undefined],
    ['invoice', undefined],
    ['invoice.', undefined],
    ['No. 7', undefined],
    ['a.pdf ', undefined],
    ['a.pdf\n', undefined],
    ['', undefined],
  ])('of %j is %j', (name, extension) => {
    expect(extensionOf(name)).toBe(extension);
  });

  it.each(['jpg', 'jpeg', 'png', 'pdf'])('%s may stand in a fileUrl', (extension) => {
    expect(isUrlExtension(extension)).toBe(true);
  });

  it.each(['xml', 'exe', ''])('%j may not', (extension) => {
    expect(isUrlExtension(extension)).toBe(false);
  });
});

describe('names and declared types against the content', () => {
  it('either ending of a jpeg fits, in any case; a name without one says nothing', () => {
    for (const name of ['a.jpg', 'a.JPEG', 'photo', 'INV.2026'])
      expect(nameFits(name, 'image/jpeg')).toBe(true);
    for (const name of ['a.pdf', 'a.jpg.exe']) expect(nameFits(name, 'image/jpeg')).toBe(false);
  });

  it.each([
    ['application/xml', 'application/xml'],
    ['text/xml', 'application/xml'],
    ['Text/XML; charset=utf-8', 'application/xml'],
    ['image/jpg', 'image/jpeg'],
    ['image/pjpeg', 'image/jpeg'],
    ['image/x-png', 'image/png'],
    ['application/x-pdf', 'application/pdf'],
    ['application/octet-stream', 'image/png'],
    ['', 'application/pdf'],
    [' ; charset=x', 'application/pdf'],
  ] as const)('%j may be declared for %s', (declared, type) => {
    expect(declaredTypeFits(declared, type)).toBe(true);
  });

  it.each([
    ['text/plain', 'application/xml'],
    ['image/png', 'image/jpeg'],
    ['application/pdf', 'image/png'],
    ['pdf', 'application/pdf'],
  ] as const)('%j may not be declared for %s', (declared, type) => {
    expect(declaredTypeFits(declared, type)).toBe(false);
  });
});
