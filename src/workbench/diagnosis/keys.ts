import { createHash } from 'node:crypto';
import placeholders from './placeholders.json' with { type: 'json' };
import type { SecretKeyEncoding } from '../../validation/secret-key.js';
import { mistake, rowsFor, rowsOf, type Mistake } from './mistake.js';
import { entriesOf, type Rows, type Text } from './candidates/candidate.js';
import type { RefusedRequest } from '../../mock/observation.js';

/** The key of the HMAC, and the mistakes that lead to it. */
export interface Key {
  readonly key: Text;
  readonly mistakes: readonly Mistake[];
}

/** The changes from the issued secret key to the key that was used. */
type KeyRows = Rows<string, Text>;

const keyShapes = { base64: /^[\w+/-]+={0,2}$/, hex: /^(?:[0-9a-f]{2})+$/i };
const decoded = (encoding: keyof typeof keyShapes) => (key: string) =>
  keyShapes[encoding].test(key) ? Buffer.from(key, encoding) : undefined;
const hashed = (algorithm: string) => (key: string) => createHash(algorithm).update(key).digest();

/** The changes of a key that is used as text. */
const changed: KeyRows = {
  'secret-trimmed.line-feed': (key) => `${key}\n`,
  'secret-trimmed.windows': (key) => `${key}\r\n`,
  'secret-trimmed.carriage-return': (key) => `${key}\r`,
  'secret-trimmed.space-after': (key) => `${key} `,
  'secret-trimmed.space-before': (key) => ` ${key}`,
  'secret-trimmed.spaces': (key) => ` ${key} `,
  'secret-trimmed.tab': (key) => `${key}\t`,
  'secret-quoted.double': (key) => `"${key}"`,
  'secret-quoted.single': (key) => `'${key}'`,
  'secret-quoted.double-line-feed': (key) => `"${key}"\n`,
  'secret-quoted.brackets': (key) => `<${key}>`,
  'secret-quoted.bytes': (key) => `b'${key}'`,
  'secret-byte-order-mark': (key) => `\uFEFF${key}`,
  'secret-case.upper': (key) => key.toUpperCase(),
  'secret-case.lower': (key) => key.toLowerCase(),
  'secret-hashed.sha256-hex': (key) => hashed('sha256')(key).toString('hex'),
  'secret-hashed.sha256': hashed('sha256'),
  'secret-hashed.md5-hex': (key) => hashed('md5')(key).toString('hex'),
  'secret-decoded.base64': decoded('base64'),
  'secret-decoded.hex': decoded('hex'),
  'secret-encoded.base64': (key) => Buffer.from(key).toString('base64'),
  'secret-encoded.base64-line-feed': (key) => Buffer.from(`${key}\n`).toString('base64'),
  'secret-encoded.hex': (key) => Buffer.from(key).toString('hex'),
  'secret-encoded.percent': (key) => encodeURIComponent(key.toWellFormed()),
  'secret-encoding.utf16': (key) => Buffer.from(key, 'utf16le'),
  'secret-truncated.dollar': (key) => key.replaceAll(/\$(?:\w+|\{\w*\})/g, ''),
  'secret-truncated.hash': (key) => key.replace(/\s*#.*$/s, ''),
  'secret-truncated.split': (key) => key.replace(/=+$/, ''),
  'secret-joined.name': (key) => `INSTALLMENT_SECRET_KEY=${key}`,
  'secret-joined.oauth': (key) => `${key}&`,
};

/**
 * The mistakes for each encoding of the key. For a key that must be decoded, the mistakes with its text are left out: a
 * match would hide that the key was not decoded.
 */
const keyRowsByEncoding: Readonly<Record<SecretKeyEncoding, KeyRows>> = {
  utf8: changed,
  hex: { 'secret-not-decoded.text': String, 'secret-not-decoded.base64': decoded('base64') },
  base64: { 'secret-not-decoded.text': String, 'secret-not-decoded.hex': decoded('hex') },
};

/** The keys of the merchant. Each of them is valid. */
export function rightKeys({ merchant, secretKeyEncoding }: RefusedRequest): [Key, ...Key[]] {
  const right = (issued: string): Key => ({ key: Buffer.from(issued, secretKeyEncoding), mistakes: [] });
  const [first, ...more] = merchant.secretKeys;
  return [right(first), ...more.map(right)];
}

/** The wrong keys, the most likely first. Each occurs once. */
export function wrongKeys(refused: RefusedRequest): Key[] {
  const { merchant, others, secretKeyEncoding = 'utf8' } = refused;
  const ofOthers = Array.from(others, (other) => {
    const [{ key }] = rightKeys({ ...refused, merchant: other });
    return [other.clientId ?? 'of another merchant', key] as const;
  });
  const rows: KeyRows = {
    ...keyRowsByEncoding[secretKeyEncoding],
    ...rowsFor('secret-placeholder', placeholders.key, (text) => () => text),
    'secret-empty': () => '',
    ...rowsOf('secret-of-another-merchant', ofOthers, (key) => () => key),
    'secret-replaced.client': () => merchant.clientId,
    'secret-replaced.merchant': () => merchant.merchantId,
  };
  const identityOf = (key: Text) => Buffer.from(key).toString('latin1');
  const known = new Set(rightKeys(refused).map(({ key }) => identityOf(key)));
  return entriesOf(rows).flatMap(([id, change]) =>
    merchant.secretKeys.flatMap((issued): Key[] => {
      const key = change(issued);
      if (key === undefined || known.has(identityOf(key))) return [];
      known.add(identityOf(key));
      return [{ key, mistakes: [mistake(id)] }];
    }),
  );
}
