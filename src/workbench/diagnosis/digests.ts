import { createHash, createHmac } from 'node:crypto';
import { rows, type Row } from './row.js';
import type { Text } from './signed/drafts.js';

/** A way of making a digest. */
export interface Digest {
  /** Bytes of its result. */
  readonly size: number;
  /** The result is "binary" (Latin-1) text: Node makes it a third faster than a buffer, and thousands are compared. */
  readonly hash: (text: Text, key: Text) => string;
}

const hmac = (algorithm: string, text: Text, key: Text) =>
  createHmac(algorithm, key).update(text).digest('binary');
const hash = (algorithm: string, ...parts: readonly Text[]) =>
  parts.reduce((digest, part) => digest.update(part), createHash(algorithm)).digest('binary');

export const rightDigest: Digest = { size: 32, hash: (text, key) => hmac('sha256', text, key) };

const algorithms = [
  ['sha256', 'SHA-256', 32],
  ['sha1', 'SHA-1', 20],
  ['md5', 'MD5', 16],
  ['sha384', 'SHA-384', 48],
  ['sha512', 'SHA-512', 64],
] as const;

export const wrongDigests: readonly Row<Digest>[] = algorithms.flatMap(([algorithm, name, size]) => {
  const digest = (made: Digest['hash']) => () => ({ size, hash: made });
  return [
    ...rows<Digest>('hash-algorithm', `The signature is an HMAC with ${name}, not with SHA-256.`, [
      ['', digest((text, key) => hmac(algorithm, text, key))],
    ]),
    ...rows<Digest>('hash-unkeyed', `The signature is a plain ${name} hash of %, not an HMAC.`, [
      ['the text without the secret key', digest((text) => hash(algorithm, text))],
      ['the secret key and the text', digest((text, key) => hash(algorithm, key, text))],
      ['the text and the secret key', digest((text, key) => hash(algorithm, text, key))],
    ]),
    ...rows<Digest>('arguments-swapped', `The text was used as the key of the HMAC (${name}).`, [
      ['', digest((text, key) => hmac(algorithm, key, text))],
    ]),
  ];
});
