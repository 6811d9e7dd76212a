import { createHash, createHmac, type KeyObject } from 'node:crypto';
import { mend, rarer, type FixName, type Rarity } from '../ingredient.js';
import type { Mistake } from '../types.js';

export interface HashKey {
  readonly bytes: Buffer;
  readonly key: KeyObject;
}

/** A draft written out: text counts as UTF-8. */
type Signed = string | Uint8Array;
type Digest = (text: Signed, key: HashKey) => Buffer;

/** A wrong way of making a digest of a text and a key. */
export interface Hashing {
  readonly id: Mistake;
  readonly rarity: Rarity;
  readonly message: string;
  readonly fix: string;
  readonly size: number;
  readonly digest: Digest;
}

type HashingRow = readonly [rarity: Rarity, what: string, digest: Digest, size?: number];

/** The hashings of a table, whose sentence has `%` for the words of each. */
function hashings(fix: FixName, sentence: string, size: number, rows: readonly HashingRow[]): Hashing[] {
  return rows.map(([rarity, what, digest, own = size]) => {
    return { ...mend(fix), rarity, message: sentence.replace('%', what), size: own, digest };
  });
}

const hmac = (algorithm: string, text: Signed, key: KeyObject | Signed) =>
  createHmac(algorithm, key).update(text).digest();
const hash = (algorithm: string, ...parts: readonly Signed[]) =>
  parts.reduce((digest, part) => digest.update(part), createHash(algorithm)).digest();
const sha256 = (text: Signed) => hash('sha256', text);

export const rightDigest: Digest = (text, { key }) => hmac('sha256', text, key);

/** A hash of the text and the secret key, one after the other. */
function unkeyed(rarity: Rarity, algorithm: string, name: string, size: number): Hashing[] {
  const of = (parts: (text: Signed, key: Buffer) => readonly Signed[]): Digest => {
    return (text, { bytes }) => hash(algorithm, ...parts(text, bytes));
  };
  const joined = ['', '\n', ':', '&', '|', '.'].flatMap((mark): HashingRow[] => {
    const by = mark === '' ? '' : `, joined by ${JSON.stringify(mark)}`;
    const degree = rarer(rarity, mark === '' ? 0 : 2);
    return [
      [degree, `the secret key and the text${by}`, of((text, key) => [key, mark, text])],
      [degree, `the text and the secret key${by}`, of((text, key) => [text, mark, key])],
    ];
  });
  const sentence = `The signature is a plain ${name} hash of %, not an HMAC.`;
  return hashings('hash-unkeyed', sentence, size, [
    [rarity, 'the text without the secret key', of((text) => [text])],
    ...joined,
    [rarer(rarity, 2), 'the secret key, the text and the secret key', of((text, key) => [key, text, key])],
  ]);
}

const hmacWith = (algorithm: string): Digest => {
  return (text, { key }) => hmac(algorithm, text, key);
};
const swapped = (algorithm: string): Digest => {
  return (text, { bytes }) => hmac(algorithm, bytes, text);
};
const hexOf = (text: Signed, key: HashKey) => rightDigest(text, key).toString('hex');
const ofBytes: Digest = (text, key) => rightDigest(rightDigest(text, key), key);
const ofDigits: Digest = (text, key) => rightDigest(hexOf(text, key), key);

export const wrongHashings: readonly Hashing[] = [
  ...unkeyed(2, 'sha256', 'SHA-256', 32),
  ...hashings(
    'arguments-swapped',
    'The arguments of the HMAC are swapped: the text was used as the key%.',
    32,
    [
      [2, '', swapped('sha256')],
      [3, ', with SHA512', swapped('sha512'), 64],
      [3, ', with SHA1', swapped('sha1'), 20],
      [3, ', with MD5', swapped('md5'), 16],
    ],
  ),
  ...hashings('hash-algorithm', 'The signature is an HMAC with %, not with SHA-256.', 32, [
    [2, 'SHA-1', hmacWith('sha1'), 20],
    [2, 'SHA-512', hmacWith('sha512'), 64],
    [2, 'MD5', hmacWith('md5'), 16],
    [2, 'SHA-384', hmacWith('sha384'), 48],
    [3, 'SHA-224', hmacWith('sha224'), 28],
    [3, 'SHA3-256', hmacWith('sha3-256')],
    [4, 'SHA-512/256', hmacWith('sha512-256')],
  ]),
  ...hashings('hash-twice', 'The HMAC was %.', 32, [
    [4, 'made twice: of the text, and of the bytes of that', ofBytes],
    [4, 'made twice: of the text, and of its hex digits', ofDigits],
    [4, 'hashed again with SHA-256', (text, key) => sha256(rightDigest(text, key))],
    [4, 'written as hex digits and hashed again with SHA-256', (text, key) => sha256(hexOf(text, key))],
  ]),
  ...unkeyed(3, 'md5', 'MD5', 16),
  ...unkeyed(3, 'sha1', 'SHA-1', 20),
  ...unkeyed(3, 'sha512', 'SHA-512', 64),
];
