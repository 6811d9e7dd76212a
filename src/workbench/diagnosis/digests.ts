import { createHash, createHmac } from 'node:crypto';
import { mistake, type Mistake } from './row.js';
import type { Text } from './signed/drafts.js';

/** A way of making a digest. */
export interface Digest {
  /** Bytes of its result. */
  readonly size: number;
  /** The result is "binary" (Latin-1) text: Node makes it a third faster than a buffer, and thousands are compared. */
  readonly hash: (text: Text, key: Text) => string;
  readonly mistakes: readonly Mistake[];
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

const others = [
  ['sha1', 'SHA-1', 20],
  ['sha512', 'SHA-512', 64],
  ['md5', 'MD5', 16],
] as const;

const unkeyed = [
  ['text', 'the text without the secret key', (text) => [text]],
  ['key-text', 'the secret key and the text', (text, key) => [key, text]],
  ['text-key', 'the text and the secret key', (text, key) => [text, key]],
] as const satisfies readonly (readonly [string, string, (text: Text, key: Text) => Text[]])[];

export const wrongDigests: readonly Digest[] = [
  ...others.map(([algorithm, name, size]): Digest => {
    const says = `The signature is an HMAC with ${name}, not with SHA-256.`;
    return {
      size,
      hash: (text, key) => hmac(algorithm, text, key),
      mistakes: [mistake('hash-algorithm', algorithm, says)],
    };
  }),
  ...([['sha256', 'SHA-256', 32], ...others] as const).flatMap(([algorithm, name, size]) =>
    unkeyed.map(([form, what, parts]): Digest => {
      const says = `The signature is a plain ${name} hash of ${what}, not an HMAC.`;
      return {
        size,
        hash: (text, key) => hash(algorithm, ...parts(text, key)),
        mistakes: [mistake('hash-unkeyed', `${algorithm}-${form}`, says)],
      };
    }),
  ),
  {
    size: 32,
    hash: (text, key) => hmac('sha256', key, text),
    mistakes: [
      mistake('arguments-swapped', '', 'The text was used as the key of the HMAC, and the key as the text.'),
    ],
  },
];
