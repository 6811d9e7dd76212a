import { onBytes, onText, type Draft, type Ingredient, type Stage, type Rarity } from './draft.js';
import { percentEncodings } from './percent-encodings.js';

const byteOrderMark = '\uFEFF';
const normalisedFix =
  'Normalise the text once, before it is signed and sent. PHP: Normalizer::normalize. Python: unicodedata.normalize. Java: Normalizer.normalize. .NET: text.Normalize(). Go: norm.NFC.String.';

/** Text in another Unicode normalisation form. */
export const unicodeStage: Stage<Draft> = (['NFC', 'NFD', 'NFKC', 'NFKD'] as const).map(
  (form): Ingredient<Draft> => ({
    id: 'unicode-normalised',
    rarity: form.startsWith('NFK') ? 4 : 3,
    message: `The signed text is in the Unicode form ${form}; the text that was sent is not.`,
    fix: normalisedFix,
    apply: onText((text) => text.normalize(form)),
  }),
);

const trimFix =
  'Sign exactly the bytes that are sent. PHP: no trim() of the body alone. Shell: printf %s "$body" instead of echo, and curl --data-binary instead of -d. Go: json.Encoder appends a line feed, json.Marshal does not.';

function ending(rarity: Rarity, what: string, added: string): Ingredient<Draft> {
  return {
    id: 'line-breaks',
    rarity,
    isHabit: true,
    message: `The signed text ends with ${what} that was not sent.`,
    fix: trimFix,
    apply: onText((text) => text + added),
  };
}

/** White space at the ends of the text. */
export const endStage: Stage<Draft> = [
  ending(2, 'a line feed (LF)', '\n'),
  ending(3, 'CR LF', '\r\n'),
  ending(4, 'two line feeds (LF)', '\n\n'),
  ending(4, 'a NUL byte', '\0'),
  {
    id: 'values-trimmed',
    rarity: 2,
    message: 'The signed text has no white space at its ends; the text that was sent has.',
    fix: trimFix,
    apply: onText((text) => text.replace(/^[ \t\r\n\f\v\0]+/, '').replace(/[ \t\r\n\f\v\0]+$/, '')),
  },
  {
    id: 'values-trimmed',
    rarity: 3,
    message: 'The signed text has no line break at its end; the text that was sent has.',
    fix: trimFix,
    apply: onText((text) => text.replace(/\r?\n$/, '')),
  },
  {
    id: 'line-breaks',
    rarity: 4,
    message: 'The signed text ends with a space that was not sent.',
    fix: trimFix,
    apply: onText((text) => `${text} `),
  },
];

/** A byte order mark that only one of the two texts has. */
export const byteOrderMarkStage: Stage<Draft> = [
  {
    id: 'byte-order-mark',
    rarity: 3,
    message: 'The signed text begins with a byte order mark (U+FEFF) that was not sent.',
    fix: 'Sign without the byte order mark. .NET: new UTF8Encoding(false). Windows: save files as UTF-8 without BOM.',
    apply: onText((text) => (text.startsWith(byteOrderMark) ? undefined : byteOrderMark + text)),
  },
  {
    id: 'byte-order-mark',
    rarity: 2,
    message: 'The text that was sent begins with a byte order mark (U+FEFF); the signed text does not.',
    fix: 'Send without the byte order mark. .NET: new UTF8Encoding(false). Python: read with utf-8-sig. Windows: save files as UTF-8 without BOM.',
    apply: onText((text) => (text.startsWith(byteOrderMark) ? text.slice(1) : undefined)),
  },
];

const lineBreaksFix = 'Sign and send the same line breaks: a line feed must stay a line feed.';

function lineBreaks(rarity: Rarity, message: string, change: (text: string) => string): Ingredient<Draft> {
  return {
    id: 'line-breaks',
    rarity,
    message,
    fix: lineBreaksFix,
    apply: onText(change),
    isHabit: true,
    isLate: true,
  };
}

/** Line breaks inside the text. */
export const lineBreakStage: Stage<Draft> = [
  lineBreaks(2, 'The signed text has CR LF where LF was sent.', (text) => text.replaceAll(/\r?\n/g, '\r\n')),
  lineBreaks(2, 'The signed text has LF where CR LF was sent.', (text) => text.replaceAll('\r\n', '\n')),
  lineBreaks(4, 'The signed text has no line breaks; the text that was sent has.', (text) =>
    text.replaceAll(/[\r\n]+/g, ''),
  ),
  lineBreaks(3, 'The signed text has \\n, a backslash and a letter, where line feeds were sent.', (text) =>
    text.replaceAll('\n', '\\n'),
  ),
  lineBreaks(3, 'The signed text has line feeds where \\n, a backslash and a letter, was sent.', (text) =>
    text.replaceAll('\\n', '\n'),
  ),
];

const urlFix = 'Sign the text as it is sent, without urlencode, quote or encodeURIComponent.';

/** The whole text encoded for a URL or a page. */
export const escapedTextStage: Stage<Draft> = [
  ...percentEncodings.map(({ name, encode }, index): Ingredient<Draft> => ({
    id: 'url-encoded',
    rarity: index < 3 ? 3 : 4,
    message: `The signed text is ${name} as a whole; it was not sent so.`,
    fix: urlFix,
    apply: onText(encode),
  })),
  {
    id: 'url-encoded',
    rarity: 4,
    message: 'The signed text was percent-decoded; it was sent encoded.',
    fix: 'Sign the text as it is sent, without urldecode.',
    apply: onText(percentDecoded),
  },
  htmlEscaped('&amp; &lt; &gt;', 4, { '&': '&amp;', '<': '&lt;', '>': '&gt;' }),
  htmlEscaped('&amp; &lt; &gt; &quot;', 3, { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }),
  htmlEscaped('&amp; &lt; &gt; &quot; &#039;', 3, {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#039;',
  }),
  htmlEscaped('&amp; &lt; &gt; &quot; &#39;', 4, {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }),
  htmlEscaped('&amp; &lt; &gt; &quot; &#x27;', 4, {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#x27;',
  }),
  {
    id: 'body-escaped',
    rarity: 4,
    message:
      'The signed text has a backslash before each quotation mark, apostrophe and backslash (addslashes).',
    fix: 'Sign the text as it is sent, without addslashes.',
    apply: onText((text) => text.replaceAll(/["'\\]/g, '\\$&')),
  },
  {
    id: 'body-escaped',
    rarity: 4,
    message: 'The signed text has no backslashes (stripslashes); the text that was sent has.',
    fix: 'Sign the text as it is sent, without stripslashes.',
    apply: onText((text) => text.replaceAll(/\\(.?)/g, '$1')),
  },
  {
    id: 'body-escaped',
    rarity: 3,
    message: 'The signed text has no quotation marks (a shell removed them); the text that was sent has.',
    fix: 'Shell: put the body in single quotes, or read it from a file: openssl dgst -sha256 -hmac "$SECRET" < body.json.',
    apply: onText((text) => text.replaceAll('"', '')),
  },
  ...(['lower', 'upper'] as const).map((letters): Ingredient<Draft> => ({
    id: 'body-encoded',
    rarity: 4,
    message: `The whole signed text is in ${letters} case; it was not sent so.`,
    fix: 'Sign the text as it is sent. Only the hex digits of the signature are in lower case.',
    apply: onText((text) => (letters === 'lower' ? text.toLowerCase() : text.toUpperCase())),
  })),
  {
    id: 'values-trimmed',
    rarity: 4,
    message: 'The signed text has no white space at all, not even inside its values.',
    fix: 'Sign exactly the text that is sent.',
    apply: onText((text) => text.replaceAll(/\s+/g, '')),
  },
  {
    id: 'values-trimmed',
    rarity: 4,
    message: 'The signed text has no spaces at all, not even inside its values.',
    fix: 'Sign exactly the text that is sent.',
    apply: onText((text) => text.replaceAll(' ', '')),
  },
];

function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function htmlEscaped(
  names: string,
  rarity: Rarity,
  entities: Readonly<Record<string, string>>,
): Ingredient<Draft> {
  return {
    id: 'html-escaped',
    rarity,
    message: `The signed text is escaped for HTML (${names}); it was not sent so.`,
    fix: 'Sign the text as it is sent, without htmlspecialchars, html.escape or HtmlEncode.',
    apply: onText((text) => text.replaceAll(/["'&<>]/g, (found) => entities[found] ?? found)),
  };
}

/** A character for each byte of windows-1258 from 0x80 on; tones of Vietnamese are combining marks there. */
function highCharacters(): string {
  try {
    const bytes = Uint8Array.from({ length: 0x80 }, (_, index) => 0x80 + index);
    return new TextDecoder('windows-1258').decode(bytes);
  } catch {
    // A runtime without this encoding: no one could have signed in it either.
    return '';
  }
}

const windows1258 = new Map(
  Array.from(highCharacters(), (character, index) => [character, String.fromCharCode(0x80 + index)]),
);

/** The bytes of a text in windows-1258, with `?` for what it does not have. */
function inWindows1258(text: string): Buffer {
  return Buffer.from(
    text.replaceAll(/[^\0-\x7f]/gu, (character) => windows1258.get(character) ?? '?'),
    'latin1',
  );
}

/** The bytes of a text in Latin-1, with `?` for what it does not have. */
function inLatin1(text: string): Buffer {
  return Buffer.from(text.replaceAll(/[^\0-\xff]/gu, '?'), 'latin1');
}

function inAscii(text: string): Buffer {
  return Buffer.from(text.replaceAll(/[^\0-\x7f]/gu, '?'));
}

function bigEndian(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

const encodingFix =
  'Sign and send UTF-8. Java: text.getBytes(StandardCharsets.UTF_8). .NET: new UTF8Encoding(false).GetBytes(text). Python: text.encode("utf-8"). PHP: no utf8_decode or utf8_encode. JavaScript: Buffer.from(text, "utf8").';

function encodedAs(
  name: string,
  rarity: Rarity,
  encode: (text: string) => Uint8Array | undefined,
): Ingredient<Draft> {
  return {
    id: 'body-encoding',
    rarity,
    message: `The signed text is encoded as ${name}; it was sent as UTF-8.`,
    fix: encodingFix,
    apply: onBytes(encode),
  };
}

/** The text in other bytes than its UTF-8. */
export const encodingStage: Stage<Draft> = [
  encodedAs('Latin-1, with ? for other characters', 2, inLatin1),
  encodedAs('UTF-16LE', 2, (text) => Buffer.from(text, 'utf16le')),
  encodedAs('UTF-16BE', 3, bigEndian),
  encodedAs('UTF-16LE with a byte order mark', 3, (text) => Buffer.from(byteOrderMark + text, 'utf16le')),
  encodedAs('UTF-16BE with a byte order mark', 4, (text) => bigEndian(byteOrderMark + text)),
  encodedAs('UTF-8 twice (each byte taken as a Latin-1 character)', 2, (text) =>
    Buffer.from(Buffer.from(text).toString('latin1')),
  ),
  encodedAs('UTF-8 twice (each byte taken as a windows-1252 character)', 3, (text) =>
    Buffer.from(new TextDecoder('windows-1252').decode(Buffer.from(text))),
  ),
  encodedAs('the low byte of each UTF-16 unit', 3, (text) => Buffer.from(text, 'latin1')),
  encodedAs('windows-1258, with ? for other characters', 4, inWindows1258),
  encodedAs('windows-1258, decomposed', 4, (text) => inWindows1258(decomposedTones(text))),
  encodedAs('ASCII, with ? for other characters', 3, inAscii),
  encodedAs('ASCII, with ? for each UTF-16 unit of other characters', 4, (text) =>
    Buffer.from(text.replaceAll(/[^\0-\x7f]/g, '?')),
  ),
  encodedAs('ASCII, without other characters', 3, (text) => Buffer.from(text.replaceAll(/[^\0-\x7f]/g, ''))),
  encodedAs('ASCII, without diacritics', 4, (text) => Buffer.from(withoutDiacritics(text))),
  encodedAs('UTF-32LE', 5, (text) =>
    Buffer.from(Uint32Array.from(Array.from(text, (character) => character.codePointAt(0) ?? 0)).buffer),
  ),
];

/** Vietnamese tones split off, as windows-1258 has them; other diacritics stay composed. */
function decomposedTones(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/([^\p{M}])([\u0302\u0306\u031b\u0323]*)/gu, (_all, letter: string, marks: string) => {
      // The dot below is a tone, though it sorts before the other marks.
      const tones = marks.replaceAll(/[^\u0323]/g, '');
      return (letter + marks.replaceAll('\u0323', '')).normalize('NFC') + tones;
    });
}

function withoutDiacritics(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('đ', 'd').replaceAll('Đ', 'D');
}

/** Bytes that were sent in another encoding than UTF-8, or encoded twice, and signed before that. */
export function sentEncodingStage(bytes: Uint8Array, isUtf8: boolean): Stage<Draft> {
  const sentAs = (name: string, rarity: Rarity, decode: () => string | undefined): Ingredient<Draft> => ({
    id: 'body-encoding',
    rarity,
    message: `The text was signed as UTF-8 and sent as ${name}.`,
    fix: encodingFix,
    apply: () => {
      const text = decode();
      return text === undefined ? undefined : { text };
    },
  });
  const decodedAs = (encoding: string) => () => new TextDecoder(encoding).decode(bytes);
  const twice = sentAs('UTF-8 twice', 3, () => encodedOnce(Buffer.from(bytes)));
  // The NUL bytes of UTF-16 are UTF-8 too.
  if (isUtf8 && !bytes.includes(0)) return [twice];
  return [
    sentAs('Latin-1', 2, () => Buffer.from(bytes).toString('latin1')),
    sentAs('UTF-16LE', 2, decodedAs('utf-16le')),
    sentAs('UTF-16BE', 3, decodedAs('utf-16be')),
    sentAs('windows-1258', 4, decodedAs('windows-1258')),
  ];
}

/** The text of bytes whose characters are the bytes of its UTF-8; undefined where they are not. */
function encodedOnce(bytes: Buffer): string | undefined {
  const once = Buffer.from(bytes.toString(), 'latin1');
  const text = once.toString();
  return Buffer.from(text).equals(once) && Buffer.from(once.toString('latin1')).equals(bytes)
    ? text
    : undefined;
}
