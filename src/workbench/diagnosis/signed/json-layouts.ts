import { unicodeEscape } from '../../../values/encodings.js';
import { words, type FixName } from '../row.js';
import type { JsonDraft, Layout } from './json-tree.js';
import { allLanguages } from './signed-texts.js';
import type { Rewrite } from './rewrites.js';

// How the languages write the same data: spacing and escapes.

const lines = (indent: string): Layout => ({ indent, colon: ': ' });
const jackson: Layout = { indent: '  ', colon: ' : ', inlineArrays: true };

const spacings: readonly (readonly [what: string, layout: Layout, by: string])[] = [
  ['without white space', {}, allLanguages],
  ['with a space after each comma and colon', { comma: ', ', colon: ': ' }, 'python'],
  ['indented by 2 spaces', lines('  '), 'python go java dotnet javascript shell'],
  ['indented by 4 spaces', lines('    '), 'php python'],
  ['indented by tabs', lines('\t'), 'go shell'],
  ['indented by 2 spaces, with " : " and arrays on one line (Jackson)', jackson, 'java'],
  ['indented by 2 spaces, with CR LF', { ...lines('  '), newline: '\r\n' }, 'dotnet'],
  ['indented by 2 spaces, with " : " (Jackson) and CR LF', { ...jackson, newline: '\r\n' }, 'java'],
];

export const layouts = spacings.map(([, layout]) => layout);

function spacingFix({ indent, comma, colon }: Layout): FixName {
  if (indent !== undefined) return 'body-pretty-printed';
  return (comma ?? colon) === undefined ? 'body-reserialised' : 'body-pretty-printed.spaces';
}

export const spacingRows = spacings.map(([what, layout, by]) => ({
  ...words(spacingFix(layout), `The signed body is written ${what}; the body that was sent is not.`),
  change: (draft: JsonDraft): JsonDraft => ({ ...draft, layout }),
  by,
}));

/** JSON without the escapes that it can do without. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(/\\(?:u([0-9a-f]{4})|(.))/gi, (escape, digits?: string, mark?: string) => {
    if (digits === undefined) return mark === '/' ? '/' : escape;
    const character = String.fromCharCode(parseInt(digits, 16));
    return /["\\\p{Cc}]/u.test(character) ? JSON.stringify(character).slice(1, -1) : character;
  });
}

/** Writes these characters, given as parts of a character class, as \u escapes with such digits. */
function escaped(lower: string, upper = ''): Rewrite {
  const isUpper = new RegExp(`[${upper}]`);
  const pattern = new RegExp(`\\\\.|[${(lower + upper).replace('"', '')}]`, 'g');
  return (text) =>
    unescaped(text).replaceAll(pattern, (found) => {
      // A quotation mark that is not escaped is JSON's own.
      const unit = found === '\\"' && upper.includes('"') ? '"' : found;
      if (unit.length > 1) return unit;
      const escape = unicodeEscape(unit);
      return isUpper.test(unit) ? `\\u${escape.slice(2).toUpperCase()}` : escape;
    });
}

const slashed =
  (escapes: Rewrite): Rewrite =>
  (text) =>
    escapes(text).replaceAll('/', '\\/');

const outside = '\u0080-\uffff';
const separators = '\u2028\u2029';
/** JSON with \u escapes for everything outside ASCII. */
export const inAscii = escaped(outside);
const phpHex = escaped(outside, '<>&\'"');
export const phpDefault = slashed(inAscii);

const escapings: readonly (readonly [what: string, escapes: Rewrite, fix: FixName, by?: string])[] = [
  ['slashes (\\/) and characters outside ASCII', phpDefault, 'body-escaped.unicode', 'php'],
  ['slashes (\\/)', slashed(unescaped), 'body-escaped.slash', 'php'],
  ['characters outside ASCII (\\u1ea1)', inAscii, 'body-escaped.unicode', 'php python shell'],
  ['characters outside ASCII in upper case (\\u1EA1)', escaped('', outside), 'body-escaped.jackson', 'java'],
  ['< > & (\\u003c)', escaped(`<>&${separators}`), 'body-escaped.html', 'go'],
  ["< > & = ' (\\u003d)", escaped(`<>&='${separators}`), 'body-escaped.html', 'java'],
  [
    'characters outside ASCII and " & \' + < > ` in upper case (\\u0022)',
    escaped('', `"&'+<>\`\u007f${outside}`),
    'body-escaped.dotnet',
    'dotnet',
  ],
  // json_encode with JSON_HEX_TAG, _AMP, _APOS and _QUOT, as Symfony has it.
  [
    '< > & \' " (JSON_HEX_…), slashes and characters outside ASCII',
    slashed(phpHex),
    'body-escaped.hex',
    'php',
  ],
];

const noEscapes = words(
  'body-escaped.unicode',
  'The signed body has no escapes (\\u1ea1, \\/) that JSON can do without; the body that was sent has.',
);

export const escapeRows = [
  { ...noEscapes, change: (draft: JsonDraft) => ({ ...draft, escapes: unescaped }), by: allLanguages },
  ...escapings.map(([what, escapes, fix, by]) => ({
    ...words(fix, `The signed body escapes ${what}; the body that was sent does not.`),
    change: (draft: JsonDraft): JsonDraft => ({ ...draft, escapes }),
    by,
  })),
];
