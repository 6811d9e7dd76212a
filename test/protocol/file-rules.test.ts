import { describe, expect, test } from 'vitest';
import type { FileSource } from '../../src/protocol/file-source.js';
import { checkFile } from '../../src/protocol/file-rules.js';
import { files } from '../helpers/samples.js';

const maxBytes = 5_242_880;

/** The file that is sent, or its problem. */
const checked = (source: FileSource, bytes: Uint8Array) => {
  const result = checkFile(source, [bytes]);
  return result.ok ? result.value : result.problem;
};
const check = (bytes: Uint8Array, named: { filename?: string; contentType?: string } = {}) =>
  checked({ kind: 'bytes', bytes, ...named }, bytes);

describe('a file that is sent', () => {
  test('has its bytes, a name and the type of its content', () => {
    expect(check(files.png, { filename: 'scan.png', contentType: 'image/x-png' })).toEqual({
      pieces: [files.png],
      filename: 'scan.png',
      contentType: 'image/png',
    });
  });

  test.each([
    ['pdf', 'application/pdf'],
    ['png', 'image/png'],
    ['jpg', 'image/jpeg'],
    ['xml', 'application/xml'],
  ] as const)('without a name is sent as invoice.%s', (extension, contentType) => {
    const bytes = files[extension];
    expect(check(bytes)).toEqual({ pieces: [bytes], filename: `invoice.${extension}`, contentType });
  });

  test.each([
    ['invoice 7', 'invoice 7'],
    ['hóa đơn 📄.pdf', 'hóa đơn 📄.pdf'],
    ['/tmp/a.pdf', 'a.pdf'],
    ['C:\\tmp\\a.pdf', 'a.pdf'],
    ['a/b\\c.pdf', 'c.pdf'],
    ['a\\b/c.pdf', 'c.pdf'],
    ['...', '...'],
    ['', 'invoice.pdf'],
    ['/tmp/', 'invoice.pdf'],
    ['.', 'invoice.pdf'],
    ['/tmp/..', 'invoice.pdf'],
    ['a.exe/', 'invoice.pdf'],
  ])('named %j is sent as %j', (filename, sent) => {
    expect(check(files.pdf, { filename })).toHaveProperty('filename', sent);
  });

  test('that is read from a path has the name of the path, unless it has its own name', () => {
    const source = { kind: 'path', path: '/tmp/a.pdf' } as const;
    expect(checked(source, files.pdf)).toHaveProperty('filename', 'a.pdf');
    expect(checked({ ...source, filename: 'b.pdf' }, files.pdf)).toHaveProperty('filename', 'b.pdf');
    expect(checked({ ...source, filename: '' }, files.pdf)).toHaveProperty('filename', 'invoice.pdf');
  });

  test('can be as large as 5 MB', () => {
    const bytes = Buffer.alloc(maxBytes);
    files.pdf.copy(bytes);
    expect(check(bytes)).toHaveProperty('contentType', 'application/pdf');
  });
});

describe('a file that is refused', () => {
  test.each<readonly [string, Uint8Array, object, string, string]>([
    ['an empty one', Buffer.alloc(0), {}, 'must not be empty', 'INVALID_REQUEST'],
    [
      'one byte too many',
      Buffer.alloc(maxBytes + 1),
      {},
      'must not be larger than 5 MB (5242880 bytes)',
      'FILE_TOO_LARGE',
    ],
    [
      'content of another type',
      Buffer.from('<html></html>'),
      { filename: 'a.xml' },
      'must begin like a pdf, png, jpg or xml file, for example with %PDF- or an XML tag; HTML is not accepted',
      'INVALID_FILE_TYPE',
    ],
    ...['a\r/b.pdf', 'a\nb.pdf', 'a\0.pdf'].map(
      (filename) =>
        [
          filename,
          files.pdf,
          { filename },
          'has a name that contains CR, LF or NUL',
          'INVALID_REQUEST',
        ] as const,
    ),
    [
      'half a surrogate pair in its name',
      files.pdf,
      { filename: '\ud800.pdf' },
      'has a name that is not well-formed Unicode',
      'INVALID_REQUEST',
    ],
    [
      'another extension',
      files.pdf,
      { filename: 'a.PNG' },
      'has a name whose extension does not fit its content (application/pdf)',
      'INVALID_FILE_TYPE',
    ],
    [
      'another declared type',
      files.png,
      { filename: 'a.png', contentType: 'application/pdf' },
      'has a contentType that does not fit its content (image/png)',
      'INVALID_FILE_TYPE',
    ],
  ])(
    'has the message and the status of the broken rule: %j',
    (_name, bytes, named, message, resultStatus) => {
      expect(check(bytes, named)).toEqual({ message, resultStatus });
    },
  );
});
