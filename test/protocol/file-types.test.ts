import { describe, expect, it } from 'vitest';
import { declaredTypeFits, detectFileType, nameFits, urlPathFits } from '../../src/protocol/file-types.js';
import { files } from '../helpers/samples.js';

const utf16 = (text: string, mark: readonly number[], swap: boolean) => {
  const bytes = Buffer.from(text, 'utf16le');
  return Buffer.concat([Buffer.from(mark), swap ? bytes.swap16() : bytes]);
};

describe('the type of a file by its content', () => {
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
    ['a long comment first', `<!--${'x'.repeat(200_000)}--><invoice/>`],
    ['a comment of dashes', '<!----><invoice/>'],
    ['a name in Vietnamese', '<hoáĐơn/>'],
    ['attributes in either quotes', `<v b="1" c='2 > 1'/>`],
    ['attributes over several lines', '<v\n  b = "1"\r\n\tc="2"\n>'],
    ['nested elements of one name', '<v><v><v/></v></v>'],
    ['a namespace', '<inv:invoice xmlns:inv="urn:x"><inv:body/></inv:invoice>'],
    ['a root that begins as html does', '<x:html5/>'],
    ['HTML as text', '<v><![CDATA[<!DOCTYPE html><p>Hóa đơn</p>]]></v>'],
    ['a root named as in HTML, in another case', '<Table/>'],
    ['the root Header', '<Header><No>1</No></Header>'],
    ['the root Form', '<Form id="1">'],
    ['the root Section', '<Section/>'],
    ['a root in capitals', '<DIV>'],
    ['a root named as in HTML, in a namespace', '<table xmlns="urn:x">'],
    ['a root named as in HTML, beside a prefixed namespace', '<data xmlns:x="urn:x"/>'],
    ['a root named as in HTML, with a prefix', '<inv:table/>'],
    ['a root named as in HTML, after a declaration', '<?xml version="1.0"?><data><item/></data>'],
    ["DocBook's article, in its namespace", '<article xmlns="http://docbook.org/ns/docbook" version="5.0">'],
    [
      "DocBook's article, after its DOCTYPE",
      '<!DOCTYPE article PUBLIC "-//OASIS//DTD DocBook XML V4.5//EN"\n "http://www.oasis-open.org/docbook/xml/4.5/docbookx.dtd">\n<article>',
    ],
  ])('is XML with %s', (_name, text) => {
    expect(detectFileType(Buffer.from(text))).toBe('application/xml');
  });

  it.each([
    ['declarations', '<!DOCTYPE v [<!ENTITY own "x">]>'],
    ['a bracket in quotes', '<!DOCTYPE v [<!ENTITY own "]>">]>'],
    ['a bracket in single quotes', "<!DOCTYPE v [<!ENTITY own ']>'>]>"],
    ['a > in its identifiers', '<!DOCTYPE v SYSTEM "a>b[.dtd">'],
    ['an apostrophe and a bracket in a comment', "<!DOCTYPE v [<!-- it's ]> --><!ELEMENT v ANY>]>"],
    ['a quote and a bracket in an instruction', '<!DOCTYPE v [<?x "]> ?>]>'],
    ['white space after its brackets', '<!DOCTYPE v [ %own; ]\n >'],
    ['a name that begins as html does', '<!DOCTYPE html5>'],
    ['a long list of declarations', `<!DOCTYPE v [${'<!ENTITY e "]>">'.repeat(10_000)}]>`],
  ])('is XML after a DOCTYPE with %s', (_name, doctype) => {
    expect(detectFileType(Buffer.from(`${doctype}<v/>`))).toBe('application/xml');
    expect(detectFileType(Buffer.from(doctype))).toBeUndefined();
    expect(detectFileType(Buffer.from(doctype.slice(0, -1)))).toBeUndefined();
  });

  it.each([
    ['an end that crosses a start', '<v><w></v></w>'],
    ['an element that does not end', '<invoice>'],
    ['two roots', '<v/><w/>'],
    ['text after the root', '<v/>x'],
    ['a bare ampersand', '<v>Q & A</v>'],
    ['a reference that nobody defines', '<v>&own;</v>'],
    ['a control character', '<v>\0</v>'],
  ])('does not depend on anything after the start tag of the root: %s', (_name, text) => {
    expect(detectFileType(Buffer.from(text))).toBe('application/xml');
  });

  // Those that a page is most often cut from, and some that an invoice could be called.
  const htmlElements =
    'a article b body data div font footer form h1 header html li link main p pre section span table title ul';

  it.each(htmlElements.split(' '))('is HTML for a bare <%s>', (name) => {
    for (const text of [
      `<${name}>Hóa đơn</${name}>`,
      `<${name} class="invoice">`,
      `<!-- page -->\n<${name}/>`,
    ]) {
      expect(detectFileType(Buffer.from(text))).toBeUndefined();
    }
  });

  it.each([
    ['the DOCTYPE of HTML', '<!DOCTYPE html><invoice/>'],
    ['the DOCTYPE of HTML in small letters', '<!doctype HTML><invoice/>'],
    ['the DOCTYPE of HTML, over two lines', '<!DOCTYPE\n  html><invoice/>'],
    [
      'the DOCTYPE of XHTML',
      '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x"><html/>',
    ],
    ['XHTML', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">'],
    ['XHTML with a prefix', '<x:html xmlns:x="http://www.w3.org/1999/xhtml"/>'],
    ['HTML in capitals', '<HTML>'],
    ['an attribute without quotes', '<v b=1/>'],
    ['an attribute without a value', '<v b/>'],
    ['a < in an attribute', '<v b="<"/>'],
    ['attributes that touch', '<v b="1"c="2"/>'],
    ['an attribute that does not end', '<v b="1/>'],
    ['broken tags', '<v b>< <'],
    ['a tag that does not end', '<invoice'],
    ['a tag that does not end, after an attribute', '<invoice a="1"'],
    ['a slash that does not end the tag', '<invoice / >'],
    ['text before the root', 'x<v/>'],
    ['an end first', '</v>'],
    ['a section of text first', '<![CDATA[x]]><v/>'],
    ['a DOCTYPE without a name', '<!DOCTYPE><v/>'],
    ['a DOCTYPE whose brackets do not end', '<!DOCTYPE v [<v/>'],
    ['a DOCTYPE whose quotes do not end', '<!DOCTYPE v "><v/>'],
    ['a DOCTYPE whose comment does not end', '<!DOCTYPE v [<!-- ]><v/>'],
  ])('is not XML for %s', (_name, text) => {
    expect(detectFileType(Buffer.from(text))).toBeUndefined();
  });

  it.each([
    ['spaces in a tag', `<v ${' '.repeat(2_000_000)}b`],
    ['attributes that do not end the tag', `<v ${' a="1"'.repeat(500_000)}`],
    ['comments that do not end', `<!DOCTYPE v [${'<!--'.repeat(1_000_000)}`],
    ['comments that end', '<!---->'.repeat(700_000)],
    ['a name without end', `<${'v'.repeat(5_000_000)}`],
  ])('is found in little time, also in %s', (_name, hostile) => {
    const startedAt = performance.now();
    expect(detectFileType(Buffer.from(hostile))).toBeUndefined();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('is PDF with a header anywhere in the first 1024 bytes', () => {
    const after = (length: number) => Buffer.concat([Buffer.alloc(length, 10), files.pdf]);
    expect(detectFileType(after(1))).toBe('application/pdf');
    expect(detectFileType(after(1024 - '%PDF-'.length))).toBe('application/pdf');
    expect(detectFileType(after(1024))).toBeUndefined();
  });

  it('is XML in UTF-16 of either byte order, with a byte order mark and without', () => {
    for (const text of ['<invoice/>', '<?xml version="1.0" encoding="UTF-16"?>\n<hoáĐơn số="1">', ' <v/>']) {
      expect(detectFileType(utf16(text, [0xff, 0xfe], false))).toBe('application/xml');
      expect(detectFileType(utf16(text, [0xfe, 0xff], true))).toBe('application/xml');
      expect(detectFileType(utf16(text, [], false))).toBe('application/xml');
      expect(detectFileType(utf16(text, [], true))).toBe('application/xml');
    }
    expect(detectFileType(utf16('<html>', [], false))).toBeUndefined();
    expect(detectFileType(utf16('<div/>', [0xfe, 0xff], true))).toBeUndefined();
  });

  it.each([
    ['the encoding that is declared', 'Shift_JIS', [0x8d, 0x80, 0x83, 0x7c]], // 項ポ, whose last byte is | in ASCII
    ['an encoding that is not known', 'x-nobody', [0xc3, 0xa9]],
    ['an encoding that cannot be right', 'UTF-16', [0xc3, 0xa9]],
    ['bytes that are not UTF-8', 'utf-8', [0xe9, 0x20]],
  ])('is XML with %s', (_name, encoding, bytes) => {
    const declaration = `<?xml version='1.0' encoding='${encoding}' standalone="no"?>`;
    const name = _name.startsWith('the encoding') ? Buffer.from(bytes) : Buffer.from('v');
    const text = [
      Buffer.from(`${declaration}<`),
      name,
      Buffer.from(' a="'),
      Buffer.from(bytes),
      Buffer.from('">'),
    ];
    expect(detectFileType(Buffer.concat(text))).toBe('application/xml');
  });

  it.each([
    ['nothing', ''],
    ['text', 'an invoice'],
    ['HTML', '<html><body>'],
    ['a comment without end', '<!-- <invoice/>'],
    ['an instruction without end', '<?xml <invoice/>'],
    ['a prolog without an element', '<?xml version="1.0"?>'],
    ['an invalid tag', '<1invoice/>'],
    ['a tag without end', '<invoice'],
    ['half the mark of a png', '\u0089PN'],
    ['a gif', 'GIF89a'],
    ['a program', 'MZ'],
  ])('is not known for %s', (_name, text) => {
    expect(detectFileType(Buffer.from(text, 'latin1'))).toBeUndefined();
  });

  it('is found in a view that does not begin its buffer', () => {
    const whole = Buffer.concat([Buffer.from('xx'), files.png]);
    expect(detectFileType(new Uint8Array(whole.buffer, whole.byteOffset + 2, files.png.length))).toBe(
      'image/png',
    );
  });
});

describe('the path of a fileUrl', () => {
  it.each([
    '/a.jpg',
    '/A.JPEG',
    '/a.png',
    '/a.b.pdf',
    '/INV.2026',
    '/invoice',
    '/invoice.',
    '/download.php',
    '/hoadon-shop.com',
    '/a.pdf ',
    '',
  ])('may be %j', (path) => {
    expect(urlPathFits(path)).toBe(true);
  });

  it.each(['/a.xml', '/a.exe', '/a.pdf.exe', '/a.JP2', '/a.html', '/.zip'])('cannot be %j', (path) => {
    expect(urlPathFits(path)).toBe(false);
  });
});

describe('a file whose content is checked against its name and type', () => {
  it.each([
    'a.jpg',
    'a.JPEG',
    'photo',
    'INV.2026',
    'hoadon-shop.com',
    'INV.2026.ts',
    'Cty ABC.app',
    'HD.v2',
    'a.jpg.exe',
    'No. 7',
    '',
  ])('may be a jpeg named %j', (name) => {
    expect(nameFits(name, 'image/jpeg')).toBe(true);
  });

  it.each(['a.pdf', 'a.PNG', 'a.jpg.xml', '.html', 'a.docx', 'a.zip'])(
    'cannot be a jpeg named %j',
    (name) => {
      expect(nameFits(name, 'image/jpeg')).toBe(false);
    },
  );

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
  ] as const)('may declare %j for %s', (declared, type) => {
    expect(declaredTypeFits(declared, type)).toBe(true);
  });

  it.each([
    ['text/plain', 'application/xml'],
    ['image/png', 'image/jpeg'],
    ['application/pdf', 'image/png'],
    ['pdf', 'application/pdf'],
  ] as const)('cannot declare %j for %s', (declared, type) => {
    expect(declaredTypeFits(declared, type)).toBe(false);
  });
});
