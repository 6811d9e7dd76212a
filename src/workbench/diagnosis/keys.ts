import { listed, rows, type Row } from './row.js';
import type { RefusedRequest } from './types.js';

/** The secret key, and what was the key of the HMAC instead: another text, or other bytes than its UTF-8. */
export type KeyRow = Row<string, string | Uint8Array>;
const keys = rows<string, string | Uint8Array>;

const used = 'The secret key was used %.';

const decoded = (encoding: BufferEncoding, shape: RegExp) => (key: string) =>
  shape.test(key) ? Buffer.from(key, encoding) : undefined;
const encoded = (encoding: BufferEncoding) => (key: string) => Buffer.from(key).toString(encoding);

const placeholders = listed(
  'secret-placeholder',
  'The text % was used as the key instead of the secret key.',
  `undefined | null | None | [object Object] | secret | your-secret-key | demo-secret | INSTALLMENT_SECRET_KEY
   | $INSTALLMENT_SECRET_KEY | \${INSTALLMENT_SECRET_KEY} | {{secretKey}}`,
);

/** For a key that is used as the text that it is. */
const changes: readonly KeyRow[] = [
  ...keys('secret-trimmed', used, [
    ['with a line feed at its end', (key) => `${key}\n`],
    ['with CR LF at its end', (key) => `${key}\r\n`],
    ['with a space at its end', (key) => `${key} `],
    ['with a space before it', (key) => ` ${key}`],
    ['without the white space at its ends', (key) => key.trim()],
  ]),
  ...keys('secret-quoted', used, [
    ['with " around it', (key) => `"${key}"`],
    ["with ' around it", (key) => `'${key}'`],
    ['with " around it and a line feed at its end', (key) => `"${key}"\n`],
    ["with ' around it and a line feed at its end", (key) => `'${key}'\n`],
    ['with < and > around it', (key) => `<${key}>`],
    ["with Python's b'' around it", (key) => `b'${key}'`],
    ['without the quotation marks around it', (key) => key.replace(/^(["'])(.*)\1$/s, '$2')],
  ]),
  ...keys('secret-byte-order-mark', 'The secret key was used with a byte order mark (U+FEFF) before it.', [
    ['', (key) => `\uFEFF${key}`],
  ]),
  ...keys('secret-decoded', 'The secret key was decoded from % before use.', [
    ['base64', decoded('base64', /^[\w+/-]+={0,2}$/)],
    ['hex', decoded('hex', /^(?:[0-9a-f]{2})+$/i)],
  ]),
  ...keys('secret-encoded', 'The secret key was encoded as % before use.', [
    ['base64', encoded('base64')],
    ['base64 of the key with a line feed', (key) => encoded('base64')(`${key}\n`)],
    ['hex', encoded('hex')],
  ]),
  ...keys('secret-encoding', 'The secret key was turned into bytes as %, not as UTF-8.', [
    ['UTF-16LE', (key) => Buffer.from(key, 'utf16le')],
  ]),
  ...keys('secret-truncated', 'The secret key was used without %.', [
    ['$ and the name after it (a shell)', (key) => key.replaceAll(/\$(?:\w+|\{\w*\})/g, '')],
    ['# and what follows it (a comment in an .env file)', (key) => key.replace(/\s*#.*$/s, '')],
  ]),
];

/** For a key that is written in an encoding. The mistakes above would be named as if nothing else were wrong. */
const undecoded: readonly KeyRow[] = keys('secret-not-decoded', 'The secret key was used %.', [
  ['as text, without decoding it', (key) => key],
  ['decoded from base64 instead of hex', decoded('base64', /^[\w+/-]+={0,2}$/)],
  ['decoded from hex instead of base64', decoded('hex', /^(?:[0-9a-f]{2})+$/i)],
]);

/** Keys that have nothing to do with the secret key, then those that were made of it. */
export function wrongKeys({ merchant, others, secretKeyEncoding = 'utf8' }: RefusedRequest): KeyRow[] {
  const { clientId, merchantId } = merchant;
  const otherKeys = Array.from(others, (other) => {
    return [
      other.clientId ?? 'of another merchant',
      () => Buffer.from(other.secretKeys[0], secretKeyEncoding),
    ] as const;
  });
  return [
    ...keys('secret-empty', 'The key was empty.', [['', () => '']]),
    ...keys('secret-of-another-merchant', 'The secret key is that of the client %.', otherKeys),
    ...keys('secret-replaced', '% was used as the key instead of the secret key.', [
      ['The Client-Id', () => clientId],
      ['The merchantId', () => merchantId],
    ]),
    ...(secretKeyEncoding === 'utf8' ? changes : undecoded),
    ...placeholders,
  ];
}
