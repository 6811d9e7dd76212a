import { createHash, createHmac } from 'node:crypto';
import { rightKeys, wrongKeys, type Key } from './keys.js';
import { mistake, type Mistake, type MistakeId } from './mistake.js';
import type { Text } from './candidates/candidate.js';
import type { RefusedRequest } from '../../mock/observation.js';

/** A way of making a digest. */
interface Digest {
  readonly size: number;
  /**
   * Makes the digest, as "binary" (Latin-1) text. Thousands of digests are compared, and Node makes this text a third
   * faster than a buffer.
   */
  readonly digest: (text: Text, key: Text) => string;
  readonly mistakes: readonly Mistake[];
}

/** A key and a digest. */
export interface Signing {
  /** The number of bytes of its results. */
  readonly size: number;
  readonly sign: (text: Text) => string;
  readonly mistakes: readonly Mistake[];
}

export interface Signings {
  readonly right: readonly [Signing, ...Signing[]];
  /** The signings with a wrong key or a wrong digest. */
  readonly wrong: readonly Signing[];
  /** The signings with a wrong key and a wrong digest. */
  readonly wrongTwice: readonly Signing[];
}

const hmac = (algorithm: string) => (text: Text, key: Text) =>
  createHmac(algorithm, key).update(text).digest('binary');
const hash =
  (algorithm: string, parts: (text: Text, key: Text) => readonly Text[]) => (text: Text, key: Text) =>
    parts(text, key)
      .reduce((made, part) => made.update(part), createHash(algorithm))
      .digest('binary');

/** The number of bytes of the digests that are tried. */
const digestSizes = { sha256: 32, sha1: 20, sha512: 64, md5: 16 };
export const sizes: ReadonlySet<number> = new Set(Object.values(digestSizes));

const rightDigest: Digest = { size: digestSizes.sha256, digest: hmac('sha256'), mistakes: [] };

const wrong = (id: MistakeId, size: number, digest: Digest['digest']): Digest => ({
  size,
  digest,
  mistakes: [mistake(id)],
});

export const wrongDigests: readonly Digest[] = [
  ...Object.entries(digestSizes).flatMap(([algorithm, size]) => [
    ...(algorithm === 'sha256' ? [] : [wrong(`hash-algorithm.${algorithm}`, size, hmac(algorithm))]),
    wrong(
      `hash-unkeyed.text.${algorithm}`,
      size,
      hash(algorithm, (text) => [text]),
    ),
    wrong(
      `hash-unkeyed.key-text.${algorithm}`,
      size,
      hash(algorithm, (text, key) => [key, text]),
    ),
    wrong(
      `hash-unkeyed.text-key.${algorithm}`,
      size,
      hash(algorithm, (text, key) => [text, key]),
    ),
  ]),
  wrong('arguments-swapped', digestSizes.sha256, (text, key) => hmac('sha256')(key, text)),
];

/** The ways in which a merchant might have signed. */
export function signingsOf(refused: RefusedRequest): Signings {
  const signing = ({ key, mistakes }: Key, { size, digest, mistakes: more }: Digest): Signing => ({
    size,
    sign: (text) => digest(text, key),
    mistakes: [...mistakes, ...more],
  });
  const hmacs = (keys: readonly Key[]) => keys.map((key) => signing(key, rightDigest));
  const digests = (keys: readonly Key[]) =>
    keys.flatMap((key) => wrongDigests.map((digest) => signing(key, digest)));
  const [first, ...more] = rightKeys(refused);
  const wrongOnes = wrongKeys(refused);
  return {
    right: [signing(first, rightDigest), ...hmacs(more)],
    wrong: [...hmacs(wrongOnes), ...digests([first, ...more])],
    wrongTwice: digests(wrongOnes),
  };
}
