// A file counts as XML by its first tag. The service judges the rest: a false refusal costs a merchant an invoice.

/** Decodes UTF-8, or UTF-16 by its byte order mark or the zero byte of its first character. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isBigEndian = first === 0 || (first === 0xfe && second === 0xff);
  const isLittleEndian = second === 0 || (first === 0xff && second === 0xfe);
  const encoding = isBigEndian ? 'utf-16be' : isLittleEndian ? 'utf-16le' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

// Matched one at a time: a repeated group would backtrack through a hostile file.
const beforeFirstTag = /\s+|<\?[^]*?\?>|<!--[^]*?-->/y;
const htmlStart = /<(?:!doctype\s+)?html(?![^\s/>[])/iy;

/** True for a file that begins with `<` and is not HTML by its first tag or its DOCTYPE. */
export function looksLikeXml(bytes: Uint8Array): boolean {
  const text = decode(bytes);
  if (!text.trimStart().startsWith('<')) return false;
  let position = 0;
  beforeFirstTag.lastIndex = 0;
  while (beforeFirstTag.test(text)) position = beforeFirstTag.lastIndex;
  htmlStart.lastIndex = position;
  return !htmlStart.test(text);
}
