import { onText, type Draft, type Ingredient, type Stage, type Rarity } from './draft.js';

const byteOrderMark = '\uFEFF';
const normalisedFix =
  'Normalise the text once, before it is signed and sent. PHP: Normalizer::normalize. Python: unicodedata.normalize. Java: Normalizer.normalize. .NET: text.Normalize(). Go: norm.NFC.String.';

/** Text in another Unicode normalisation form. */
export const unicodeStage: Stage<Draft> = (['NFC', 'NFD', 'NFKC', 'NFKD'] as const).map(
  (form): Ingredient<Draft> => ({
    id: 'unicode-normalised',
    rarity: form.startsWith('NFK') ? 4 : 3,
    isHabit: !form.startsWith('NFK'),
    message: `The signed text is in the Unicode form ${form}; the text that was sent is not.`,
    fix: normalisedFix,
    apply: onText((text) => text.normalize(form)),
  }),
);

const trimFix =
  'Sign exactly the bytes that are sent. PHP: no trim() of the body alone. Shell: printf %s "$body" instead of echo, and curl --data-binary instead of -d. Go: json.Encoder appends a line feed, json.Marshal does not.';

function ending(rarity: Rarity, what: string, added: string): Ingredient<Draft> {
  return {
    id: added.trim() === '' && added !== ' ' ? 'line-breaks' : 'text-added',
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
  ending(4, 'a space', ' '),
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
];

/** A byte order mark that only one of the two texts has. */
export const byteOrderMarkStage: Stage<Draft> = [
  {
    id: 'byte-order-mark',
    isHabit: true,
    rarity: 2,
    message: 'The signed text begins with a byte order mark (U+FEFF) that was not sent.',
    fix: 'Sign without the byte order mark. .NET: new UTF8Encoding(false). Windows: save files as UTF-8 without BOM.',
    apply: onText((text) => (text.startsWith(byteOrderMark) ? undefined : byteOrderMark + text)),
  },
  {
    id: 'byte-order-mark',
    isHabit: true,
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
  lineBreaks(3, 'The signed text has no line breaks; the text that was sent has.', (text) =>
    text.replaceAll(/[\r\n]+/g, ''),
  ),
  lineBreaks(3, 'The signed text has \\n, a backslash and a letter, where line feeds were sent.', (text) =>
    text.replaceAll('\n', '\\n'),
  ),
  lineBreaks(3, 'The signed text has line feeds where \\n, a backslash and a letter, was sent.', (text) =>
    text.replaceAll('\\n', '\n'),
  ),
];
