import { listed, rows, type Row } from './row.js';
import {
  before,
  behind,
  component,
  digestOf,
  hashed,
  inside,
  replaced,
  without,
  withoutEnds,
  written,
} from './signed/rewrites.js';
import type { RefusedRequest } from './types.js';

/** The secret key, and what was the key of the HMAC instead: another text, or other bytes than its UTF-8. */
export type KeyRow = Row<string, string | Uint8Array>;
const keys = rows<string, string | Uint8Array>;

const used = 'The secret key was used %.';

const padded: readonly KeyRow[] = [
  ...keys('secret-trimmed', used, [
    ['with a line feed at its end', behind('\n')],
    ['with CR LF at its end', behind('\r\n')],
    ['without the white space at its ends', withoutEnds],
    ['with a space at its end', behind(' ')],
    ['with a space before it', before(' ')],
    ['with a tab at its end', behind('\t')],
    ['with a tab before it', before('\t')],
    ['with a carriage return at its end', behind('\r')],
    ['with two line feeds at its end', behind('\n\n')],
  ]),
  ...keys('secret-quoted', used, [
    ['with " around it', inside('"')],
    ["with ' around it", inside("'")],
    ['with " around it and a line feed at its end', inside('"', '"\n')],
    ["with ' around it and a line feed at its end", inside("'", "'\n")],
    ['with ` around it', inside('`')],
    ['with < and > around it', inside('<', '>')],
    ["with Python's b'' around it", inside("b'", "'")],
    ['without the quotation marks around it', replaced(/^(["'])(.*)\1$/gs, '$2')],
    ['with a byte order mark (U+FEFF) before it', before('\uFEFF'), { fix: 'secret-byte-order-mark' }],
    ['with & at its end', behind('&'), { fix: 'secret-combined' }],
  ]),
];

/** Keys that have nothing to do with the secret key. */
function replacements({ merchant, others, request }: RefusedRequest): KeyRow[] {
  const otherKeys = Array.from(others, ({ clientId = 'of another merchant', secretKey }) => {
    return [clientId, () => secretKey] as const;
  });
  return [
    ...keys('secret-empty', 'The key was empty.', [['', () => '']]),
    ...keys('secret-of-another-merchant', 'The secret key is that of the client %.', otherKeys),
    ...keys('secret-replaced', '% was used as the key instead of the secret key.', [
      ['The Client-Id', () => merchant.clientId],
      ['The merchantId', () => merchant.merchantId],
      ['The Request-Time', () => request?.requestTime],
      ['The Idempotency-Key', () => request?.idempotencyKey],
    ]),
  ];
}

const insteadOfKey = 'The text % was used as the key instead of the secret key.';
const variables = 'INSTALLMENT_SECRET_KEY SECRET_KEY SECRET CLIENT_SECRET API_SECRET MERCHANT_SECRET'.split(
  ' ',
);

const placeholders: readonly KeyRow[] = [
  ...listed(
    'secret-placeholder',
    insteadOfKey,
    `undefined | null | None | nil | false | NaN | [object Object] | secret | secretKey | secret_key | secret-key
     | your-secret-key | YOUR_SECRET_KEY | SECRET_KEY | <SECRET_KEY> | INSTALLMENT_SECRET_KEY | demo-secret | changeme
     | test | key | sha256 | {{secret}} | {{secretKey}} | {{secret_key}}`,
  ),
  ...variables.flatMap((name) => {
    const forms = `$${name} | \${${name}} | %${name}% | {{${name}}} | process.env.${name}`;
    return listed('secret-placeholder.variable', insteadOfKey, forms);
  }),
];

const decoded = (encoding: BufferEncoding, shape: RegExp) => (key: string) =>
  shape.test(key) ? Buffer.from(key, encoding) : undefined;

const first = (size: number) => (key: string) =>
  Buffer.byteLength(key) > size ? Buffer.from(key).subarray(0, size) : undefined;

const converted: readonly KeyRow[] = [
  ...keys('secret-decoded', 'The secret key was decoded from % before use.', [
    ['base64', decoded('base64', /^[\w+/-]+={0,2}$/)],
    ['hex', decoded('hex', /^(?:[0-9a-f]{2})+$/i)],
    [
      'base64, without other characters',
      (key) => Buffer.from(key.replaceAll(/[^A-Za-z0-9+/]/g, ''), 'base64'),
    ],
  ]),
  ...keys('secret-encoded', 'The secret key was encoded as % before use.', [
    ['base64', written('base64')],
    ['hex', written('hex')],
    ['upper-case hex', (key) => written('hex')(key).toUpperCase()],
    ['URL-safe base64', written('base64url')],
    ['base64 of the key with a line feed', (key) => written('base64')(`${key}\n`)],
    ['base64 with a line feed at its end', (key) => `${written('base64')(key)}\n`],
    ['a URL component', component],
    ['JSON, in quotation marks', (key) => JSON.stringify(key)],
  ]),
  ...['SHA256', 'MD5', 'SHA1', 'SHA512'].flatMap((name) =>
    keys('secret-hashed', 'The secret key was hashed with % before use.', [
      ...Object.entries(hashed(name)).map(([form, hash]) => [`${name} (${form})`, hash] as const),
      [`${name} (raw bytes)`, (key) => digestOf(name, key)],
    ]),
  ),
  ...keys('secret-case', 'The secret key was used in %.', [
    ['upper case', (key) => key.toUpperCase()],
    ['lower case', (key) => key.toLowerCase()],
  ]),
  ...keys('secret-encoding', 'The secret key was turned into bytes as %, not as UTF-8.', [
    ['UTF-16LE', (key) => Buffer.from(key, 'utf16le')],
    ['UTF-16BE', (key) => Buffer.from(key, 'utf16le').swap16()],
    ['Latin-1', (key) => Buffer.from(key, 'latin1')],
  ]),
  ...keys('secret-truncated', 'The secret key was used without %.', [
    ['the = at its end', without(/=+$/g)],
    ['$ and the name after it (a shell)', without(/\$(?:\w+|\{\w*\}|\W|$)/g)],
    ['# and what follows it (a comment in an .env file)', without(/\s*#.*$/gs)],
    ['its backslashes', without('\\')],
    ['its first character', (key) => key.slice(1)],
    ['its last character', (key) => key.slice(0, -1)],
    ...[32, 16, 64, 24].map((size) => [`what follows its first ${size} bytes`, first(size)] as const),
  ]),
];

function combined({ merchant, request }: RefusedRequest): KeyRow[] {
  const others = { 'the Client-Id': merchant.clientId, 'the Request-Time': request?.requestTime };
  return Object.entries(others).flatMap(([name, value]) =>
    ['', ':', '&', '.', '-', '|', '_'].flatMap((mark) => {
      const by = mark && `, joined by ${JSON.stringify(mark)}`;
      if (value === undefined) return [];
      return keys('secret-combined', 'The key was made of %.', [
        [`${name} and the secret key${by}`, before(value + mark)],
        [`the secret key and ${name}${by}`, behind(mark + value)],
      ]);
    }),
  );
}

/** The usual ones first: pairs with other mistakes are tried in this order. */
export function wrongKeys(refused: RefusedRequest): KeyRow[] {
  return [...replacements(refused), ...padded, ...converted, ...placeholders, ...combined(refused)];
}
