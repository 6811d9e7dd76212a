import { byteOrderMark } from '../../../values/encodings.js';
import { valueOf } from '../../../values/untrusted-values.js';
import { instead, mistakes, onText, type Stage } from '../ingredient.js';
import { written } from './rewrites.js';

const notAscii = /[^\0-\x7f]/gu;
const fourBytes = /[\u{10000}-\u{10ffff}]/gu;
const highBytes = Uint8Array.from({ length: 0x80 }, (_, index) => 0x80 + index);
/** Empty in a runtime without this encoding: no one could have signed in it either. */
const highCharacters = valueOf(() => new TextDecoder('windows-1258').decode(highBytes)) ?? '';
/** The bytes of windows-1258 as Latin-1, by character; tones of Vietnamese are combining marks there. */
const windows1258 = new Map(
  Array.from(highCharacters, (each, index) => [each, String.fromCharCode(0x80 + index)]),
);

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const utf32 = (text: string) =>
  Buffer.from(Uint32Array.from(Array.from(text, (each) => each.codePointAt(0) ?? 0)).buffer);
const inWindows1258 = (text: string) =>
  latin1(text.replaceAll(notAscii, (each) => windows1258.get(each) ?? '?'));
/** The characters of the bytes 80 to 9f in windows-1252, which the decoder of Node 20 takes for Latin-1. */
const high1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
const windows1252 = (text: string) =>
  written('latin1')(text).replaceAll(/[\x80-\x9f]/g, (each) => high1252.charAt(each.charCodeAt(0) - 0x80));
const utf8 = (replaced: RegExp, by: string) => (text: string) => Buffer.from(text.replaceAll(replaced, by));

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

const encodedAs = 'The signed text is encoded as %; it was sent as UTF-8.';

export const encodingStage: Stage = mistakes('body-encoding', encodedAs, onText, [
  [2, 'Latin-1, with ? for other characters', (text) => latin1(text.replaceAll(/[^\0-\xff]/gu, '?'))],
  [2, 'UTF-16LE', utf16],
  [3, 'UTF-16BE', (text) => utf16(text).swap16()],
  [3, 'UTF-16LE with a byte order mark', (text) => utf16(byteOrderMark + text)],
  [4, 'UTF-16BE with a byte order mark', (text) => utf16(byteOrderMark + text).swap16()],
  [2, 'UTF-8 twice (by Latin-1)', (text) => Buffer.from(written('latin1')(text))],
  [3, 'UTF-8 twice (by windows-1252)', (text) => Buffer.from(windows1252(text))],
  [3, 'the low byte of each UTF-16 unit', latin1],
  [4, 'windows-1258, with ? for other characters', inWindows1258],
  [4, 'windows-1258, decomposed', (text) => inWindows1258(decomposedTones(text))],
  [3, 'ASCII, with ? for other characters', utf8(notAscii, '?')],
  [4, 'ASCII, with ? for each UTF-16 unit of other characters', utf8(/[^\0-\x7f]/g, '?')],
  [3, 'ASCII, without other characters', utf8(notAscii, '')],
  [4, 'ASCII, without diacritics', (text) => Buffer.from(withoutDiacritics(text))],
  [4, 'UTF-8 without emoji and other characters of four bytes', utf8(fourBytes, '')],
  [4, 'UTF-8 with ? for emoji and other characters of four bytes', utf8(fourBytes, '?')],
  [5, 'UTF-32LE', utf32],
]);

/** The text of bytes whose characters are the bytes of its UTF-8; undefined where they are not. */
function encodedOnce(bytes: Buffer): string | undefined {
  const once = latin1(bytes.toString());
  const text = once.toString();
  return Buffer.from(text).equals(once) && Buffer.from(once.toString('latin1')).equals(bytes)
    ? text
    : undefined;
}

/** Bytes that were sent in another encoding than UTF-8, or encoded twice, and signed before that. */
export function sentEncodings(bytes: Uint8Array, isUtf8: boolean): Stage {
  const decoded = (name: string) => new TextDecoder(name).decode(bytes);
  const sentAs = 'The text was signed as UTF-8 and sent as %.';
  // The NUL bytes of UTF-16 are UTF-8 too.
  if (isUtf8 && !bytes.includes(0)) {
    return mistakes('body-encoding', sentAs, instead, [[3, 'UTF-8 twice', encodedOnce(Buffer.from(bytes))]]);
  }
  return mistakes('body-encoding', sentAs, instead, [
    [2, 'Latin-1', Buffer.from(bytes).toString('latin1')],
    [2, 'UTF-16LE', decoded('utf-16le')],
    [3, 'UTF-16BE', decoded('utf-16be')],
    [4, 'windows-1258', decoded('windows-1258')],
  ]);
}
