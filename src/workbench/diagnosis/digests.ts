import { createHash, createHmac } from 'node:crypto';
import { words, type FixName, type Words } from './row.js';
import type { Text } from './signed/candidates.js';

/** A way of making a digest. */
export interface Digest {
  /** Bytes of its result. */
  readonly size: number;
  /** The result is "binary" (Latin-1) text: Node makes it a third faster than a buffer, and thousands are compared. */
  readonly hash: (text: Text, key: Text) => string;
  readonly mistakes: readonly Words[];
}

const hmac = (algorithm: string, text: Text, key: Text) =>
  createHmac(algorithm, key).update(text).digest('binary');
const hash = (algorithm: string, ...parts: readonly Text[]) =>
  parts.reduce((digest, part) => digest.update(part), createHash(algorithm)).digest('binary');

export const rightDigest: Digest = {
  size: 32,
  hash: (text, key) => hmac('sha256', text, key),
  mistakes: [],
};

const algorithms = [
  ['sha256', 'SHA-256', 32],
  ['sha1', 'SHA-1', 20],
  ['md5', 'MD5', 16],
  ['sha384', 'SHA-384', 48],
  ['sha512', 'SHA-512', 64],
] as const;

export const wrongDigests: readonly Digest[] = algorithms.flatMap(([algorithm, name, size]) => {
  const digest = (fix: FixName, says: string, made: Digest['hash']): Digest => ({
    size,
    hash: made,
    mistakes: [words(fix, says)],
  });
  const unkeyed = (of: string, made: Digest['hash']) =>
    digest('hash-unkeyed', `The signature is a plain ${name} hash of ${of}, not an HMAC.`, made);
  const other = `The signature is an HMAC with ${name}, not with SHA-256.`;
  const swapped = `The text was used as the key of the HMAC (${name}).`;
  return [
    ...(size === 32 ? [] : [digest('hash-algorithm', other, (text, key) => hmac(algorithm, text, key))]),
    unkeyed('the text without the secret key', (text) => hash(algorithm, text)),
    unkeyed('the secret key and the text', (text, key) => hash(algorithm, key, text)),
    unkeyed('the text and the secret key', (text, key) => hash(algorithm, text, key)),
    digest('arguments-swapped', swapped, (text, key) => hmac(algorithm, key, text)),
  ];
});
