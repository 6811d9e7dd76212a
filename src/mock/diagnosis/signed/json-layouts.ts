import { unicodeEscape } from '../../../values/encodings.js';
import { allLanguages, rows, words, type FixName } from '../row.js';
import type { JsonDraft } from './json-draft.js';
import type { Layout } from './json-tree.js';
import { replaced, type Rewrite } from './rewrites.js';

// How the languages write the same data: spacing, slashes and escapes.

const lines = (indent: string): Layout => ({ indent, colon: ': ' });
const jackson: Layout = {
  indent: '  ',
  colon: ' : ',
  braces: ['{', '}'],
  brackets: ['[ ', ' ]'],
  inlineArrays: true,
};
const crlf = { newline: '\r\n' };

const spacings: readonly (readonly [what: string, layout: Layout, by: string])[] = [
  ['without white space', {}, allLanguages],
  ['with a space after each comma and colon', { comma: ', ', colon: ': ' }, 'python ruby'],
  ['indented by 2 spaces', lines('  '), 'python ruby go gson dotnet javascript jq'],
  ['indented by 4 spaces', lines('    '), 'php python go javascript'],
  ['indented by tabs', lines('\t'), 'go javascript jq'],
  ['indented by 2 spaces, with " : " and arrays on one line (Jackson)', jackson, 'jackson'],
  ['indented by 2 spaces, with CR LF', { ...lines('  '), ...crlf }, 'dotnet'],
  ['indented by 2 spaces, with " : " (Jackson) and CR LF', { ...jackson, ...crlf }, 'jackson'],
  ['indented by 3 spaces', lines('   '), 'python'],
  ['with a space after each colon', { colon: ': ' }, 'python ruby'],
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

const slashed = (slashes: Rewrite) => (draft: JsonDraft) => ({ ...draft, slashes });

export const slashRows = rows<JsonDraft>('body-escaped.slash', 'The signed body writes %.', [
  ['slashes as \\/, unlike the body that was sent', slashed(replaced(/(?<!\\)\//g, '\\/')), { by: 'php' }],
  ['/ where the body that was sent has \\/', slashed(replaced(/\\\//g, '/')), { by: allLanguages }],
]);

/** JSON without the escapes that it can do without; escaped slashes stay. */
function unescaped(text: string): string {
  if (!text.includes('\\u')) return text;
  return text.replaceAll(/\\(?:u([0-9a-f]{4})|[^u])/gi, (escape, digits?: string) => {
    const character = String.fromCharCode(parseInt(digits ?? '22', 16));
    if (digits === undefined) return escape;
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

const outside = '\u0080-\uffff';
const separators = '\u2028\u2029';
/** JSON with \u escapes for everything outside ASCII. */
export const inAscii = escaped(outside);

const escapings: readonly (readonly [what: string, escapes: Rewrite, by: string, fix: FixName])[] = [
  ['characters outside ASCII in lower case (\\u1ea1)', inAscii, 'php python ruby jq', 'body-escaped.unicode'],
  [
    'characters outside ASCII in upper case (\\u1EA1)',
    escaped('', outside),
    'jackson',
    'body-escaped.jackson',
  ],
  ['< > & (\\u003c)', escaped(`<>&${separators}`), 'go ruby', 'body-escaped.html'],
  ["< > & = ' (\\u003d)", escaped(`<>&='${separators}`), 'gson', 'body-escaped.html'],
  [
    'characters outside ASCII and " & \' + < > ` in upper case (\\u0022)',
    escaped('', `"&'+<>\`\u007f${outside}`),
    'dotnet',
    'body-escaped.dotnet',
  ],
  ['" & \' + < > ` (\\u0022)', escaped('', '"&\'+<>`'), 'dotnet', 'body-escaped.dotnet'],
  ['U+2028 and U+2029', escaped(separators), 'php', 'body-escaped.unicode'],
  // json_encode with JSON_HEX_TAG, _AMP, _APOS, _QUOT, and with all of them, as Symfony does.
  ...['<>', '&', "'", '"', '<>&\'"'].flatMap((marks) => {
    const what = `${Array.from(marks).join(' ')} (JSON_HEX_…)`;
    return [
      [`${what} and characters outside ASCII`, escaped(outside, marks), 'php', 'body-escaped.hex'] as const,
      [what, escaped('', marks), 'php', 'body-escaped.hex'] as const,
    ];
  }),
];

export const escapeRows = [
  ...rows<JsonDraft>('body-escaped.unicode', 'The signed body has %.', [
    [
      'no \\u escapes; the body that was sent has',
      (draft) => ({ ...draft, escapes: unescaped }),
      { by: allLanguages },
    ],
  ]),
  ...escapings.map(([what, escapes, by, fix]) => ({
    ...words(fix, `The signed body escapes ${what}; the body that was sent is written otherwise.`),
    change: (draft: JsonDraft): JsonDraft => ({ ...draft, escapes }),
    by,
  })),
];
