import { describe, expect, test } from 'vitest';
import { invoiceUploadSchema } from '../../src/entries/index.js';
import { invoiceUploadWireSchema } from '../../src/protocol/invoice-schema.js';
import { brokenRules, fieldsOf, refusal } from '../helpers/outcomes.js';
import { credentials, files, invoiceUpload } from '../helpers/samples.js';

const broken = (changes: object) => brokenRules('uploadInvoice', { ...invoiceUpload(), ...changes });
const passes = async (changes: object) => fieldsOf({ ...invoiceUpload(), ...changes });

describe('an upload is sent with', () => {
  test('only the given fields, and the defaults of an upload', async () => {
    expect(await fieldsOf(invoiceUpload())).toEqual({
      merchantId: 'DEMO-MERCHANT',
      referenceId: 'ORDER:2026-0001',
      storeId: 'STORE-01',
    });
  });

  test('no storeId if neither the client nor the upload has one', async () => {
    const fields = await fieldsOf(invoiceUpload(), { ...credentials, storeId: undefined });
    expect(fields).not.toHaveProperty('storeId');
  });

  test('an empty field, as an empty field', async () => {
    expect(await passes({ description: '', paymentTransId: '' })).toMatchObject({
      description: '',
      paymentTransId: '',
    });
  });

  test('a merchantId, which is required if the client has none', async () => {
    const error = await refusal('uploadInvoice', invoiceUpload(), { merchantId: undefined });
    expect(error.issues).toMatchObject([{ path: ['merchantId'], resultStatus: 'INVALID_REQUEST' }]);
  });
});

const url = (path: string) => `https://files.example${path}`;

describe('each valid value is sent unchanged:', () => {
  test.each([
    ['invoiceDate', ['2028-02-29T23:59:59Z']],
    ['extraData', ['{}', '{"till":4}', '[]', '"text"', 'null', '1', ' {"a" : "b"} ']],
    [
      'fileUrl',
      [
        ...['/invoice.pdf', '/INVOICE.PDF', '/a.jpg?signature=x.exe', '/a.jpeg#page.exe', '/a.png'].map(url),
        ...['/invoices/7', '/v1.2/invoice', '/INV.2026', '/', ':8443/a.pdf'].map(url),
      ],
    ],
  ])('%s', async (name, values) => {
    const file = name === 'fileUrl' ? undefined : files.pdf;
    for (const value of values) expect(await passes({ file, [name]: value })).toHaveProperty(name, value);
  });

  test.each(['http://files.example/a.pdf', url('/a.exe'), url('/a.pdf'), 'a.pdf', ''])(
    'a fileUrl together with a file, which the service uses: %j',
    async (fileUrl) => {
      expect(await passes({ file: files.png, fileUrl })).toHaveProperty('fileUrl', fileUrl);
      expect(await broken({ file: files.png, fileUrl: 7 })).toEqual(['fileUrl INVALID_REQUEST']);
    },
  );
});

describe('each invalid value is refused at its path:', () => {
  test.each<[string, readonly unknown[], status?: string]>([
    ['referenceId', ['ORDER 1'], 'INVALID_REFERENCE_ID'],
    ['merchantId', [null, '', 'M\r']],
    ['storeId', [null, 7]],
    ['storeId', ['\ud800', '', 'S\r'], 'INVALID_STORE_ID'],
    ['paymentTransId', [null, 12, '\ud83d']],
    ['invoiceNumber', [null, 12, '\ud83d']],
    ['description', [null, 12, '\ud83d']],
    [
      'invoiceDate',
      [null, '', '2026-11-20', '2026-02-30T00:00:00Z', new Date(NaN), new Date('+010000-01-01'), 1.7e12],
    ],
    [
      'extraData',
      [null, '', 'till 4', '{', "{'till':4}", 'undefined', '{"a":1}\u0000', 7, true, 1n, () => '{}'],
    ],
    [
      'fileUrl',
      [
        ...[
          null,
          7,
          '',
          'invoice.pdf',
          '//files.example/a.pdf',
          'http://files.example/a.pdf',
          'ftp://a.example/a.pdf',
        ],
        ...[
          'file:///a.pdf',
          'https:files.example/a.pdf',
          'view-source:https://files.example/a.pdf',
          'https://',
        ],
      ],
    ],
    [
      'fileUrl',
      ['/a.exe', '/a.xml', '/a.html', '/a.gif', '/a.pdf.exe', '/A.PDF.EXE', '/a.heic'].map(url),
      'INVALID_FILE_TYPE',
    ],
    ['file', [null]],
  ])('%s', async (name, values, status = 'INVALID_REQUEST') => {
    const other = name === 'file' ? { fileUrl: url('/a.pdf') } : {};
    const file = name === 'fileUrl' ? undefined : files.pdf;
    for (const value of values)
      expect([value, await broken({ file, ...other, [name]: value })]).toEqual([
        value,
        [`${name} ${status}`],
      ]);
  });

  test.each(['amount', '__proto__', 'constructor', 'toString'])('the unknown field %s', async (name) => {
    const given: unknown = JSON.parse(`{"${name}":1,"referenceId":"R","fileUrl":"${url('/a.pdf')}"}`);
    expect(await brokenRules('uploadInvoice', given)).toEqual([`${name} INVALID_REQUEST`]);
  });

  test.each([{}, { file: undefined, fileUrl: undefined }])(
    'neither a file nor a fileUrl: %j',
    async (neither) => {
      for (const time of ['first', 'second']) {
        const { issues } = await refusal('uploadInvoice', { referenceId: `R-${time}`, ...neither });
        const message = 'is required if there is no fileUrl';
        expect(issues).toEqual([{ path: ['file'], message, resultStatus: 'INVALID_REQUEST' }]);
      }
    },
  );

  test('no file together with an invalid referenceId, and both are reported', async () => {
    expect(await brokenRules('uploadInvoice', { referenceId: 'R 1' })).toEqual([
      'referenceId INVALID_REFERENCE_ID',
      'file INVALID_REQUEST',
    ]);
  });
});

test('a Date is written in UTC to the second, and an object as JSON', async () => {
  const invoiceDate = new Date('2026-11-20T23:04:05.678+07:00');
  expect(await passes({ invoiceDate, extraData: { till: 4 } })).toMatchObject({
    invoiceDate: '2026-11-20T16:04:05Z',
    extraData: '{"till":4}',
  });
  expect(await passes({ extraData: [1, 'a'] })).toHaveProperty('extraData', '[1,"a"]');
});

test('an object that JSON cannot represent is refused with the path of its problem', async () => {
  const extraData = { cart: { at: NaN } };
  const { issues } = await refusal('uploadInvoice', { ...invoiceUpload(), extraData });
  const message = 'cannot be written as JSON: cart.at is not a finite number';
  expect(issues).toMatchObject([{ path: ['extraData'], message }]);
});

describe('several broken rules:', () => {
  test('every broken field of an upload is named, including the file in memory', async () => {
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
  test('the input schema makes text fields that the wire schema accepts', () => {
    const { file, ...text } = invoiceUploadSchema.parse({
      ...invoiceUpload(),
      merchantId: 'M',
      invoiceDate: new Date(0),
      extraData: { till: 4 },
    });
    expect(file).toBe(files.pdf);
    expect(invoiceUploadWireSchema.parse(text)).toEqual(text);
  });

  test('a shop can check an upload without the merchantId of its client', () => {
    expect(invoiceUploadSchema.parse(invoiceUpload())).toEqual(invoiceUpload());
  });

  test.each([
    ['file', 'to set the file name; got null: leave the field out'],
    ['invoiceDate', '2026-11-20T09:30:00Z; got null: leave the field out'],
    ['extraData', 'such as { till: 4 }; got null: leave the field out'],
    ['merchantId', 'must be a string; got null: leave the field out'],
  ])('null instead of %s is refused with advice', (name, end) => {
    const { error } = invoiceUploadSchema.safeParse({
      ...invoiceUpload(),
      fileUrl: 'https://a.vn',
      [name]: null,
    });
    expect(error?.issues).toMatchObject([{ path: [name] }]);
    expect(error?.issues[0]?.message.endsWith(end)).toBe(true);
  });

  test('a file is returned as it was passed', () => {
    for (const file of [new Blob(['text'], { type: 'text/plain' }), files.pdf])
      expect(invoiceUploadSchema.parse(invoiceUpload({ file })).file).toBe(file);
  });

  test('they report issues of zod', () => {
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
    expect(issues({ file: 7n })).toMatchObject([{ code: 'custom', path: ['file'] }]);
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

  test.each([
    ['extraData', '{', 'must be a string that parses as JSON'],
    [
      'fileUrl',
      'http://files.example/a.gif',
      'must be an absolute https URL, such as https://files.example/invoice.pdf',
    ],
    [
      'invoiceDate',
      'today',
      'must be a string in the form yyyy-MM-ddTHH:mm:ssZ, such as 2026-11-20T09:30:00Z',
    ],
  ])('the wire schema has its own message for %s, once', (name, value, message) => {
    const given = { merchantId: 'M', referenceId: 'R', [name]: value };
    expect(invoiceUploadWireSchema.safeParse(given).error?.issues).toMatchObject([{ path: [name], message }]);
  });

  test('the wire schema refuses values in an input format', () => {
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
