import { createHash } from 'node:crypto';
import { listed, rows, type Row } from './row.js';
import type { Text } from './signed/drafts.js';
import type { RefusedRequest } from '../../mock/common/diagnosis.js';

/** The key of the HMAC that took the place of the secret key: another text, or bytes other than its UTF-8. */
type KeyRow = Row<string, Text> & { readonly says: string };

/** A secret key as it was issued, and what the HMAC takes as its key. */
export interface SecretKey {
  readonly issued: string;
  readonly used: Text;
}

const keys = rows<string, Text>;

const used = 'The secret key was used %.';

const shapes = { base64: /^[\w+/-]+={0,2}$/, hex: /^(?:[0-9a-f]{2})+$/i };
const decoded = (encoding: keyof typeof shapes) => (key: string) =>
  shapes[encoding].test(key) ? Buffer.from(key, encoding) : undefined;
const encoded = (encoding: BufferEncoding) => (key: string) => Buffer.from(key).toString(encoding);
const hashed = (algorithm: string) => (key: string) => createHash(algorithm).update(key).digest();

const placeholders = keys(
  'secret-placeholder',
  'The text % was used as the key instead of the secret key.',
  listed(`undefined | null | None | [object Object] | secret | your-secret-key | demo-secret | INSTALLMENT_SECRET_KEY
    | $INSTALLMENT_SECRET_KEY | \${INSTALLMENT_SECRET_KEY} | {{secretKey}}`),
);

/** For a key that is used as the text that it is. */
const changes: readonly KeyRow[] = [
  ...keys('secret-trimmed', used, [
    ['with a line feed at its end', (key) => `${key}\n`],
    ['with CR LF at its end', (key) => `${key}\r\n`],
    ['with a carriage return at its end', (key) => `${key}\r`],
    ['with a space at its end', (key) => `${key} `],
    ['with a space before it', (key) => ` ${key}`],
    ['with a tab at its end', (key) => `${key}\t`],
    ['without the white space at its ends', (key) => key.trim()],
  ]),
  ...keys('secret-quoted', used, [
    ['with " around it', (key) => `"${key}"`],
    ["with ' around it", (key) => `'${key}'`],
    ['with " around it and a line feed at its end', (key) => `"${key}"\n`],
    ["with ' around it and a line feed at its end", (key) => `'${key}'\n`],
    ['with < and > around it', (key) => `<${key}>`, 'secret-quoted.brackets'],
    ["with Python's b'' around it", (key) => `b'${key}'`, 'secret-quoted.bytes'],
    ['without the quotation marks around it', (key) => key.replace(/^(["'])(.*)\1$/s, '$2')],
  ]),
  ...keys('secret-case', used, [
    ['in upper case', (key) => key.toUpperCase()],
    ['in lower case', (key) => key.toLowerCase()],
  ]),
  ...keys('secret-hashed', 'The % of the secret key was used instead of the key.', [
    ['SHA-256 in hex', (key) => hashed('sha256')(key).toString('hex')],
    ['SHA-256', hashed('sha256')],
    ['MD5 in hex', (key) => hashed('md5')(key).toString('hex')],
  ]),
  ...keys('secret-byte-order-mark', 'The secret key was used with a byte order mark (U+FEFF) before it.', [
    ['', (key) => `\uFEFF${key}`],
  ]),
  ...keys('secret-decoded', 'The secret key was decoded from % before use.', [
    ['base64', decoded('base64')],
    ['hex', decoded('hex')],
  ]),
  ...keys('secret-encoded', 'The secret key was encoded as % before use.', [
    ['base64', encoded('base64')],
    ['base64 of the key with a line feed', (key) => encoded('base64')(`${key}\n`)],
    ['hex', encoded('hex')],
    ['a part of an address (percent-encoded)', (key) => encodeURIComponent(key.toWellFormed())],
  ]),
  ...keys('secret-encoding', 'The secret key was turned into bytes as %, not as UTF-8.', [
    ['UTF-16LE', (key) => Buffer.from(key, 'utf16le')],
  ]),
  ...keys('secret-truncated', 'The secret key was used without %.', [
    ['$ and the name after it (a shell)', (key) => key.replaceAll(/\$(?:\w+|\{\w*\})/g, '')],
    ['# and what follows it (a comment in an .env file)', (key) => key.replace(/\s*#.*$/s, '')],
    ['the = at its end', (key) => key.replace(/=+$/, ''), 'secret-truncated.split'],
  ]),
  ...keys('secret-joined', used, [
    ['with INSTALLMENT_SECRET_KEY= before it', (key) => `INSTALLMENT_SECRET_KEY=${key}`],
    ['with & at its end, as in OAuth 1', (key) => `${key}&`],
  ]),
];

/** For a key that has to be decoded. The mistakes above would be named as if nothing else were wrong. */
function undecoded(encoding: keyof typeof shapes): readonly KeyRow[] {
  const other = encoding === 'hex' ? 'base64' : 'hex';
  return keys('secret-not-decoded', used, [
    ['as text, without decoding it', (key) => key],
    [`decoded from ${other} instead of ${encoding}`, decoded(other)],
  ]);
}

/** Each is right. */
export function rightKeys({ merchant, secretKeyEncoding: encoding = 'utf8' }: RefusedRequest): SecretKey[] {
  const use = (key: string) => (encoding === 'utf8' ? key : Buffer.from(key, encoding));
  return merchant.secretKeys.map((issued) => ({ issued, used: use(issued) }));
}

/** The usual ones first. */
export function wrongKeys(refused: RefusedRequest): Row<SecretKey>[] {
  const { merchant, others, secretKeyEncoding = 'utf8' } = refused;
  const { clientId, merchantId } = merchant;
  const otherKeys = Array.from(others, (other) => {
    const [key] = rightKeys({ ...refused, merchant: other });
    return [other.clientId ?? 'of another merchant', () => key?.used] as const;
  });
  const all: KeyRow[] = [
    ...(secretKeyEncoding === 'utf8' ? changes : undecoded(secretKeyEncoding)),
    ...placeholders,
    ...keys('secret-empty', 'The key was empty.', [['', () => '']]),
    ...keys('secret-of-another-merchant', 'The secret key is that of the client %.', otherKeys),
    ...keys('secret-replaced', '% was used as the key instead of the secret key.', [
      ['The Client-Id', () => clientId],
      ['The merchantId', () => merchantId],
    ]),
  ];
  return all.map(({ change, ...words }) => ({
    ...words,
    change({ issued, used: right }) {
      const changed = change(issued);
      return changed === undefined || changed === right ? undefined : { issued, used: changed };
    },
  }));
}
