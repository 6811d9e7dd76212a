import { createHash, createHmac } from 'node:crypto';
import * as lib from './languages.js';
import { amounts, json, php, python, type Json, type JsonObject } from './languages.js';

/*
 * Mistakes that merchants make when they sign, as their libraries make them. A case has what was sent and the
 * signature that came with it; nothing in it comes from src.
 */

export interface Case {
  readonly name: string;
  readonly operation: 'payment' | 'upload';
  /** The body of a payment. */
  readonly body: Buffer;
  /** The text fields of an upload. */
  readonly fields: Readonly<Record<string, string>>;
  readonly secretKey: string;
  readonly signature: string;
  /** How the service interprets the text of the key. */
  readonly secretKeyEncoding?: 'utf8' | 'hex' | 'base64' | undefined;
  /** How the service treats absent fields. */
  readonly absentFields?: 'omit' | undefined;
  /** The encoding in which the service expects the signature. */
  readonly signatureEncoding?: 'hex' | 'hex-upper' | 'base64' | 'base64url' | undefined;
}

type Bytes = string | Buffer;

/** The differences from a right signature. */
interface Wrong extends Pick<Case, 'secretKeyEncoding' | 'signatureEncoding'> {
  readonly sent?: Bytes;
  readonly fields?: Readonly<Record<string, string>>;
  readonly secretKey?: string;
  readonly key?: Bytes;
  readonly digest?: (text: Bytes, key: Bytes) => Buffer;
  readonly write?: (digest: Buffer) => string;
}

const hmacWith = (algorithm: string) => (text: Bytes, key: Bytes) =>
  createHmac(algorithm, key).update(text).digest();
const hash = (algorithm: string, ...parts: readonly Bytes[]) =>
  createHash(algorithm)
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest();
const hexOf = (digest: Buffer) => digest.toString('hex');

function signed(text: Bytes, wrong: Wrong) {
  const { secretKey = 'demo-secret', secretKeyEncoding, signatureEncoding, write = hexOf } = wrong;
  const { key = Buffer.from(secretKey, secretKeyEncoding), digest = hmacWith('sha256') } = wrong;
  return { secretKey, secretKeyEncoding, signatureEncoding, signature: write(digest(text, key)) };
}

export const compact = lib.sentText;
export const order = JSON.parse(compact) as JsonObject;

const firstItem = (order['items'] as readonly JsonObject[])[0] ?? {};
const { extraData = '', sendSms = true, ...required } = order;
const nulls = (names: string): JsonObject => Object.fromEntries(names.split(' ').map((name) => [name, null]));
/**
 * The order with every optional field that a class has and the shop left at null, in the order of the specification.
 */
const withNulls: JsonObject = {
  ...required,
  items: [{ ...firstItem, ...nulls('description imageUrl') }],
  customer: { ...(order['customer'] as JsonObject), ...nulls('rank description gender dateOfBirth') },
  shipping: { ...(order['shipping'] as JsonObject), ...nulls('zipCode streetNumber houseExtension') },
  lang: null,
  extraData,
  ...nulls('terminalType installment seller transExpiredTime'),
  sendSms,
  sendEmail: null,
};
const withoutNulls = (value: Json) =>
  lib.eachObject(value, (entries) => entries.filter(([, each]) => each !== null));
/** The fields of a class that are not set, beside the other fields. */
const sparse = { ...order, lang: null, seller: null, installment: null };
/** An order of a class of which one field is not set. */
const unset = { ...required, lang: null, extraData, sendSms };

/** Every documented field in the order of its table, and the same in an order that no library has. */
const table = (name: string, inner: JsonObject = {}): JsonObject => ({
  ...Object.fromEntries((lib.documentedFields[name] ?? '').split(' ').map((field) => [field, field])),
  ...inner,
});
const inTableOrder = table('', {
  ...Object.fromEntries(
    ['amount', 'customer', 'shipping', 'installment', 'seller'].map((name) => [name, table(name)]),
  ),
  items: [table('items')],
});
const shuffled = lib.eachObject(inTableOrder, (entries) =>
  entries.toSorted(([a], [b]) => (a.slice(1) < b.slice(1) ? -1 : 1)),
);

const floats = lib.numbers(order, lib.fixed(1), amounts);
const texts = lib.numbers(order, String, amounts);
const amountTexts = lib.numbers(order, (number) => number.toFixed(2), amounts);
const lines = (text: string) => text.replaceAll('\n', '\r\n');
const hyphens = (digest: Buffer) => (hexOf(digest).match(/../g) ?? []).join('-').toUpperCase();
const base64 = (digest: Buffer) => digest.toString('base64');

const padded = lib.eachValue(order, (each, name) =>
  typeof each === 'string' && name === 'street' ? ` ${each} ` : each,
);
const escapedTexts = lib.eachValue(order, (each) =>
  typeof each === 'string' ? lib.htmlEncoded(each, false) : each,
);
/** The outer texts of the order as an upload would sign them. */
const ofUpload = lib.signedNames.map((name) => {
  const value = order[name];
  return [name, typeof value === 'string' ? value : ''] as const;
});

/** The mistake, and the text that was signed unless it is the right text. */
type Row = readonly [name: string, wrong: Wrong, signed?: Bytes];

const guzzle = php(order);
const requests = python(order);
const aspNet = lib.dotnet(order);
const indented = json(order, lib.indented(2));
const pascal = lib.renamed(order, lib.pascal);

/** The signed text, and the sent text if it is not the compact order. */
const bodies: readonly (readonly [name: string, signed: Bytes, sent?: Bytes])[] = [
  ['PHP: JSON_PRETTY_PRINT | JSON_UNESCAPED_UNICODE', php(order, 'pretty', 'unicode')],
  ['PHP: JSON_FORCE_OBJECT', json({ ...order, items: { 0: firstItem } })],
  ['PHP: ksort of all levels, json_encode', php(lib.sorted(order))],
  ['PHP: ksort, http_build_query', lib.httpBuildQuery(lib.ksorted(order))],
  ['PHP: amounts as strings (of a database)', json(texts)],
  ['PHP: number_format to strings with two decimals', json(amountTexts)],
  ['PHP: amounts as strings, json_encode', php(texts)],
  ['PHP: htmlspecialchars', lib.htmlEncoded(compact, true)],
  ['PHP: addslashes (wp_slash of WordPress)', compact.replaceAll(/[\\'"]/g, '\\$&')],
  ['PHP: Guzzle sends json, signed with both UNESCAPED flags', compact, guzzle],
  ['PHP: Guzzle sends json, signed with JSON_UNESCAPED_UNICODE', php(order, 'unicode'), guzzle],
  ['PHP: Guzzle sends json, signed with JSON_UNESCAPED_SLASHES', php(order, 'slashes'), guzzle],
  ['PHP: Guzzle sends json, signed with JSON_PRETTY_PRINT', php(order, 'pretty'), guzzle],
  ['PHP: an empty array for an empty object', json({ ...order, seller: [] }), json({ ...order, seller: {} })],

  ['Python: indent=1, ensure_ascii=False', python(order, { indent: 1, ascii: false })],
  ['Python: indent=4, sort_keys', python(order, { indent: 4, sort: true })],
  ['Python: separators (",", ": ")', python(order, { separators: [',', ': '], ascii: false })],
  ['Python: urlencode(order)', lib.pythonUrlencode(order)],
  ['Python: every number a float', json(lib.numbers(order, lib.fixed(1)))],
  ['Python: every number a float, json.dumps', python(lib.numbers(order, lib.fixed(1)))],
  ['Python: sort_keys, floats, compact', json(lib.sorted(floats))],
  ['Python: every number as text', json(lib.numbers(order, String))],
  ['Python: values stripped, sent as typed in', compact, json(padded)],
  ['Python: html.escape of the values, without quotes', json(escapedTexts)],
  ['Python: Decimal as str', json(amountTexts)],
  ['Python: json.dumps twice', python(compact, { ascii: false })],
  ['Python: json.dumps twice with escapes', python(requests)],
  ['Python: requests sends json=, signed compact', python(order, { separators: [',', ':'] }), requests],
  ['Python: requests sends json=, signed compact without escapes', compact, requests],
  [
    'Python: requests sends json=, signed with spaces and without escapes',
    python(order, { ascii: false }),
    requests,
  ],
  ['Python: requests sends json=, signed with sort_keys', python(order, { sort: true }), requests],
  ['Python: requests sends json=, signed with indent=2', python(order, { indent: 2 }), requests],
  ['Python: requests sends json=a_string', compact, JSON.stringify(compact)],
  ['Python: requests sends json=a_string with escapes', requests, python(requests)],
  ['Python: sent with indent=1, signed compact', compact, python(order, { indent: 1, ascii: false })],
  ['Python: sent with indent=3, signed compact', compact, python(order, { indent: 3, ascii: false })],
  ['Python: sent with indent=8 and escapes, signed compact', compact, python(order, { indent: 8 })],
  ['Python: sent compact, signed with indent=3', python(order, { indent: 3, ascii: false })],
  [
    'Python: pydantic, signed with None, sent with exclude_none',
    json(withNulls),
    json(withoutNulls(withNulls)),
  ],
  ['Python: pydantic, signed by names of Python', json(lib.renamed(order, lib.snake))],
  ['Python: a field that was added after signing', compact, json({ ...order, sendEmail: true })],
  [
    'Python: a field that was added after signing, in the middle',
    json(required),
    json({ lang: 'vi', ...required }),
  ],
  ['Python: a field that was added after signing, json.dumps', requests, python({ ...order, lang: 'vi' })],
  [
    'Python: a field that was added to the customer after signing',
    compact,
    json({ ...order, customer: { ...(order['customer'] as JsonObject), rank: 'gold' } }),
  ],
  ['Python: pydantic, a field with None, sent with exclude_none', json(unset), json(withoutNulls(unset))],

  ['JavaScript: JSON.stringify with 2 spaces', indented],
  ['JavaScript: JSON.stringify with tabs', json(order, { indent: '\t', colon: ': ' })],
  ['JavaScript: JSON.stringify twice', JSON.stringify(compact)],
  ['JavaScript: String(order)', '[object Object]'],
  [
    'JavaScript: JSON.stringify(order, Object.keys(order).sort())',
    JSON.stringify(order, Object.keys(order).sort()),
  ],
  ['JavaScript: qs.stringify', lib.httpBuildQuery({ ...order, sendSms: 'true' }, lib.rawurlencode)],
  [
    'JavaScript: URLSearchParams of the order',
    new URLSearchParams(order as Record<string, string>).toString(),
  ],
  ['JavaScript: encodeURIComponent', encodeURIComponent(compact)],
  ['JavaScript: a body that a stream has consumed', ''],
  ['JavaScript: sent with 2 spaces, signed compact', compact, indented],
  ['JavaScript: an undefined body', 'undefined'],
  ['JavaScript: a stream as text', '[object ReadableStream]'],
  ['JavaScript: amounts sent as text, signed as numbers', compact, json(texts)],
  ['any: the canonical string of an upload', lib.pairs(ofUpload)],
  [
    'any: the canonical string of an upload, without absent fields',
    lib.pairs(ofUpload.filter(([name]) => name in order)),
  ],
  [
    'any: name=value pairs of the order',
    lib.pairs(Object.entries(order).map(([name, each]) => [name, each as string])),
  ],

  ['Go: json.Encoder of a struct', `${lib.go(order)}\n`],
  ['Go: json.Encoder, SetEscapeHTML(false)', `${compact}\n`],
  ['Go: json.MarshalIndent with tabs', lib.go(order, { indent: '\t', colon: ': ' })],
  ['Go: field names without json tags', lib.go(lib.renamed(order, lib.pascal))],
  ['Go: sent by an Encoder, signed by Marshal', lib.go(order), `${lib.go(order)}\n`],
  ['Go: sent from a map, signed from a struct', lib.go(order), lib.go(lib.sorted(order))],

  ['Java: Jackson INDENT_OUTPUT', json(order, lib.jackson)],
  ['Java: Jackson INDENT_OUTPUT on Windows', json(order, { ...lib.jackson, newline: '\r\n' })],
  ['Java: a class with its fields in the documented order', json(inTableOrder), json(shuffled)],
  ['Java: Jackson ESCAPE_NON_ASCII', lib.jacksonAscii(order)],
  ['Java: Jackson with nulls, sent without them', json(withNulls), json(withoutNulls(withNulls))],
  [
    'Java: Jackson with nulls, sent without them, INDENT_OUTPUT',
    json(withNulls, lib.jackson),
    json(withoutNulls(withNulls)),
  ],
  ['Java: sent with nulls, signed without them', json(withoutNulls(sparse)), json(sparse)],
  [
    'Java: sent with nulls, signed by NON_EMPTY',
    json(lib.eachObject(sparse, (entries) => entries.filter(([, each]) => each !== null && each !== ''))),
    json(sparse),
  ],
  ['Java: amounts as doubles', json(lib.numbers(order, lib.javaDouble, amounts))],
  ['Java: all numbers as doubles (Gson, Object)', lib.gson(lib.numbers(order, lib.javaDouble))],
  ['Java: sent with doubles, signed with long', compact, json(lib.numbers(order, lib.javaDouble, amounts))],
  ['Java: BigDecimal with two decimals', json(lib.numbers(order, lib.fixed(2), amounts))],
  [
    'Java: BigDecimal after stripTrailingZeros',
    json(lib.numbers(order, (number) => new lib.Written(number.toExponential().toUpperCase()), amounts)),
  ],
  ['Java: Gson', lib.gson(order)],
  ['Java: Gson, pretty printing', lib.gson(order, lib.indented(2))],
  ['Java: order.toString()', lib.javaMap(order)],
  ['Java: json-simple', json(order, { text: (text) => JSON.stringify(text).replaceAll('/', '\\/') })],
  ['Java: getBytes() with US-ASCII as the default', compact.replaceAll(/[^\0-\x7f]/gu, '?')],
  ['Java: URLEncoder.encode', lib.formUrl(compact)],

  ['.NET: JsonSerializer', lib.dotnet(pascal)],
  ['.NET: JsonSerializerOptions.Web', aspNet],
  ['.NET: WriteIndented', lib.dotnet(pascal, lib.indented(2))],
  ['.NET: WriteIndented on Windows', lines(lib.dotnet(order, lib.indented(2)))],
  ['.NET: PostAsJsonAsync, signed by JsonSerializer.Serialize', lib.dotnet(pascal), aspNet],
  ['.NET: PostAsJsonAsync, signed by Newtonsoft', json(pascal), aspNet],
  ['.NET: PostAsJsonAsync, signed with the relaxed encoder', compact, aspNet],
  ['.NET: Newtonsoft', json(pascal)],
  ['.NET: Newtonsoft, Formatting.Indented on Windows', lines(indented)],
  ['.NET: Newtonsoft, EscapeHtml', lib.newtonsoftHtml(order)],
  ['.NET: a StringContent', 'System.Net.Http.StringContent'],
  ['.NET: HttpUtility.UrlEncode', lib.dotnetUrl(compact)],

  [
    'shell: jq . and curl -d @file, which drops the line breaks',
    `${indented}\n`,
    indented.replaceAll('\n', ''),
  ],
  ['shell: echo $body of an indented file', `${indented.replaceAll(/\s+/g, ' ')}\n`, indented],
  ['shell: a file with CR LF', lines(indented), indented],

  ['proxy: sorts the fields', compact, json(lib.sorted(order))],
  ['proxy: sorts the fields of an indented body', indented, json(lib.sorted(order))],
  ['proxy: writes the body compactly', requests, compact],
  ['proxy: writes whole numbers as floats', compact, json(floats)],
  ['proxy: sends Latin-1', json({ description: 'été' }), Buffer.from(json({ description: 'été' }), 'latin1')],
  ['proxy: sends UTF-8 twice', compact, Buffer.from(compact).toString('latin1')],
  ['proxy: adds a field', compact, json({ ...order, traceId: 'a1b2' })],
];

const keyed = (secretKey: string, key: Bytes, more: Wrong = {}): Wrong => ({ ...more, secretKey, key });
const letters = 'demo-Secret-Key';

/** The expectations of a service that decodes its keys, or uses another notation for signatures. */
const inHex = { secretKey: '00FF10ab99cc', secretKeyEncoding: 'hex' } as const;
const inBase64 = { secretKey: 'AP8QmasAP8Qmaw==', secretKeyEncoding: 'base64' } as const;
const wantsUpper = { signatureEncoding: 'hex-upper' } as const;
const wantsBase64 = { signatureEncoding: 'base64' } as const;
const wantsUrl = { signatureEncoding: 'base64url' } as const;
const upper = (digest: Buffer) => hexOf(digest).toUpperCase();
const base64Url = (digest: Buffer) => digest.toString('base64url');

const wanted: readonly Row[] = [
  ['key in hex: used as text', { ...inHex, key: inHex.secretKey }],
  ['key in hex: decoded from base64', { ...inHex, key: Buffer.from(inHex.secretKey, 'base64') }],
  ['key in hex: json_encode', inHex, php(order)],
  ['key in hex: json_encode, used as text', { ...inHex, key: inHex.secretKey }, php(order)],
  ['key in hex: base64', { ...inHex, write: base64 }],
  ['key in hex: hash(body + key)', { ...inHex, digest: (text, key) => hash('sha256', text, key) }],
  ['key in hex: the key of another merchant', { ...inHex, key: 'other-secret' }],
  ['key in hex: undefined', { ...inHex, key: 'undefined' }],
  ['key in base64: used as text', { ...inBase64, key: inBase64.secretKey }],
  [
    'key in base64: decoded from hex',
    { ...inBase64, secretKey: 'deadbeef0123', key: Buffer.from('deadbeef0123', 'hex') },
  ],
  ['key in base64: echo', inBase64, `${compact}\n`],
  ['key in base64: used as text, and base64', { ...inBase64, key: inBase64.secretKey, write: base64 }],
  ['upper case is wanted: lower case', wantsUpper],
  ['upper case is wanted: base64', { ...wantsUpper, write: base64 }],
  ['upper case is wanted: json_encode', { ...wantsUpper, write: upper }, php(order)],
  ['upper case is wanted: json_encode, lower case', wantsUpper, php(order)],
  ['upper case is wanted: openssl dgst', { ...wantsUpper, write: (digest) => `= ${hexOf(digest)}` }],
  ['upper case is wanted: cut', { ...wantsUpper, write: (digest) => upper(digest).slice(0, 60) }],
  ['upper case is wanted: lower case, cut', { ...wantsUpper, write: (digest) => hexOf(digest).slice(0, 60) }],
  ['base64 is wanted: hex', wantsBase64],
  ['base64 is wanted: hex, cut', { ...wantsBase64, write: (digest) => hexOf(digest).slice(0, 60) }],
  ['base64 is wanted: base64url', { ...wantsBase64, write: base64Url }],
  ['base64 is wanted: raw bytes', { ...wantsBase64, write: (digest) => digest.toString('latin1') }],
  ['base64url is wanted: hex', wantsUrl],
  ['base64url is wanted: upper-case hex', { ...wantsUrl, write: upper }],
  ['base64url is wanted: base64', { ...wantsUrl, write: base64 }],
  [
    'base64url is wanted: base64 for URLs with =',
    { ...wantsUrl, write: (digest) => `${base64Url(digest)}=` },
  ],
  ['base64url is wanted: a line feed in the key', { ...wantsUrl, key: 'demo-secret\n', write: base64Url }],
];

const besides: readonly Row[] = [
  ...(
    [
      ['a line feed', `${letters}\n`],
      ['CR LF', `${letters}\r\n`],
      ['a carriage return', `${letters}\r`],
      ['a space at its end', `${letters} `],
      ['a space before it', ` ${letters}`],
      ['a space at both ends', ` ${letters} `],
      ['a tab', `${letters}\t`],
      ['upper case', letters.toUpperCase()],
      ['lower case', letters.toLowerCase()],
      ['its SHA-256 in hex', hexOf(hash('sha256', letters))],
      ['its SHA-256', hash('sha256', letters)],
      ['its MD5 in hex', hexOf(hash('md5', letters))],
      ['quotation marks', `"${letters}"`],
      ['single quotation marks', `'${letters}'`],
      ['quotation marks and a line feed', `"${letters}"\n`],
      ['angle brackets', `<${letters}>`],
      ['str(bytes) of Python', `b'${letters}'`],
      ['base64', base64(Buffer.from(letters))],
      ['base64 of echo (Kubernetes)', base64(Buffer.from(`${letters}\n`))],
      ['hex', Buffer.from(letters).toString('hex')],
      ['Encoding.Unicode', Buffer.from(letters, 'utf16le')],
      ['a byte order mark', `\uFEFF${letters}`],
      ['nothing', ''],
      ['undefined', 'undefined'],
      ['None', 'None'],
      ['the client ID', 'demo-client'],
      ["another merchant's key", 'other-secret'],
      ['its name before it', `INSTALLMENT_SECRET_KEY=${letters}`],
      ['& at its end (OAuth 1)', `${letters}&`],
    ] as const
  ).map(([what, key]): Row => [`key: ${what}`, keyed(letters, key)]),
  ['key: decoded from base64', keyed('c2VjcmV0LWtleS0xMjM0NTY3OA==', 'secret-key-12345678')],
  ['key: decoded from hex', keyed('00ff10ab99', Buffer.from('00ff10ab99', 'hex'))],
  ['key: cut at a $ by a shell', keyed('pa$word-1', 'pa-1')],
  ['key: cut at a # in .env', keyed('pass#word', 'pass')],
  ['key: without = at its end (split at =)', keyed('c2VjcmV0LWtleQ==', 'c2VjcmV0LWtleQ')],
  ['key: percent-encoded', keyed('a+b/c=', 'a%2Bb%2Fc%3D')],
  ['digest: hash(body + key)', { digest: (text, key) => hash('sha256', text, key) }],
  ['digest: hash(key + body)', { digest: (text, key) => hash('sha256', key, text) }],
  ['digest: sha256sum without a key', { digest: (text) => hash('sha256', text) }],
  ['digest: arguments swapped', { digest: (text, key) => hmacWith('sha256')(key, text) }],
  ['digest: SHA-1', { digest: hmacWith('sha1') }],
  ['digest: SHA-512', { digest: hmacWith('sha512') }],
  ['digest: MD5 of body and key', { digest: (text, key) => hash('md5', text, key) }],
  ['signature: upper case', { write: (digest) => hexOf(digest).toUpperCase() }],
  ['signature: base64', { write: base64 }],
  ['signature: base64 for URLs', { write: (digest) => digest.toString('base64url') }],
  ['signature: base64 of hex', { write: (digest) => base64(Buffer.from(hexOf(digest))) }],
  ['signature: base64, percent-encoded', { write: (digest) => encodeURIComponent(base64(digest)) }],
  ['signature: BitConverter of .NET', { write: hyphens }],
  ['signature: openssl dgst', { write: (digest) => `SHA2-256(stdin)= ${hexOf(digest)}` }],
  ['signature: openssl dgst -r', { write: (digest) => `${hexOf(digest)} *stdin` }],
  ['signature: sha256=', { write: (digest) => `sha256=${hexOf(digest)}` }],
  ['signature: quotation marks', { write: (digest) => `"${hexOf(digest)}"` }],
  ['signature: str(b64encode) of Python', { write: (digest) => `b'${base64(digest)}'` }],
  ['signature: raw bytes', { write: (digest) => digest.toString('latin1') }],
  ['signature: the first line of xxd -p', { write: (digest) => hexOf(digest).slice(0, 60) }],
  ['signature: a column of 32 characters', { write: (digest) => hexOf(digest).slice(0, 32) }],
  [
    'signature: BigInteger, a leading zero',
    { sent: spacedUntil(/^0[^0]/), write: shortest },
    spacedUntil(/^0[^0]/),
  ],
  [
    'signature: BigInteger, two leading zeros',
    { sent: spacedUntil(/^00[^0]/), write: shortest },
    spacedUntil(/^00[^0]/),
  ],
  [
    'signature: mac.Sum(body) of Go',
    { digest: (text, key) => Buffer.concat([Buffer.from(text), hmacWith('sha256')('', key)]) },
  ],
  ['pair: Request-Time before the body', {}, `2026-11-20 10:04:05${compact}`],
  ['pair: body and key', {}, `${compact}demo-secret`],
  ['pair: &key= at the end', {}, `${compact}&key=demo-secret`],
  ['pair: json_encode and a line feed in the key', { key: 'demo-secret\n' }, php(order)],
  ['pair: json.dumps and a line feed in the key', { key: 'demo-secret\n' }, requests],
  ['pair: json.dumps and base64', { write: base64 }, requests],
  ['pair: echo and a line feed in the key', { key: 'demo-secret\n' }, `${compact}\n`],
  ['pair: echo and openssl dgst', { write: (digest) => `SHA2-256(stdin)= ${hexOf(digest)}` }, `${compact}\n`],
  ['three: JsonSerializer and BitConverter', { write: hyphens }, lib.dotnet(lib.renamed(order, lib.pascal))],
  ['pair: json_encode and SHA-1', { digest: hmacWith('sha1') }, php(order)],
  ['three: sort_keys and a quoted key', { key: '"demo-secret"' }, python(order, { sort: true })],
  ['three: floats, sorted, json.dumps', {}, python(lib.sorted(floats))],
  ['pair: quoted key and base64', { key: '"demo-secret"', write: base64 }],
  [
    'pair: JSON.stringify with 2 spaces and hash(body + key)',
    { digest: (text, key) => hash('sha256', text, key) },
    json(order, lib.indented(2)),
  ],
];

/** The result of Java's BigInteger(1, digest).toString(16). */
function shortest(digest: Buffer): string {
  return hexOf(digest).replace(/^0+/, '');
}

/** The order with as many spaces at its end as are needed for a digest with this beginning. */
function spacedUntil(shape: RegExp): string {
  let text = compact;
  while (!shape.test(hexOf(hmacWith('sha256')(text, 'demo-secret')))) text += ' ';
  return text;
}

/** The fields as a form sends them: not in the order in which they are signed, and without paymentTransId. */
export const invoice: Readonly<Record<string, string>> = {
  referenceId: 'ORDER:2026-0001',
  merchantId: 'DEMO-MERCHANT',
  storeId: 'STORE-01',
  description: "Tủ lạnh & tivi, 'mới'",
  invoiceNumber: 'INV/2026 1',
  invoiceDate: '2026-11-20T03:04:05Z',
  extraData: '{"note":"gấp/nhanh","n":1}',
};
type Pairs = readonly (readonly [name: string, value: string])[];
const pairs = (fields: Pairs, mark = '&', encode = (text: string) => text) =>
  fields.map(([name, value]) => `${name}=${encode(value)}`).join(mark);
const all: Pairs = lib.signedNames.map((name) => [name, invoice[name] ?? '']);
const present = all.filter(([name]) => invoice[name] !== undefined);
const inSentOrder: Pairs = Object.entries(invoice);
const fileUrl = 'https://files.example/i.pdf?a=1';
const withUrl = { ...invoice, fileUrl };
const urlPair = ['fileUrl', fileUrl] as const;
const spaced = { ...invoice, description: ' Tủ lạnh ' };
const ownOrder = [
  'invoiceNumber',
  'referenceId',
  'storeId',
  'merchantId',
  'description',
  'extraData',
  'invoiceDate',
];
const inOwnOrder: Pairs = ownOrder.map((name) => [name, invoice[name] ?? '']);
const byName = (fields: Pairs) => fields.toSorted(([a], [b]) => (a < b ? -1 : 1));
const withValue = (name: string, value: string): Pairs =>
  all.map((pair) => (pair[0] === name ? [name, value] : pair));
const asJson = (fields: Pairs) => Object.fromEntries(fields);
const canonical = pairs(all);

const forms: readonly Row[] = [
  ['only the fields that are sent', {}, pairs(present)],
  ['in the order in which they are sent', {}, pairs(inSentOrder)],
  ['sorted by name', {}, pairs(byName(all))],
  ['sorted by name, only those that are sent', {}, pairs(byName(present))],
  ['values url-encoded', {}, pairs(all, '&', lib.quotePlus)],
  ['values by rawurlencode', {}, pairs(all, '&', lib.rawurlencode)],
  ['values by encodeURIComponent', {}, pairs(all, '&', encodeURIComponent)],
  ['urlencode(fields) of Python: as sent, and encoded', {}, pairs(inSentOrder, '&', lib.quotePlus)],
  ['http_build_query after ksort', {}, pairs(byName(present), '&', lib.urlencode)],
  ['http_build_query of the fields in the documented order', {}, pairs(present, '&', lib.urlencode)],
  ['joined by &amp;', {}, pairs(all, '&amp;')],
  ['& at the beginning', {}, `&${canonical}`],
  ['& at the end', {}, `${canonical}&`],
  ['sorted, a line for each', {}, pairs(byName(all), '\r\n')],
  ['joined by line feeds', {}, pairs(all, '\n')],
  ['joined by nothing', {}, pairs(all, '')],
  ['values alone, joined by |', {}, all.map(([, value]) => value).join('|')],
  ['values alone, joined by nothing', {}, all.map(([, value]) => value).join('')],
  ['as JSON of the fields that are sent', {}, JSON.stringify(invoice)],
  ['as JSON in the documented order', {}, JSON.stringify(asJson(present))],
  ['as json.dumps of the fields that are sent', {}, python(invoice)],
  ['as json_encode of the fields that are sent', {}, php(invoice)],
  ['as JSON sorted by name', {}, JSON.stringify(asJson(byName(inSentOrder)))],
  ['as str() of a dict', {}, lib.pythonStr(invoice)],
  ['None for a field that is not sent', {}, pairs(withValue('paymentTransId', 'None'))],
  ['null for a field that is not sent', {}, pairs(withValue('paymentTransId', 'null'))],
  ['undefined for a field that is not sent', {}, pairs(withValue('paymentTransId', 'undefined'))],
  ['extraData with \\u escapes', {}, pairs(withValue('extraData', '{"note":"g\\u1ea5p/nhanh","n":1}'))],
  ['extraData by json_encode', {}, pairs(withValue('extraData', '{"note":"g\\u1ea5p\\/nhanh","n":1}'))],
  ['extraData by json.dumps', {}, pairs(withValue('extraData', '{"note": "g\\u1ea5p/nhanh", "n": 1}'))],
  ['extraData as [object Object]', {}, pairs(withValue('extraData', '[object Object]'))],
  ['invoiceDate with milliseconds', {}, pairs(withValue('invoiceDate', '2026-11-20T03:04:05.000Z'))],
  ['invoiceDate in Vietnam', {}, pairs(withValue('invoiceDate', '2026-11-20T10:04:05+07:00'))],
  ['fileUrl at the end', { fields: withUrl }, pairs([...all, urlPair])],
  ['fileUrl at its place in the table', { fields: withUrl }, pairs(all.toSpliced(6, 0, urlPair))],
  ['fileUrl, all sorted', { fields: withUrl }, pairs(byName([...inSentOrder, urlPair]))],
  ['fileUrl, sorted with those that are not sent', { fields: withUrl }, pairs(byName([...all, urlPair]))],
  ['in an order of its own', {}, pairs(inOwnOrder)],
  [
    'in an order of its own, with the field that is not sent',
    {},
    pairs([
      ['paymentTransId', ''],
      ...inOwnOrder.slice(0, 5),
      ['invoiceDate', invoice['invoiceDate'] ?? ''],
      ['extraData', invoice['extraData'] ?? ''],
    ]),
  ],
  ['values trimmed', { fields: spaced }, canonical.replace(invoice['description'] ?? '', 'Tủ lạnh')],
  ['values by htmlspecialchars', {}, pairs(all, '&', (text) => lib.htmlEncoded(text, true))],
  ['the content of the file at the end', {}, `${canonical}%PDF-1.4`],
  ['the file name at the end', {}, `${canonical}&file=invoice.pdf`],
  ['the whole multipart body', {}, '--boundary\r\n'],
  ['a line feed in the key', { key: 'demo-secret\n' }],
  ['base64', { write: base64 }],
  ['only the fields that are sent, a quoted key', { key: '"demo-secret"' }, pairs(present)],
  ['upper case is wanted: base64', { ...wantsUpper, write: base64 }],
  ['upper case is wanted: lower case, sorted', wantsUpper, pairs(byName(all))],
  ['key in base64: used as text', { ...inBase64, key: inBase64.secretKey }],
  ['sorted, and hash(text + key)', { digest: (text, key) => hash('sha256', text, key) }, pairs(byName(all))],
];

const rows: readonly Row[] = [
  ...Array.from(lib.recorded, ([call, text]): Row => [call, {}, text]),
  ...bodies.map(([name, text, sent]): Row => [name, sent === undefined ? {} : { sent }, text]),
  ...wanted,
  ...besides,
];

export const cases: readonly Case[] = [
  ...rows.map(([name, wrong, text = compact]): Case => ({
    name,
    operation: 'payment',
    body: Buffer.from(wrong.sent ?? compact),
    fields: {},
    ...signed(text, wrong),
  })),
  ...forms.map(([name, wrong, text = canonical]): Case => ({
    name: `upload: ${name}`,
    operation: 'upload',
    body: Buffer.alloc(0),
    fields: wrong.fields ?? invoice,
    ...signed(text, wrong),
  })),
];
