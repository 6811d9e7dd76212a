import { createHash, createHmac } from 'node:crypto';
import { rows, type Row } from './row.js';

type Bytes = string | Uint8Array;

/** The input of a digest. */
export interface Hashed {
  readonly text: Uint8Array;
  readonly key: Uint8Array;
}

/** A wrong way of making a digest, and its size. */
export interface DigestRow extends Row<Hashed, Buffer> {
  readonly size: number;
}

const hmac = (algorithm: string, text: Bytes, key: Uint8Array) =>
  createHmac(algorithm, key).update(text).digest();
const hash = (algorithm: string, parts: readonly Bytes[]) =>
  parts.reduce((digest, part) => digest.update(part), createHash(algorithm)).digest();

export const rightDigest = ({ text, key }: Hashed) => hmac('sha256', text, key);
export const rightSize = 32;
const hexOf = (hashed: Hashed) => rightDigest(hashed).toString('hex');

function unkeyed(algorithm: string, name: string): Row<Hashed, Buffer>[] {
  const joined = ['', '\n', ':', '&', '|', '.'].flatMap((mark) => {
    const by = mark && `, joined by ${JSON.stringify(mark)}`;
    return [
      [
        `the secret key and the text${by}`,
        ({ text, key }: Hashed) => hash(algorithm, [key, mark, text]),
      ] as const,
      [
        `the text and the secret key${by}`,
        ({ text, key }: Hashed) => hash(algorithm, [text, mark, key]),
      ] as const,
    ];
  });
  return rows<Hashed, Buffer>('hash-unkeyed', `The signature is a plain ${name} hash of %, not an HMAC.`, [
    ['the text without the secret key', ({ text }) => hash(algorithm, [text])],
    ...joined,
    ['the secret key, the text and the secret key', ({ text, key }) => hash(algorithm, [key, text, key])],
  ]);
}

/** Mistakes that come with SHA-256 and with any other algorithm. */
function withAny(algorithm: string, name: string): Row<Hashed, Buffer>[] {
  const says = `The arguments of the HMAC are swapped (${name}): the text was used as the key.`;
  const swapped = rows<Hashed, Buffer>('arguments-swapped', says, [
    ['', ({ text, key }) => hmac(algorithm, key, text)],
  ]);
  return [...unkeyed(algorithm, name), ...swapped];
}

function withOther(algorithm: string, name: string, size: number): DigestRow[] {
  const says = `The signature is an HMAC with ${name}, not with SHA-256.`;
  const other = rows<Hashed, Buffer>('hash-algorithm', says, [
    ['', ({ text, key }) => hmac(algorithm, text, key)],
  ]);
  return sized([...other, ...withAny(algorithm, name)], size);
}

function sized(list: readonly Row<Hashed, Buffer>[], size: number): DigestRow[] {
  return list.map((row) => ({ ...row, size }));
}

const twice = rows<Hashed, Buffer>('hash-twice', 'The HMAC was %.', [
  [
    'made twice: of the text, and of the bytes of that',
    (made) => hmac('sha256', rightDigest(made), made.key),
  ],
  ['made twice: of the text, and of its hex digits', (made) => hmac('sha256', hexOf(made), made.key)],
  ['hashed again with SHA-256', (made) => hash('sha256', [rightDigest(made)])],
  ['written as hex digits and hashed again with SHA-256', (made) => hash('sha256', [hexOf(made)])],
]);

export const wrongDigests: readonly DigestRow[] = [
  ...sized([...withAny('sha256', 'SHA-256'), ...twice], rightSize),
  ...withOther('sha1', 'SHA-1', 20),
  ...withOther('md5', 'MD5', 16),
  ...withOther('sha512', 'SHA-512', 64),
  ...withOther('sha384', 'SHA-384', 48),
];
