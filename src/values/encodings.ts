// Not the global one, which a DOM for tests may lack.
import { TextDecoder } from 'node:util';
import { isAnyArrayBuffer } from 'node:util/types';
import { orUndefined } from './untrusted-values.js';

/** The bytes of a buffer or a view, of any realm; undefined for any other value. */
export function bytesOf(value: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return isAnyArrayBuffer(value) ? new Uint8Array(value) : undefined;
}

export const byteOrderMark = '\uFEFF';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** UTF-8 as text, with its byte order mark; undefined for invalid bytes, which a decoder would otherwise replace. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  return orUndefined(() => strictUtf8.decode(bytes));
}

/** Bytes as text, whatever they are. What is invalid in the encoding is replaced. */
export function decodeText(bytes: Uint8Array, encoding = 'utf-8'): string {
  return new TextDecoder(encoding).decode(bytes);
}

export function withoutByteOrderMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

/** The `\u` escape of one UTF-16 unit. */
export function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
