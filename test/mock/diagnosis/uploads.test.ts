import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { invoiceCanonicalString, signedInvoiceFields } from '../../../src/protocol/canonical-string.js';
import { hex, hmac, merchant, ofUpload, requestTime, secretKey } from './support.js';

const fields: Readonly<Record<string, string>> = {
  merchantId: 'DEMO-MERCHANT',
  referenceId: 'ORDER:2026-0001',
  storeId: 'STORE-01',
  invoiceNumber: 'INV/2026 1',
  invoiceDate: '2026-11-20T03:04:05Z',
  description: "Tủ lạnh & tivi, 'mới'",
  extraData: '{"a":1,"b":"x=y"}',
};

type Pairs = readonly (readonly [string, string])[];

const all: Pairs = signedInvoiceFields.map((name) => [name, fields[name] ?? '']);
const present: Pairs = all.filter(([name]) => name in fields);
const canonical = invoiceCanonicalString(fields);

function join(pairs: Pairs, encode: (value: string) => string = (value) => value): string {
  return pairs.map(([name, value]) => `${name}=${encode(value)}`).join('&');
}

/** As urlencode of PHP, which http_build_query uses. */
function urlencode(text: string): string {
  return encodeURIComponent(text)
    .replaceAll(/[!'()*~]/g, (unit) => `%${unit.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

const sorted = (pairs: Pairs): Pairs => [...pairs].sort(([a], [b]) => (a < b ? -1 : 1));
const changed = (name: string, value: string) =>
  canonical.replace(`${name}=${fields[name] ?? ''}`, `${name}=${value}`);
const fileUrl = 'https://files.example/i.pdf';

type Case = readonly [cause: string, title: string, signed: string, ...words: string[]];

const omitted = 'absent-fields-omitted';

const cases: readonly Case[] = [
  [omitted, 'only what was sent', join(present), 'array_filter'],
  [`${omitted} + url-encoded`, 'http_build_query', join(present, urlencode), 'http_build_query'],
  ['url-encoded', 'http_build_query of all fields', join(all, urlencode), 'http_build_query'],
  [
    `${omitted} + url-encoded + field-order`,
    'http_build_query after ksort',
    join(sorted(present), urlencode),
    'ksort',
  ],
  [`${omitted} + field-order`, 'ksort', join(sorted(present)), 'ksort'],
  ['field-order', 'sorted', join(sorted(all)), 'sorted by name'],
  ['field-order', 'reversed', join([...all].reverse()), 'reversed'],
  ['field-order', 'storeId before paymentTransId', join(swap(all, 2, 3)), 'storeId before paymentTransId'],
  ['field-order', 'extraData before description', join(swap(all, 6, 7)), 'extraData before description'],
  ['url-encoded', 'encodeURIComponent', join(all, encodeURIComponent), '%20'],
  [
    'url-encoded',
    'URLSearchParams',
    new URLSearchParams(Object.fromEntries(all)).toString(),
    '+ for a space',
  ],
  ['absent-fields-as-text', 'null', canonical.replace('paymentTransId=', 'paymentTransId=null'), 'null'],
  ['absent-fields-as-text', 'None', canonical.replace('paymentTransId=', 'paymentTransId=None'), 'None'],
  [
    'absent-fields-as-text',
    'undefined',
    canonical.replace('paymentTransId=', 'paymentTransId=undefined'),
    'undefined',
  ],
  [
    'field-omitted',
    'without description',
    join(all.filter(([name]) => name !== 'description')),
    'description',
  ],
  ['field-omitted', 'without extraData', join(all.filter(([name]) => name !== 'extraData')), 'extraData'],
  ['separators', 'a trailing &', `${canonical}&`, '& after the last one'],
  ['separators', 'a leading ?', `?${canonical}`, '? before'],
  ['separators', 'joined by |', all.map(([name, value]) => `${name}=${value}`).join('|'), '"|"'],
  ['separators', 'joined by ,', all.map(([name, value]) => `${name}=${value}`).join(','), '","'],
  [
    'separators',
    'joined by nothing',
    all.map(([name, value]) => `${name}=${value}`).join(''),
    'nothing between',
  ],
  ['separators', 'joined by line feeds', all.map(([name, value]) => `${name}=${value}`).join('\n'), '"\\n"'],
  ['separators', 'values alone', all.map(([, value]) => value).join(''), 'without their names'],
  ['separators', 'values joined by |', all.map(([, value]) => value).join('|'), 'without their names'],
  ['separators', 'colons', all.map(([name, value]) => `${name}:${value}`).join('&'), ': for ='],
  ['body-signed', 'JSON of the fields', JSON.stringify(fields), 'JSON'],
  ['body-signed', 'JSON of all fields', JSON.stringify(Object.fromEntries(all)), 'all eight fields'],
  [
    'body-signed',
    'JSON with null',
    JSON.stringify(Object.fromEntries(all.map(([name, value]) => [name, value === '' ? null : value]))),
    'null',
  ],
  [
    'body-signed + body-escaped',
    'json_encode',
    JSON.stringify(fields)
      .replaceAll('/', '\\/')
      .replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    'JSON_UNESCAPED_UNICODE',
  ],
  [
    'body-signed',
    'json.dumps, ensure_ascii=False',
    JSON.stringify(fields, null, 1).replaceAll(/\n ?/g, ' ').replace('{ ', '{').replace(' }', '}'),
    'JSON',
  ],
  [
    'other-notation',
    'toString() of a Java map',
    `{${all.map(([name, value]) => `${name}=${value}`).join(', ')}}`,
    'Java map',
  ],
  ['body-placeholder', 'FormData as text', '[object FormData]', '[object FormData]'],
  ['body-empty', 'php://input', '', 'php://input'],
  ['body-signed', 'the file', '%PDF-1.4', 'file'],
  ['body-signed', 'the body', '--boundary\r\n', 'multipart'],
  ['date-format', 'toISOString()', changed('invoiceDate', '2026-11-20T03:04:05.000Z'), 'milliseconds'],
  ['date-format', 'isoformat()', changed('invoiceDate', '2026-11-20T03:04:05+00:00'), '+00:00'],
  ['date-format', 'in Vietnamese time', changed('invoiceDate', '2026-11-20T10:04:05+07:00'), '+07:00'],
  ['date-format', 'with a space', changed('invoiceDate', '2026-11-20 03:04:05'), 'space for T'],
  ['date-format', 'the day', changed('invoiceDate', '2026-11-20'), 'as a day'],
  ['date-format', 'epoch seconds', changed('invoiceDate', '1795143845'), '1970'],
  [
    'absent-fields-as-text + date-format',
    'null, and the date in Vietnamese time',
    changed('invoiceDate', '2026-11-20T10:04:05+07:00').replace('paymentTransId=', 'paymentTransId=null'),
    'null',
    '+07:00',
  ],
  [
    'absent-fields-as-text + body-reserialised',
    'None, and json.dumps of extraData',
    changed('extraData', '{"a": 1, "b": "x=y"}').replace('paymentTransId=', 'paymentTransId=None'),
    'None',
    'space after each comma',
  ],
  [
    'text-added + field-order',
    'with clientId, sorted',
    join(sorted([...all, ['clientId', merchant.clientId]])),
    'clientId',
    'sorted by name',
  ],
  [
    'text-added + field-order',
    'with requestTime, sorted',
    join(sorted([...all, ['requestTime', requestTime]])),
    'requestTime',
  ],
  [
    'field-names',
    'snake_case',
    canonical.replaceAll(
      /(^|&)([a-zA-Z]+)=/g,
      (_all, start: string, name: string) =>
        `${start}${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}=`,
    ),
    'snake_case',
  ],
  [
    'html-escaped',
    'htmlspecialchars of the values',
    join(all, (value) => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#039;')),
    'htmlspecialchars',
  ],
  ['values-quoted', 'quoted values', join(all, (value) => `"${value}"`), 'double quotes'],
  ['line-breaks', 'echo', `${canonical}\n`, 'printf'],
  ['unicode-normalised', 'NFD', canonical.normalize('NFD'), 'NFD'],
  ['body-encoding', 'Latin-1', '', 'Latin-1'],
  ['text-added', 'with the time', canonical + requestTime, 'Request-Time'],
  ['text-added', 'with the secret at its end', `${canonical}&key=${secretKey}`, '&key='],
  ['text-added', 'with the client before', `${merchant.clientId}|${canonical}`, 'the Client-Id'],
  ['body-hashed', 'its hash', createHash('sha256').update(canonical).digest('hex'), 'SHA256'],
  ['file-included', 'with the file name', `${canonical}&file=invoice.pdf`, 'name of the file'],
  ['file-included', 'with an empty file', `${canonical}&file=`, 'empty value'],
  ['file-url-included', 'with an empty fileUrl', `${canonical}&fileUrl=`, 'fileUrl'],
];

function swap(pairs: Pairs, one: number, other: number): Pairs {
  const changedPairs = [...pairs];
  const [first, second] = [pairs[one], pairs[other]];
  if (first && second) [changedPairs[one], changedPairs[other]] = [second, first];
  return changedPairs;
}

describe('the signed text of an upload', () => {
  test.each(cases)('is explained as %s: %s', (cause, title, signed, ...words) => {
    const signature =
      title === 'Latin-1'
        ? hex(Buffer.from(canonical.replaceAll(/[^\0-\xff]/g, '?'), 'latin1'))
        : hex(signed);
    const diagnosis = ofUpload(signature, fields);
    expect(diagnosis.cause).toBe(cause);
    for (const each of words) expect(`${diagnosis.message} ${diagnosis.fix}`).toContain(each);
    expect(diagnosis).toMatchObject({ compared: 'signed text', expected: canonical });
    expect(JSON.stringify(diagnosis)).not.toContain(secretKey);
  });
});

describe('an upload with a fileUrl', () => {
  const withUrl = { ...fields, fileUrl };
  test.each([
    ['file-url-included', 'at the end', `${canonical}&fileUrl=${fileUrl}`],
    [
      'file-url-included',
      'before description',
      canonical.replace('&description=', `&fileUrl=${fileUrl}&description=`),
    ],
    [`${omitted} + file-url-included`, 'everything that was sent', `${join(present)}&fileUrl=${fileUrl}`],
    ['file-url-included + field-order', 'sorted', join(sorted([...all, ['fileUrl', fileUrl]]))],
    ['body-signed', 'JSON of everything that was sent', JSON.stringify(withUrl)],
  ])('is explained as %s: %s', (cause, _title, signed) => {
    expect(ofUpload(hex(signed), withUrl).cause).toBe(cause);
  });
});

describe('an empty text that was signed for an upload with an empty file', () => {
  test.each([
    ['body-empty', ''],
    ['body-empty + line-breaks', '\n'],
    ['body-empty + byte-order-mark', '\uFEFF'],
    ['body-empty + text-added', secretKey],
    ['body-empty + text-added', `&key=${secretKey}`],
  ])('is explained as %s when the signed text is %j', (cause, signed) => {
    expect(ofUpload(hex(signed), fields, {}, '').cause).toBe(cause);
  });
});

describe('the signature of an upload', () => {
  test.each([
    ['digest-base64', hmac(canonical).toString('base64')],
    ['digest-upper-case', hex(canonical).toUpperCase()],
    ['secret-trimmed', hex(canonical, `${secretKey}\n`)],
    [`${omitted} + digest-upper-case`, hex(join(present)).toUpperCase()],
    [`${omitted} + url-encoded + digest-base64`, hmac(join(present, urlencode)).toString('base64')],
    [`${omitted} + secret-quoted`, hex(join(present), `"${secretKey}"`)],
    [
      `${omitted} + url-encoded + hash-algorithm`,
      hmac(join(present, urlencode), secretKey, 'sha512').toString('hex'),
    ],
    [`${omitted} + secret-trimmed`, hex(join(present), `${secretKey}\n`)],
    [
      'hash-unkeyed',
      createHash('sha256')
        .update(canonical + secretKey)
        .digest('hex'),
    ],
    [`${omitted} + hash-unkeyed`, createHash('sha256').update(join(present)).digest('hex')],
    ['secret-wrong', hex(canonical, 'nobody')],
  ])('is explained as %s', (cause, signature) => {
    expect(ofUpload(signature, fields).cause).toBe(cause);
  });

  test('is expected in hex also where initiate signatures are base64', () => {
    const diagnosis = ofUpload(hmac(canonical).toString('base64'), fields, { signatureEncoding: 'base64' });
    expect(diagnosis).toMatchObject({ cause: 'digest-base64', expected: hex(canonical) });
  });
});

describe('an upload to a service that leaves out absent fields', () => {
  const omit = { absentFields: 'omit' } as const;
  test.each([
    ['absent-fields-included', canonical],
    ['field-order', join(sorted(present))],
    ['url-encoded', join(present, urlencode)],
    ['separators', `${join(present)}&`],
  ])('is explained as %s', (cause, signed) => {
    const diagnosis = ofUpload(hex(signed), fields, omit);
    expect(diagnosis).toMatchObject({ cause, expected: join(present) });
  });
});

test('an unexplained upload is told the exact text to sign', () => {
  const diagnosis = ofUpload(hex('something else'), fields);
  expect(diagnosis.cause).toBe('secret-wrong');
  expect(diagnosis.fix).toContain(JSON.stringify(canonical));
  expect(diagnosis.fix).toContain(`${Buffer.byteLength(canonical)} bytes`);
  expect(diagnosis.expected).toBe(hex(canonical));
});
