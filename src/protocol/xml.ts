const name = String.raw`[A-Za-z_:\u{80}-\u{10ffff}][\w:.\-\u{80}-\u{10ffff}]*`;
const attribute = String.raw`\s+${name}\s*=\s*(?:"[^<"]*"|'[^<']*')`;

// One piece of XML: a tag, text, or what is between elements.
const piece = new RegExp(
  [
    String.raw`(?<misc>\s+|<\?[^]*?\?>|<!--[^]*?-->|<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>)`,
    String.raw`<(?<start>${name})(?:${attribute})*\s*(?<empty>/?)>`,
    String.raw`</(?<end>${name})\s*>`,
    String.raw`(?<text>[^<&\0-\x08\x0b\x0c\x0e-\x1f]+|&(?:${name}|#\d+|#x[\da-fA-F]+);|<!\[CDATA\[[^]*?\]\]>)`,
  ].join('|'),
  'uy',
);

/** The longest prolog in characters. */
const longestProlog = 64 * 1024;

/**
 * The name of the root element of a well-formed XML document; undefined for any other text. Tags must match and
 * attributes must be quoted. Namespaces and document types are not checked.
 */
export function xmlRootOf(text: string): string | undefined {
  const open: string[] = [];
  let root: string | undefined;
  for (let at = 0; at < text.length; at = piece.lastIndex) {
    piece.lastIndex = at;
    const found = piece.exec(text)?.groups;
    if (!found || (root === undefined && piece.lastIndex > longestProlog && found['start'] === undefined))
      return undefined;
    const { misc, start, empty, end } = found;
    if (misc !== undefined) continue;
    if (start !== undefined) {
      if (root !== undefined && open.length === 0) return undefined; // a second root
      root ??= start;
      if (empty === '') open.push(start);
    } else if (end === undefined ? open.length === 0 : open.pop() !== end) return undefined;
  }
  return open.length === 0 ? root : undefined;
}
