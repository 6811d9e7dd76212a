import { valueOf } from '../values/untrusted-values.js';

// A file looks like XML by its beginning, up to the end of the root's start tag. The service judges whether the rest is
// well-formed: a false refusal costs a merchant an invoice.

const spaces = String.raw`[ \t\r\n]`;
const nameChars = String.raw`[A-Za-z_:\u{80}-\u{10ffff}][\w:.\-\u{80}-\u{10ffff}]*`;

const leadingSpace = new RegExp(`${spaces}*`, 'y');
const declarationStart = new RegExp(`<\\?xml${spaces}`, 'y');
const doctypeStart = new RegExp(`<!DOCTYPE${spaces}+([^ \\t\\r\\n>[]+)`, 'iy');
const tagStart = new RegExp(`<(${nameChars})`, 'uy');
const attribute = new RegExp(`${spaces}+(${nameChars})${spaces}*=${spaces}*(?:"[^<"]*"|'[^<']*')`, 'uy');
const tagEnd = new RegExp(`${spaces}*/?>`, 'y');

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

/** The position after the next `mark`; else undefined. */
function after(mark: string, text: string, from: number): number | undefined {
  const found = text.indexOf(mark, from);
  return found === -1 ? undefined : found + mark.length;
}

/** Parts of a DOCTYPE, inside which brackets and `>` mean nothing, and their ends. */
const closers: Readonly<Record<string, string>> = { '"': '"', "'": "'", '<!--': '-->', '<?': '?>' };

/** The position after a DOCTYPE, with the declarations in its brackets. */
function doctypeEnd(text: string, from: number): number | undefined {
  const marks = /["'[\]>]|<!--|<\?/g;
  let isInBrackets = false;
  marks.lastIndex = from;
  for (let mark = marks.exec(text)?.[0]; mark !== undefined; mark = marks.exec(text)?.[0]) {
    if (mark === '>' && !isInBrackets) return marks.lastIndex;
    if (mark === '[' || mark === ']') isInBrackets = mark === '[';
    const closer = closers[mark];
    const end = closer === undefined ? marks.lastIndex : after(closer, text, marks.lastIndex);
    if (end === undefined) return undefined;
    marks.lastIndex = end;
  }
  return undefined;
}

interface Root {
  readonly name: string;
  /** Whether a declaration, a DOCTYPE or a namespace says that it is XML. */
  readonly saysXml: boolean;
}

/** The root of a whole start tag at this position. */
function rootAt(text: string, from: number): { name: string; hasNamespace: boolean } | undefined {
  const name = matchAt(tagStart, text, from)?.[1];
  if (name === undefined) return undefined;
  let at = tagStart.lastIndex;
  let hasNamespace = false;
  for (let found = matchAt(attribute, text, at); found; found = matchAt(attribute, text, at)) {
    at = attribute.lastIndex;
    hasNamespace ||= /^xmlns(?::|$)/.test(found[1] ?? '');
  }
  return matchAt(tagEnd, text, at) && { name, hasNamespace };
}

/** The root element, after a declaration, comments, instructions and DOCTYPE; undefined for HTML too. */
function rootOf(text: string): Root | undefined {
  let saysXml = false;
  for (let at: number | undefined = 0; at !== undefined;) {
    matchAt(leadingSpace, text, at);
    at = leadingSpace.lastIndex;
    if (text.startsWith('<?', at)) {
      saysXml ||= matchAt(declarationStart, text, at) !== undefined;
      at = after('?>', text, at);
    } else if (text.startsWith('<!--', at)) {
      at = after('-->', text, at + '<!--'.length);
    } else if (text.startsWith('<!', at)) {
      const documentType = matchAt(doctypeStart, text, at)?.[1];
      if (documentType === undefined || documentType.toLowerCase() === 'html') return undefined;
      saysXml = true;
      at = doctypeEnd(text, doctypeStart.lastIndex);
    } else {
      const root = rootAt(text, at);
      return root && { name: root.name, saysXml: saysXml || root.hasNamespace };
    }
  }
  return undefined;
}

// Every element of HTML, the obsolete ones too (WHATWG, HTML: index of elements; 16.2 non-conforming features).
const htmlElements: ReadonlySet<string> = new Set(
  (
    'a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body ' +
    'br button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em ' +
    'embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i ' +
    'iframe img input ins isindex kbd keygen label legend li link listing main map mark marquee menu menuitem meta ' +
    'meter multicol nav nextid nobr noembed noframes noscript object ol optgroup option output p param picture ' +
    'plaintext pre progress q rb rp rt rtc ruby s samp script search section select slot small source spacer span ' +
    'strike strong style sub summary sup table tbody td template textarea tfoot th thead time title tr track tt u ul ' +
    'var video wbr xmp'
  ).split(' '),
);

function isPage({ name, saysXml }: Root): boolean {
  return /(?:^|:)html$/i.test(name) || (!saysXml && htmlElements.has(name));
}

const byteOrderMarks = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
] as const;

/** The encoding by a byte order mark or, without one, by the zero byte of a character in UTF-16. */
function shownEncoding(bytes: Uint8Array): string | undefined {
  const marked = byteOrderMarks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
  if (marked) return marked[0];
  if (bytes[0] === 0 || bytes[1] === 0) return bytes[0] === 0 ? 'utf-16be' : 'utf-16le';
  return undefined;
}

const declaredEncoding = /^\s*<\?xml\s[^>]*?\sencoding\s*=\s*["']([^"']+)/;

/** A decoder for the declared encoding, unless it contradicts the bytes of the declaration. */
function declaredDecoder(bytes: Uint8Array) {
  const declared = declaredEncoding.exec(Buffer.from(bytes.subarray(0, 1024)).toString('latin1'))?.[1];
  const decoder = declared === undefined ? undefined : valueOf(() => new TextDecoder(declared));
  return decoder?.encoding.startsWith('utf-16') ? undefined : decoder;
}

/** True for a file that begins as XML does and is not HTML. */
export function looksLikeXml(bytes: Uint8Array): boolean {
  const shown = shownEncoding(bytes);
  const decoder = (shown === undefined ? declaredDecoder(bytes) : undefined) ?? new TextDecoder(shown);
  const root = rootOf(decoder.decode(bytes));
  return root !== undefined && !isPage(root);
}
