import { createHash } from 'node:crypto';

/** A change of a text. */
export type Rewrite = (text: string) => string;

export function inside(start: string, end = start): Rewrite {
  return (text) => start + text + end;
}
export const before = (added: string): Rewrite => inside(added, '');
export const behind = (added: string): Rewrite => inside('', added);

export function replaced(found: RegExp | string, by: string): Rewrite {
  return (text) => text.replaceAll(found, by);
}
export const without = (found: RegExp | string): Rewrite => replaced(found, '');

export function written(encoding: BufferEncoding): Rewrite {
  return (text) => Buffer.from(text).toString(encoding);
}
export const inLowerCase: Rewrite = (text) => text.toLowerCase();
export const inUpperCase: Rewrite = (text) => text.toUpperCase();
export const inJson: Rewrite = (text) => JSON.stringify(text);

export function normalised(form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): Rewrite {
  return (text) => text.normalize(form);
}

/** A hash of the text, in the encodings in which callers take it for a text. */
export function hashed(algorithm: string): Readonly<Record<'hex' | 'upper-case hex' | 'base64', Rewrite>> {
  const hash = (text: string) => digestOf(algorithm, text);
  return {
    hex: (text) => hash(text).toString('hex'),
    'upper-case hex': (text) => hash(text).toString('hex').toUpperCase(),
    base64: (text) => hash(text).toString('base64'),
  };
}

export function digestOf(algorithm: string, text: string): Buffer {
  return createHash(algorithm).update(text).digest();
}
