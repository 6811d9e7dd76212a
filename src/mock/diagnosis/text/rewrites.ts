import { createHash } from 'node:crypto';

/** A change of a text. */
export type Rewrite = (text: string) => string;

export const before =
  (added: string): Rewrite =>
  (text) =>
    added + text;
export const behind =
  (added: string): Rewrite =>
  (text) =>
    text + added;
export const inside =
  (start: string, end = start): Rewrite =>
  (text) =>
    start + text + end;
export const replaced =
  (found: RegExp | string, by: string): Rewrite =>
  (text) =>
    text.replaceAll(found, by);
export const without = (found: RegExp | string): Rewrite => replaced(found, '');
export const written =
  (encoding: BufferEncoding): Rewrite =>
  (text) =>
    Buffer.from(text).toString(encoding);
export const inLowerCase: Rewrite = (text) => text.toLowerCase();
export const inUpperCase: Rewrite = (text) => text.toUpperCase();
export const inJson: Rewrite = (text) => JSON.stringify(text);
export const normalised =
  (form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): Rewrite =>
  (text) =>
    text.normalize(form);

export function digestOf(algorithm: string, text: string): Buffer {
  return createHash(algorithm).update(text).digest();
}
