import { habits, mistakes, onText, type Stage } from '../ingredient.js';
import { before, behind, normalised, replaced, without } from './rewrites.js';

const form = 'The signed text is in the Unicode form %; the text that was sent is not.';

/** Text in another Unicode normalisation form. */
export const unicodeStage: Stage = habits(
  mistakes('unicode-normalised', form, onText, [
    [3, 'NFC', normalised('NFC')],
    [3, 'NFD', normalised('NFD')],
    [4, 'NFKC', normalised('NFKC')],
    [4, 'NFKD', normalised('NFKD')],
  ]),
  3,
);

/** White space at the ends of the text. */
export const endStage: Stage = [
  ...habits(
    mistakes('line-breaks.end', 'The signed text ends with % that was not sent.', onText, [
      [2, 'a line feed (LF)', behind('\n')],
      [3, 'CR LF', behind('\r\n')],
      [4, 'two line feeds (LF)', behind('\n\n')],
      [4, 'a NUL byte', behind('\0'), 'text-added.end'],
      [4, 'a space', behind(' '), 'text-added.end'],
    ]),
  ),
  ...mistakes('values-trimmed.end', 'The signed text has no %; the text that was sent has.', onText, [
    [2, 'white space at its ends', without(/^[ \t\r\n\f\v\0]+|[ \t\r\n\f\v\0]+$/g)],
    [3, 'line break at its end', without(/\r?\n$/g)],
  ]),
];

const mark = '\uFEFF';

/** A byte order mark that only one of the two texts has. */
export const byteOrderMarkStage: Stage = habits([
  ...mistakes('byte-order-mark', 'The signed text begins with %.', onText, [
    [2, 'a byte order mark (U+FEFF) that was not sent', before(mark)],
  ]),
  ...mistakes('byte-order-mark.sent', 'The text that was sent begins with %.', onText, [
    [2, 'a byte order mark (U+FEFF); the signed text does not', without(/^\uFEFF/g)],
  ]),
]);

const lineBreaks = mistakes('line-breaks', 'The signed text has %.', onText, [
  [2, 'CR LF where LF was sent', replaced(/\r?\n/g, '\r\n')],
  [2, 'LF where CR LF was sent', replaced('\r\n', '\n')],
  [3, 'no line breaks; the text that was sent has', without(/[\r\n]+/g)],
  [3, '\\n, a backslash and a letter, where line feeds were sent', replaced('\n', '\\n')],
  [3, 'line feeds where \\n, a backslash and a letter, was sent', replaced('\\n', '\n')],
]);

/** Line breaks inside the text. */
export const lineBreakStage: Stage = habits(lineBreaks).map((each) => ({ ...each, isLate: true }));
