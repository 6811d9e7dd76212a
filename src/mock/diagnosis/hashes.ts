import { rarer, type Rarity } from './draft.js';
import { createHash, createHmac, type KeyObject } from 'node:crypto';
import type { Mistake } from './types.js';

/** A key in the forms that hashing needs. */
export interface HashKey {
  readonly bytes: Buffer;
  /** Prepared once for all texts. */
  readonly key: KeyObject;
}

/** What is hashed: text counts as UTF-8. */
type Signed = string | Uint8Array;

/** A wrong way of making a digest of a text and a secret key. */
export interface Hashing {
  readonly id: Mistake;
  readonly rarity: Rarity;
  readonly message: string;
  readonly fix: string;
  /** Bytes of its digest. */
  readonly size: number;
  readonly digest: (text: Signed, key: HashKey) => Buffer;
}

export const hmacSha256: Hashing['digest'] = (text, { key }) =>
  createHmac('sha256', key).update(text).digest();

const algorithmFix =
  'Use HMAC with SHA-256. PHP: hash_hmac(\'sha256\', $text, $secret). Python: hmac.new(secret, text, hashlib.sha256). Java: Mac.getInstance("HmacSHA256"). .NET: HMACSHA256. Go: hmac.New(sha256.New, secret).';
const unkeyedFix =
  'Use HMAC, which is not the hash of the secret key and the text. PHP: hash_hmac, not hash. Python: hmac.new, not hashlib. Shell: openssl dgst -sha256 -hmac "$SECRET".';

function otherHmac(algorithm: string, name: string, size: number, rarity: Rarity): Hashing {
  return {
    id: 'hash-algorithm',
    rarity,
    message: `The signature is an HMAC with ${name}, not with SHA-256.`,
    fix: algorithmFix,
    size,
    digest: (text, { key }) => createHmac(algorithm, key).update(text).digest(),
  };
}

const separators = ['', '\n', ':', '&', '|', '.'];

function unkeyed(algorithm: string, name: string, size: number, rarity: Rarity): Hashing[] {
  const hash = (
    rarity: Rarity,
    what: string,
    parts: (text: Signed, secret: Buffer) => readonly Signed[],
  ): Hashing => ({
    id: 'hash-unkeyed',
    rarity: rarity,
    message: `The signature is a plain ${name} hash of ${what}, not an HMAC.`,
    fix: unkeyedFix,
    size,
    digest: (text, { bytes }) => {
      const digest = createHash(algorithm);
      for (const part of parts(text, bytes)) digest.update(part);
      return digest.digest();
    },
  });
  return [
    hash(rarity, 'the text without the secret key', (text) => [text]),
    ...separators.flatMap((separator) => {
      const joined = separator === '' ? '' : `, joined by ${JSON.stringify(separator)}`;
      const joinedRarity = rarer(rarity, separator === '' ? 0 : 2);
      return [
        hash(joinedRarity, `the secret key and the text${joined}`, (text, secret) => [
          secret,
          separator,
          text,
        ]),
        hash(joinedRarity, `the text and the secret key${joined}`, (text, secret) => [
          text,
          separator,
          secret,
        ]),
      ];
    }),
    hash(rarer(rarity, 2), 'the secret key, the text and the secret key', (text, secret) => [
      secret,
      text,
      secret,
    ]),
  ];
}

const swapped = (algorithm: string, size: number, rarity: Rarity): Hashing => ({
  id: 'arguments-swapped',
  rarity,
  message: `The arguments of the HMAC are swapped: the text was used as the key${algorithm === 'sha256' ? '' : `, with ${algorithm.toUpperCase()}`}.`,
  fix: 'Swap the arguments: PHP hash_hmac(algo, text, key), Python hmac.new(key, text), Node.js createHmac(algo, key).update(text), Go hmac.New(hash, key).',
  size,
  digest: (text, { bytes }) => createHmac(algorithm, text).update(bytes).digest(),
});

function twice(message: string, inner: (digest: Buffer) => string | Buffer, isKeyed: boolean): Hashing {
  return {
    id: 'hash-twice',
    rarity: 4,
    message,
    fix: 'Hash once: the signature is the HMAC of the text.',
    size: 32,
    digest: (text, { key }) => {
      const first = inner(createHmac('sha256', key).update(text).digest());
      return (isKeyed ? createHmac('sha256', key) : createHash('sha256')).update(first).digest();
    },
  };
}

/** Digests other than the right one. */
export const wrongHashings: readonly Hashing[] = [
  ...unkeyed('sha256', 'SHA-256', 32, 2),
  swapped('sha256', 32, 2),
  otherHmac('sha1', 'SHA-1', 20, 2),
  otherHmac('sha512', 'SHA-512', 64, 2),
  otherHmac('md5', 'MD5', 16, 2),
  otherHmac('sha384', 'SHA-384', 48, 2),
  otherHmac('sha224', 'SHA-224', 28, 3),
  otherHmac('sha3-256', 'SHA3-256', 32, 3),
  otherHmac('sha512-256', 'SHA-512/256', 32, 4),
  twice(
    'The HMAC was made twice: of the text, and then of the bytes of the first signature.',
    (digest) => digest,
    true,
  ),
  twice(
    'The HMAC was made twice: of the text, and then of the hex digits of the first signature.',
    (digest) => digest.toString('hex'),
    true,
  ),
  twice('The HMAC was hashed again with SHA-256.', (digest) => digest, false),
  twice(
    'The hex digits of the HMAC were hashed again with SHA-256.',
    (digest) => digest.toString('hex'),
    false,
  ),
  ...unkeyed('md5', 'MD5', 16, 3),
  ...unkeyed('sha1', 'SHA-1', 20, 3),
  ...unkeyed('sha512', 'SHA-512', 64, 3),
  swapped('sha512', 64, 3),
  swapped('sha1', 20, 3),
  swapped('md5', 16, 3),
];
