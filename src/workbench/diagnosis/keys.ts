import { createHash } from 'node:crypto';
import { listed, mistakeOf, rows, type Mistake, type Row } from './row.js';
import type { Text } from './signed/drafts.js';
import type { RefusedRequest } from '../../mock/observation.js';

/** Takes the secret key as it was issued, and gives what the HMAC took as its key: another text, or bytes. */
type KeyRow = Row<string, Text>;

export interface Key {
  readonly key: Text;
  readonly mistakes: readonly Mistake[];
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
    ['line-feed', 'with a line feed at its end', (key) => `${key}\n`],
    ['windows', 'with CR LF at its end', (key) => `${key}\r\n`],
    ['carriage-return', 'with a carriage return at its end', (key) => `${key}\r`],
    ['space-after', 'with a space at its end', (key) => `${key} `],
    ['space-before', 'with a space before it', (key) => ` ${key}`],
    ['spaces', 'with a space at both ends', (key) => ` ${key} `],
    ['tab', 'with a tab at its end', (key) => `${key}\t`],
  ]),
  ...keys('secret-quoted', used, [
    ['double', 'with " around it', (key) => `"${key}"`],
    ['single', "with ' around it", (key) => `'${key}'`],
    ['double-line-feed', 'with " around it and a line feed at its end', (key) => `"${key}"\n`],
    ['brackets', 'with < and > around it', (key) => `<${key}>`],
    ['bytes', "with Python's b'' around it", (key) => `b'${key}'`],
  ]),
  ...keys('secret-byte-order-mark', 'The secret key was used with a byte order mark (U+FEFF) before it.', [
    ['', '', (key) => `\uFEFF${key}`],
  ]),
];

/** A key that is used as the text that it is, and was changed. */
const changed: readonly KeyRow[] = [
  ...keys('secret-case', used, [
    ['upper', 'in upper case', (key) => key.toUpperCase()],
    ['lower', 'in lower case', (key) => key.toLowerCase()],
  ]),
  ...keys('secret-hashed', 'The % of the secret key was used instead of the key.', [
    ['sha256-hex', 'SHA-256 in hex', (key) => hashed('sha256')(key).toString('hex')],
    ['sha256', 'SHA-256', hashed('sha256')],
    ['md5-hex', 'MD5 in hex', (key) => hashed('md5')(key).toString('hex')],
  ]),
  ...keys('secret-decoded', 'The secret key was decoded from % before use.', [
    ['base64', 'base64', decoded('base64')],
    ['hex', 'hex', decoded('hex')],
  ]),
  ...keys('secret-encoded', 'The secret key was encoded as % before use.', [
    ['base64', 'base64', encoded('base64')],
    ['base64-line-feed', 'base64 of the key with a line feed', (key) => encoded('base64')(`${key}\n`)],
    ['hex', 'hex', encoded('hex')],
    ['percent', 'a part of an address (percent-encoded)', (key) => encodeURIComponent(key.toWellFormed())],
  ]),
  ...keys('secret-encoding', 'The secret key was turned into bytes as %, not as UTF-8.', [
    ['utf16', 'UTF-16LE', (key) => Buffer.from(key, 'utf16le')],
  ]),
  ...keys('secret-truncated', 'The secret key was used without %.', [
    ['dollar', '$ and the name after it (a shell)', (key) => key.replaceAll(/\$(?:\w+|\{\w*\})/g, '')],
    ['hash', '# and what follows it (a comment in an .env file)', (key) => key.replace(/\s*#.*$/s, '')],
    ['split', 'the = at its end', (key) => key.replace(/=+$/, '')],
  ]),
  ...keys('secret-joined', used, [
    ['name', 'with INSTALLMENT_SECRET_KEY= before it', (key) => `INSTALLMENT_SECRET_KEY=${key}`],
    ['oauth', 'with & at its end, as in OAuth 1', (key) => `${key}&`],
  ]),
];

/** For a key that has to be decoded. The mistakes above would be named as if nothing else were wrong. */
function undecoded(encoding: keyof typeof shapes): readonly KeyRow[] {
  const other = encoding === 'hex' ? 'base64' : 'hex';
  return keys('secret-not-decoded', used, [
    ['text', 'as text, without decoding it', (key) => key],
    [other, `decoded from ${other} instead of ${encoding}`, decoded(other)],
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

/** Wrong keys, the likely ones first. Each is there once. */
export function wrongKeys(refused: RefusedRequest): Key[] {
  const { merchant, others, secretKeyEncoding = 'utf8' } = refused;
  const bytesOf = (key: Text) => Buffer.from(key).toString('latin1');
  const known = new Set(rightKeys(refused).map(({ key }) => bytesOf(key)));
  const keysOf = (row: KeyRow) =>
    merchant.secretKeys.flatMap((issued): Key[] => {
      const key = row.change(issued);
      if (key === undefined || known.has(bytesOf(key))) return [];
      known.add(bytesOf(key));
      return [{ key, mistakes: [mistakeOf(row, issued, key)] }];
    });
  const ofOthers = Array.from(others, (other) => {
    const [own] = rightKeys({ ...refused, merchant: other });
    const name = other.clientId ?? 'of another merchant';
    return [name, name, () => own.key] as const;
  });
  const replaced: KeyRow[] = [
    ...placeholders,
    ...keys('secret-empty', 'The key was empty.', [['', '', () => '']]),
    ...keys('secret-of-another-merchant', 'The secret key is that of the client %.', ofOthers),
    ...keys('secret-replaced', '% was used as the key instead of the secret key.', [
      ['client', 'The Client-Id', () => merchant.clientId],
      ['merchant', 'The merchantId', () => merchant.merchantId],
    ]),
  ];
  const own = secretKeyEncoding === 'utf8' ? [...misread, ...changed] : undecoded(secretKeyEncoding);
  return [...own, ...replaced].flatMap(keysOf);
}
