import { createHash } from 'node:crypto';
import { listed, rows, wordsOf, type Row, type Words } from './row.js';
import type { Text } from './signed/candidates.js';
import type { RefusedRequest } from '../../mock/observation.js';

/** Takes the secret key as it was issued, and gives what the HMAC took as its key: another text, or bytes. */
type KeyRow = Row<string, Text>;

export interface Key {
  readonly key: Text;
  readonly mistakes: readonly Words[];
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

/** A key that was read with what stands around it. */
const misread: readonly KeyRow[] = [
  ...keys('secret-trimmed', used, [
    ['with a line feed at its end', (key) => `${key}\n`],
    ['with CR LF at its end', (key) => `${key}\r\n`],
    ['with a carriage return at its end', (key) => `${key}\r`],
    ['with a space at its end', (key) => `${key} `],
    ['with a space before it', (key) => ` ${key}`],
    ['with a tab at its end', (key) => `${key}\t`],
  ]),
  ...keys('secret-quoted', used, [
    ['with " around it', (key) => `"${key}"`],
    ["with ' around it", (key) => `'${key}'`],
    ['with " around it and a line feed at its end', (key) => `"${key}"\n`],
    ['with < and > around it', (key) => `<${key}>`, 'secret-quoted.brackets'],
    ["with Python's b'' around it", (key) => `b'${key}'`, 'secret-quoted.bytes'],
  ]),
  ...keys('secret-byte-order-mark', 'The secret key was used with a byte order mark (U+FEFF) before it.', [
    ['', (key) => `\uFEFF${key}`],
  ]),
];

/** A key that is used as the text that it is, and was changed. */
const changed: readonly KeyRow[] = [
  ...keys('secret-case', used, [
    ['in upper case', (key) => key.toUpperCase()],
    ['in lower case', (key) => key.toLowerCase()],
  ]),
  ...keys('secret-hashed', 'The % of the secret key was used instead of the key.', [
    ['SHA-256 in hex', (key) => hashed('sha256')(key).toString('hex')],
    ['SHA-256', hashed('sha256')],
    ['MD5 in hex', (key) => hashed('md5')(key).toString('hex')],
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
export function rightKeys({ merchant, secretKeyEncoding = 'utf8' }: RefusedRequest): [Key, ...Key[]] {
  const right = (issued: string): Key => {
    const key = secretKeyEncoding === 'utf8' ? issued : Buffer.from(issued, secretKeyEncoding);
    return { key, mistakes: [] };
  };
  const [first, ...more] = merchant.secretKeys;
  return [right(first), ...more.map(right)];
}

/** Keys that were read wrongly, and less likely ones. Each is there once. */
export function wrongKeys(refused: RefusedRequest): { readonly misread: Key[]; readonly other: Key[] } {
  const { merchant, others, secretKeyEncoding = 'utf8' } = refused;
  const bytesOf = (key: Text) => Buffer.from(key).toString('latin1');
  const known = new Set(rightKeys(refused).map(({ key }) => bytesOf(key)));
  const keysOf = (row: KeyRow) =>
    merchant.secretKeys.flatMap((issued): Key[] => {
      const key = row.change(issued);
      if (key === undefined || known.has(bytesOf(key))) return [];
      known.add(bytesOf(key));
      return [{ key, mistakes: [wordsOf(row, issued, key)] }];
    });
  const ofOthers = Array.from(others, (other) => {
    const [own] = rightKeys({ ...refused, merchant: other });
    return [other.clientId ?? 'of another merchant', () => own.key] as const;
  });
  const replaced: KeyRow[] = [
    ...placeholders,
    ...keys('secret-empty', 'The key was empty.', [['', () => '']]),
    ...keys('secret-of-another-merchant', 'The secret key is that of the client %.', ofOthers),
    ...keys('secret-replaced', '% was used as the key instead of the secret key.', [
      ['The Client-Id', () => merchant.clientId],
      ['The merchantId', () => merchant.merchantId],
    ]),
  ];
  return secretKeyEncoding === 'utf8'
    ? { misread: misread.flatMap(keysOf), other: [...changed, ...replaced].flatMap(keysOf) }
    : { misread: undecoded(secretKeyEncoding).flatMap(keysOf), other: replaced.flatMap(keysOf) };
}
