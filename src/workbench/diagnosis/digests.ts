import { createHash, createHmac } from 'node:crypto';
import { rows, type Words } from './row.js';

/** A way of making a digest. */
export interface Digest {
  readonly mistakes: readonly Words[];
  /** Bytes of its result. */
  readonly size: number;
  readonly hash: Hash;
}

/** The result is "binary" (Latin-1) text: Node makes it a third faster than a buffer, and thousands are compared. */
type Hash = (text: Uint8Array, key: Uint8Array) => string;

const hmac =
  (algorithm: string): Hash =>
  (text, key) =>
    createHmac(algorithm, key).update(text).digest('binary');
const hash = (algorithm: string, ...parts: readonly Uint8Array[]) =>
  parts.reduce((digest, part) => digest.update(part), createHash(algorithm)).digest('binary');

const algorithms = [
  ['sha256', 'SHA-256', 32],
  ['sha1', 'SHA-1', 20],
  ['md5', 'MD5', 16],
  ['sha512', 'SHA-512', 64],
] as const;

function wrongDigestsOf([algorithm, name, size]: (typeof algorithms)[number]): Digest[] {
  const keyed = hmac(algorithm);
  const list = [
    ...rows<Hash>('hash-algorithm', `The signature is an HMAC with ${name}, not with SHA-256.`, [
      ['', () => (algorithm === 'sha256' ? undefined : keyed)],
    ]),
    ...rows<Hash>('hash-unkeyed', `The signature is a plain ${name} hash of %, not an HMAC.`, [
      ['the text without the secret key', () => (text) => hash(algorithm, text)],
      ['the secret key and the text', () => (text, key) => hash(algorithm, key, text)],
      ['the text and the secret key', () => (text, key) => hash(algorithm, text, key)],
    ]),
    ...rows<Hash>('arguments-swapped', `The text was used as the key of the HMAC (${name}).`, [
      ['', () => (text, key) => keyed(key, text)],
    ]),
  ];
  return list.flatMap((row) => {
    const changed = row.change(keyed);
    return changed ? [{ mistakes: [row], size, hash: changed }] : [];
  });
}

/** The right one first. */
export const digests: readonly Digest[] = [
  { mistakes: [], size: 32, hash: hmac('sha256') },
  ...algorithms.flatMap(wrongDigestsOf),
];
