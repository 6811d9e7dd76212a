// TextDecoder is imported, because a simulated browser, such as jsdom, can lack the global class.
import { TextDecoder } from 'node:util';
import { isAnyArrayBuffer } from 'node:util/types';
import { orUndefined, tryParseJson } from './untrusted-values.js';

/** The bytes of a buffer or a view, from any realm; undefined for any other value. */
export function bytesOf(value: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return isAnyArrayBuffer(value) ? new Uint8Array(value) : undefined;
}

export const byteOrderMark = '\uFEFF';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes UTF-8 and keeps its byte order mark; undefined for invalid bytes, which a decoder would replace by default.
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  return orUndefined(() => strictUtf8.decode(bytes));
}

/** Decodes any bytes as text. Bytes that are invalid in the encoding are replaced. */
export function decodeText(bytes: Uint8Array, encoding = 'utf-8'): string {
  return new TextDecoder(encoding).decode(bytes);
}

/** Converts a UTF-16 file to UTF-8 text without a byte order mark; undefined if the file lacks the UTF-16 mark. */
export function decodeUtf16(bytes: Uint8Array): Buffer | undefined {
  const [first, second] = bytes;
  const isLittle = first === 0xff && second === 0xfe;
  const isBig = first === 0xfe && second === 0xff;
  if (!isLittle && !isBig) return undefined;
  return Buffer.from(decodeText(bytes, isLittle ? 'utf-16le' : 'utf-16be'));
}

/** The value of JSON in UTF-8, with or without a byte order mark; undefined for any other bytes. */
export function jsonIn(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  return text === undefined ? undefined : tryParseJson(text.replace(/^\uFEFF/, ''));
}

/** The `\u` escape of one UTF-16 code unit. */
export function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
