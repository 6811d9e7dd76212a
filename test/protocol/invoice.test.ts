import { describe, expect, it } from 'vitest';
import { invoiceUploadSchema } from '../../src/index.js';
import { invoiceUploadWireSchema, parsedInvoiceUploadSchema } from '../../src/protocol/invoice-schema.js';
import { brokenRules, fieldsOf, refusal } from '../helpers/outcomes.js';
import { credentials, files, invoiceUpload } from '../helpers/samples.js';

const broken = (changes: object) => brokenRules('uploadInvoice', { ...invoiceUpload(), ...changes });
const passes = async (changes: object) => fieldsOf({ ...invoiceUpload(), ...changes });

describe('an upload is sent with', () => {
  it('only the given fields, and the defaults of an upload', async () => {
    expect(await fieldsOf(invoiceUpload())).toEqual({
      merchantId: 'DEMO-MERCHANT',
      referenceId: 'ORDER:2026-0001',
      storeId: 'STORE-01',
    });
  });

  it('no storeId if neither the client nor the upload has one', async () => {
    const fields = await fieldsOf(invoiceUpload(), { ...credentials, storeId: undefined });
    expect(fields).not.toHaveProperty('storeId');
  });

  it('an empty field, as an empty field', async () => {
    expect(await passes({ description: '', storeId: '' })).toMatchObject({ description: '', storeId: '' });
  });

  it('a merchantId, which is required if the client has none', async () => {
    const error = await refusal('uploadInvoice', invoiceUpload(), { merchantId: undefined });
    expect(error.issues).toMatchObject([{ path: ['merchantId'], resultStatus: 'INVALID_REQUEST' }]);
  });
});

describe('a field of an upload:', () => {
  it.each(['', 'x'.repeat(61), 'ORDER-1\n', '١٢٣'])(
    'the referenceId %j is INVALID_REFERENCE_ID',
    async (referenceId) => {
      expect(await broken({ referenceId })).toEqual(['referenceId INVALID_REFERENCE_ID']);
    },
  );

  it('a store of the wrong type is INVALID_REQUEST, one with half a surrogate pair INVALID_STORE_ID', async () => {
    expect(await broken({ storeId: 7 })).toEqual(['storeId INVALID_REQUEST']);
    expect(await broken({ storeId: '\ud800' })).toEqual(['storeId INVALID_STORE_ID']);
  });

  it.each([
    'merchantId',
    'paymentTransId',
    'storeId',
    'invoiceNumber',
    'invoiceDate',
    'fileUrl',
    'description',
    'extraData',
    'file',
  ])('null is a wrong value of %s, not an absent one', async (name) => {
    const other = name === 'file' ? { fileUrl: 'https://shop.example/a.pdf' } : {};
    expect(await broken({ ...other, [name]: null })).toEqual([`${name} INVALID_REQUEST`]);
  });

  it.each(['paymentTransId', 'invoiceNumber', 'description'])('%s must be well-formed text', async (name) => {
    expect(await broken({ [name]: '\ud83d' })).toEqual([`${name} INVALID_REQUEST`]);
    expect(await broken({ [name]: 12 })).toEqual([`${name} INVALID_REQUEST`]);
  });

  it.each(['amount', '__proto__', 'constructor', 'toString'])('%s is an unknown field', async (name) => {
    const given: unknown = JSON.parse(
      `{"${name}":1,"referenceId":"R","fileUrl":"https://shop.example/a.pdf"}`,
    );
    expect(await brokenRules('uploadInvoice', given)).toEqual([`${name} INVALID_REQUEST`]);
  });
});

describe('invoiceDate', () => {
  it('accepts a Date, which is written in UTC to the second', async () => {
    const invoiceDate = new Date('2026-11-20T23:04:05.678+07:00');
    expect(await passes({ invoiceDate })).toHaveProperty('invoiceDate', '2026-11-20T16:04:05Z');
  });

  it('accepts the text of the wire unchanged', async () => {
    expect(await passes({ invoiceDate: '2028-02-29T23:59:59Z' })).toHaveProperty(
      'invoiceDate',
      '2028-02-29T23:59:59Z',
    );
  });

  it.each([
    '',
    '2026-11-20',
    '2026-02-30T00:00:00Z',
    new Date(NaN),
    new Date('+010000-01-01'),
    1_700_000_000_000,
  ])('refuses %j', async (invoiceDate) => {
    expect(await broken({ invoiceDate })).toEqual(['invoiceDate INVALID_REQUEST']);
  });
});

describe('extraData', () => {
  it.each(['{}', '{"till":4}', '[]', '"text"', 'null', '1', ' {"a" : "b"} '])(
    'accepts %j, which is sent unchanged',
    async (extraData) => {
      expect(await passes({ extraData })).toHaveProperty('extraData', extraData);
    },
  );

  it.each(['', 'till 4', '{', "{'till':4}", 'undefined', '{"a":1}\u0000'])(
    'refuses %j, which is not JSON',
    async (extraData) => {
      expect(await broken({ extraData })).toEqual(['extraData INVALID_REQUEST']);
    },
  );

  it('writes an object as JSON', async () => {
    expect(await passes({ extraData: { till: 4 } })).toHaveProperty('extraData', '{"till":4}');
    expect(await passes({ extraData: [1, 'a'] })).toHaveProperty('extraData', '[1,"a"]');
  });

  it('refuses an object that JSON cannot represent, with the place of its problem', async () => {
    const { issues } = await refusal('uploadInvoice', {
      ...invoiceUpload(),
      extraData: { cart: { at: NaN } },
    });
    expect(issues).toEqual([
      {
        path: ['extraData'],
        message: 'cannot be written as JSON: cart.at is not a finite number',
        resultStatus: 'INVALID_REQUEST',
      },
    ]);
  });

  it.each([7, true, 1n])('refuses %s, which is neither text nor an object', async (extraData) => {
    expect(await broken({ extraData })).toEqual(['extraData INVALID_REQUEST']);
  });

  it('refuses a function', async () => {
    expect(await broken({ extraData: () => '{}' })).toEqual(['extraData INVALID_REQUEST']);
  });
});

describe('fileUrl', () => {
  const url = (fileUrl: unknown) => broken({ file: undefined, fileUrl });

  it.each([
    'https://files.example/invoice.pdf',
    'https://files.example/INVOICE.PDF',
    'https://files.example/a.jpg?signature=x.exe',
    'https://files.example/a.jpeg#page.exe',
    'https://files.example/a.png',
    'https://files.example/invoices/7',
    'https://files.example/v1.2/invoice',
    'https://files.example/INV.2026',
    'https://files.example/',
    'https://files.example:8443/a.pdf',
  ])('may be %s', async (fileUrl) => {
    expect(await passes({ file: undefined, fileUrl })).toHaveProperty('fileUrl', fileUrl);
  });

  it.each([
    '',
    'invoice.pdf',
    '//files.example/a.pdf',
    'http://files.example/a.pdf',
    'ftp://files.example/a.pdf',
    'file:///a.pdf',
    'https:files.example/a.pdf',
    'view-source:https://files.example/a.pdf',
    'https://',
    7,
  ])('is not an https URL: %j', async (fileUrl) => {
    expect(await url(fileUrl)).toEqual(['fileUrl INVALID_REQUEST']);
  });

  it.each(['exe', 'xml', 'html', 'gif', 'pdf.exe', 'PDF.EXE', 'jp2'])(
    'is INVALID_FILE_TYPE if it ends in .%s',
    async (extension) => {
      expect(await url(`https://files.example/invoice.${extension}`)).toEqual(['fileUrl INVALID_FILE_TYPE']);
    },
  );

  it.each(['http://files.example/a.pdf', 'https://files.example/a.exe', 'a.pdf', ''])(
    'is not checked if there is a file, which the service uses: %j',
    async (fileUrl) => {
      expect(await passes({ file: files.png, fileUrl })).toHaveProperty('fileUrl', fileUrl);
      expect(await broken({ file: files.png, fileUrl: 7 })).toEqual(['fileUrl INVALID_REQUEST']);
    },
  );

  it('is sent together with a file', async () => {
    const fileUrl = 'https://files.example/a.pdf';
    expect(await passes({ file: files.png, fileUrl })).toHaveProperty('fileUrl', fileUrl);
  });

  it.each([{}, { file: undefined, fileUrl: undefined }])('is required, or a file: %j', async (neither) => {
    for (const time of ['first', 'second']) {
      const error = await refusal('uploadInvoice', { referenceId: `R-${time}`, ...neither });
      expect(error.issues).toEqual([
        {
          path: ['file'],
          message: 'is required if there is no fileUrl',
          resultStatus: 'INVALID_REQUEST',
        },
      ]);
    }
  });
});

describe('several broken rules:', () => {
  it('every broken field of an upload is named, the file in memory included', async () => {
    const file = Buffer.from('MZ\u0090');
    expect(await broken({ referenceId: '', invoiceDate: 'today', extraData: '{', fileUrl: 7, file })).toEqual(
      [
        'referenceId INVALID_REFERENCE_ID',
        'fileUrl INVALID_REQUEST',
        'invoiceDate INVALID_REQUEST',
        'extraData INVALID_REQUEST',
        'file INVALID_FILE_TYPE',
      ],
    );
  });
});

describe('the schemas of an upload:', () => {
  it('the input schema makes text fields that the wire schema takes', () => {
    const { file, ...text } = invoiceUploadSchema.parse({
      ...invoiceUpload(),
      merchantId: 'M',
      invoiceDate: new Date(0),
      extraData: { till: 4 },
    });
    expect(file).toBe(files.pdf);
    expect(invoiceUploadWireSchema.parse(text)).toEqual(text);
  });

  it('a shop checks an upload that lacks the merchantId of its client', () => {
    expect(invoiceUploadSchema.parse(invoiceUpload())).toEqual(invoiceUpload());
    expect(parsedInvoiceUploadSchema.safeParse(invoiceUpload()).error?.issues).toMatchObject([
      { path: ['merchantId'] },
    ]);
  });

  it.each([
    ['file', 'with one of them as data; got null: leave the field out'],
    ['invoiceDate', '2026-11-20T09:30:00Z; got null: leave the field out'],
    ['extraData', 'such as { till: 4 }; got null: leave the field out'],
    ['merchantId', 'must be a string; got null: leave the field out'],
  ])('null in place of %s is answered with advice', (name, end) => {
    const { error } = invoiceUploadSchema.safeParse({
      ...invoiceUpload(),
      fileUrl: 'https://a.vn',
      [name]: null,
    });
    expect(error?.issues).toMatchObject([{ path: [name] }]);
    expect(error?.issues[0]?.message.endsWith(end)).toBe(true);
  });

  it('a file that is not in memory comes out as it was given, or classified for the client', () => {
    const file = new Blob(['text'], { type: 'text/plain' });
    const upload = { ...invoiceUpload({ file }), merchantId: 'M' };
    expect(invoiceUploadSchema.parse(upload).file).toBe(file);
    expect(parsedInvoiceUploadSchema.parse(upload).file).toEqual({
      kind: 'blob',
      blob: file,
      contentType: 'text/plain',
    });
  });

  it('a file in memory comes out ready to be sent', () => {
    const upload = { ...invoiceUpload({ file: files.pdf }), merchantId: 'M' };
    expect(parsedInvoiceUploadSchema.parse(upload).file).toEqual({
      bytes: new Uint8Array(files.pdf),
      filename: 'invoice.pdf',
      contentType: 'application/pdf',
    });
  });

  it('they report issues of zod', () => {
    const issues = (changes: object) =>
      invoiceUploadSchema.safeParse({ merchantId: 'M', referenceId: 'R', ...changes }).error?.issues;
    const fileUrl = 'https://files.example/a.pdf';
    expect(issues({ fileUrl, extraData: 'till 4' })).toEqual([
      {
        code: 'custom',
        path: ['extraData'],
        message: 'must be a string that parses as JSON, or an object, such as { till: 4 }',
      },
    ]);
    const timestampRule =
      'must be a valid Date, or a string in the form yyyy-MM-ddTHH:mm:ssZ, such as 2026-11-20T09:30:00Z';
    for (const invoiceDate of ['today', 'x2026-11-20T09:30:00Z', '2026-11-20T09:30:00Zx']) {
      expect(issues({ fileUrl, invoiceDate })).toMatchObject([
        { path: ['invoiceDate'], message: timestampRule },
      ]);
    }
    expect(issues({ file: 7n })).toMatchObject([
      { code: 'custom', path: ['file'], params: { resultStatus: 'INVALID_REQUEST' } },
    ]);
    expect(issues({ fileUrl: 'http://files.example/a.pdf' })).toMatchObject([
      {
        path: ['fileUrl'],
        message: 'must be an absolute https URL, such as https://files.example/invoice.pdf',
      },
    ]);
    expect(issues({ fileUrl: 'https://files.example/a.gif' })).toMatchObject([
      { path: ['fileUrl'], message: 'must end in pdf, png, jpg, jpeg, or have no extension' },
    ]);
  });

  it('an upload without a file or a URL has one issue, and a URL that is not a string has another', () => {
    const issues = (changes: object) =>
      invoiceUploadSchema.safeParse({ merchantId: 'M', referenceId: 'R', ...changes }).error?.issues;
    expect(issues({})).toMatchObject([{ path: ['file'], message: 'is required if there is no fileUrl' }]);
    expect(issues({ fileUrl: 7 })).toMatchObject([
      { path: ['fileUrl'], message: 'must be a string; got a number' },
    ]);
  });

  it('the wire schema has its own messages, each once', () => {
    const issues = (changes: object) =>
      invoiceUploadWireSchema.safeParse({ merchantId: 'M', referenceId: 'R', ...changes }).error?.issues;
    expect(issues({ extraData: '{' })).toMatchObject([
      { path: ['extraData'], message: 'must be a string that parses as JSON' },
    ]);
    expect(issues({ fileUrl: 'http://files.example/a.gif' })).toMatchObject([
      {
        path: ['fileUrl'],
        message: 'must be an absolute https URL, such as https://files.example/invoice.pdf',
      },
    ]);
    expect(issues({ invoiceDate: 'today' })).toMatchObject([
      {
        path: ['invoiceDate'],
        message: 'must be a string in the form yyyy-MM-ddTHH:mm:ssZ, such as 2026-11-20T09:30:00Z',
      },
    ]);
  });

  it('the wire schema refuses values in another form than on the wire', () => {
    const paths = (value: object) =>
      invoiceUploadWireSchema
        .safeParse({ merchantId: 'M', referenceId: 'R', ...value })
        .error?.issues.map(({ path }) => path.join('.'));
    expect(paths({})).toBeUndefined();
    expect(paths({ invoiceDate: new Date(0), extraData: {} })).toEqual(['invoiceDate', 'extraData']);
    expect(paths({ invoiceDate: '2026-02-30T00:00:00Z', extraData: '{' })).toEqual([
      'invoiceDate',
      'extraData',
    ]);
  });
});
