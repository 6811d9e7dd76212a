import { createHash, createHmac } from 'node:crypto';
import { rows, type Row } from './row.js';

/** The input of a digest. */
export interface Hashed {
  readonly text: Uint8Array;
  readonly key: Uint8Array;
}

/** A wrong way of making a digest, and the bytes of its result. */
export interface DigestRow extends Row<Hashed, Buffer> {
  readonly size: number;
}

const digests = rows<Hashed, Buffer>;
const hmac = (algorithm: string, text: string | Uint8Array, key: Uint8Array) =>
  createHmac(algorithm, key).update(text).digest();

export const rightDigest = ({ text, key }: Hashed) => hmac('sha256', text, key);
export const rightSize = 32;

/** Mistakes that are made with any algorithm. */
function withAny(algorithm: string, name: string): Row<Hashed, Buffer>[] {
  const hash = (...parts: readonly (string | Uint8Array)[]) =>
    parts.reduce((digest, part) => digest.update(part), createHash(algorithm)).digest();
  return [
    ...digests('hash-unkeyed', `The signature is a plain ${name} hash of %, not an HMAC.`, [
      ['the text without the secret key', ({ text }) => hash(text)],
      ['the secret key and the text', ({ text, key }) => hash(key, text)],
      ['the text and the secret key', ({ text, key }) => hash(text, key)],
    ]),
    ...digests('arguments-swapped', `The text was used as the key of the HMAC (${name}).`, [
      ['', ({ text, key }) => hmac(algorithm, key, text)],
    ]),
  ];
}

function withOther(algorithm: string, name: string): Row<Hashed, Buffer>[] {
  const other = digests('hash-algorithm', `The signature is an HMAC with ${name}, not with SHA-256.`, [
    ['', ({ text, key }) => hmac(algorithm, text, key)],
  ]);
  return [...other, ...withAny(algorithm, name)];
}

const sized = (size: number, list: readonly Row<Hashed, Buffer>[]): DigestRow[] =>
  list.map((row) => ({ ...row, size }));

export const wrongDigests: readonly DigestRow[] = [
  ...sized(rightSize, withAny('sha256', 'SHA-256')),
  ...sized(20, withOther('sha1', 'SHA-1')),
  ...sized(16, withOther('md5', 'MD5')),
  ...sized(64, withOther('sha512', 'SHA-512')),
];
