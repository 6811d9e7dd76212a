/** Decodes a UTF-16 file to UTF-8, without its byte order mark; undefined if the file does not have the mark of UTF-16. */
export function decodeUtf16(bytes: Uint8Array): Buffer | undefined {
  const [first, second] = bytes;
  const isLittle = first === 0xff && second === 0xfe;
  const isBig = first === 0xfe && second === 0xff;
  if (!isLittle && !isBig) return undefined;
  return Buffer.from(new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be').decode(bytes));
}
