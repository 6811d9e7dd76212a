import { onBytes, type Draft, type Ingredient, type Rarity, type Stage } from './draft.js';

const byteOrderMark = '\uFEFF';

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
  encodedAs('UTF-8 without emoji and other characters of four bytes', 4, (text) =>
    Buffer.from(text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '')),
  ),
  encodedAs('UTF-8 with ? for emoji and other characters of four bytes', 4, (text) =>
    Buffer.from(text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?')),
  ),
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
