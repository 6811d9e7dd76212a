import fixes from '../fixes.json' with { type: 'json' };
import { unicodeEscape } from '../../../values/encodings.js';
import { onText, type Draft, type Rarity, type Stage } from '../ingredient.js';
import { replaced, type Rewrite } from './rewrites.js';

/** The characters that a library escapes in JSON, as parts of a character class. */
interface Escaping {
  /** A pattern of the slashes that are written as `\/`. */
  readonly slash?: string;
  /** Characters that are written as \u escapes with lower-case digits. */
  readonly lower?: string;
  readonly upper?: string;
}

/** Every slash; org.json escapes only those after `<`. */
const slash = '/';
const slashAfterLess = '(?<=<)/';
const outside = '\u0080-\uffff';
const dotnet = '"&\'+<>`';
/** The characters that JsonResponse of Symfony escapes. */
const symfony = '<>&\'"';

const escapings: readonly (readonly [rarity: Rarity, escaping: Escaping])[] = [
  [2, {}],
  [2, { slash, lower: outside }],
  [2, { lower: outside }],
  [2, { slash }],
  [2, { upper: dotnet + outside }],
  [2, { lower: '<>&\u2028\u2029' }],
  [3, { upper: outside }],
  [2, { lower: "<>&='\u2028\u2029" }],
  [3, { upper: dotnet }],
  [3, { lower: `<>&${outside}` }],
  [3, { lower: symfony }],
  [3, { lower: symfony + outside }],
  [3, { slash: slashAfterLess }],
  [4, { upper: outside, slash }],
  [3, { slash, lower: '\u2028\u2029' }],
  [4, { lower: '\u007f' }],
  // json_encode with JSON_HEX_TAG and the like, each with and without the unescaped flags.
  ...['<>', '&', "'", '"', symfony, "<>&'", '<>&'].flatMap((upper): (readonly [Rarity, Escaping])[] => [
    [upper === symfony ? 3 : 4, { upper, slash, lower: outside }],
    [4, { upper, slash }],
    [4, { upper, lower: outside }],
    [4, { upper }],
  ]),
];

const anyEscape = /\\(?:u([0-9a-f]{4})|[^u])/gi;

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(anyEscape, (escape, digits?: string) => {
    if (digits === undefined) return escape === '\\/' ? '/' : escape;
    const character = String.fromCharCode(parseInt(digits, 16));
    return /["\\\p{Cc}]/u.test(character) ? JSON.stringify(character).slice(1, -1) : character;
  });
}

/** JSON with \u escapes for everything outside ASCII. */
export const inAscii = replaced(/[\u0080-\uffff]/g, unicodeEscape);

/** Adds the escapes of a library to JSON that has the fewest. */
function escaper({ slash: slashes = '[]', lower = '', upper = '' }: Escaping): Rewrite {
  const isUpper = new RegExp(`[${upper}]`);
  const pattern = new RegExp(`\\\\.|[${(lower + upper).replace('"', '')}]|${slashes}`, 'g');
  return replaced(pattern, (found) => {
    // A quotation mark that is not escaped is JSON's own.
    const unit = found === '\\"' && (lower + upper).includes('"') ? '"' : found;
    if (unit.length > 1) return unit;
    if (unit === '/') return '\\/';
    const escape = unicodeEscape(unit);
    return isUpper.test(unit) ? escape.toUpperCase().replace('U', 'u') : escape;
  });
}

type Kind = 'slash' | 'lower' | 'upper' | 'digits' | 'ascii' | 'control';

function kindOf(escape: string, digits = '00'): Kind {
  const code = parseInt(digits, 16);
  if (escape === '\\/') return 'slash';
  if (code < 0x80) return code < 0x20 ? 'control' : 'ascii';
  return /[a-f]/.test(digits) ? 'lower' : /[A-F]/.test(digits) ? 'upper' : 'digits';
}

/** The escapes of a text by kind: the first of each, and all of ASCII characters. */
function kindsOf(text: string): ReadonlyMap<Kind, readonly string[]> {
  const found = new Map<Kind, string[]>();
  for (const [escape, digits] of text.matchAll(anyEscape)) {
    const kind = kindOf(escape, digits);
    const examples = found.get(kind) ?? [];
    const isNew = kind === 'ascii' ? !examples.includes(escape) : examples.length === 0;
    if (isNew) found.set(kind, [...examples, escape].sort());
  }
  return found;
}

function inWords(text: string): string {
  const kinds = kindsOf(text);
  const all = (kind: Kind, word: (escape: string) => string) => (kinds.get(kind) ?? []).map(word);
  const outside = (kind: Kind, digits = '') =>
    all(kind, (escape) => `characters outside ASCII${digits} (as in ${escape})`);
  return [
    ...all('slash', () => 'slashes (\\/)'),
    ...outside('lower', ' with lower-case digits'),
    ...outside('upper', ' with upper-case digits'),
    ...(kinds.has('lower') || kinds.has('upper') ? [] : outside('digits')),
    ...all('ascii', (escape) => `${JSON.parse(`"${escape}"`) as string} (${escape})`),
  ].join(', ');
}

function messageFor({ text: before = '' }: Draft, { text: after = '' }: Draft): string {
  const [sent, signed] = [inWords(before), inWords(after)];
  if (sent === '') return `The signed body escapes ${signed}; the body that was sent does not.`;
  if (signed === '') return `The body that was sent escapes ${sent}; the signed body does not.`;
  return `The signed body escapes ${signed}; the body that was sent escapes ${sent}.`;
}

function fixFor({ text: before = '' }: Draft, { text: after = '' }: Draft): string[] {
  const [sent, signed] = [kindsOf(before), kindsOf(after)];
  const differs = (kind: Kind) => sent.has(kind) !== signed.has(kind);
  const ascii = sent.get('ascii')?.join() !== signed.get('ascii')?.join();
  const upper = differs('upper');
  const lower = differs('lower') || (differs('digits') && !upper);
  const flags = [
    ...(lower ? ['JSON_UNESCAPED_UNICODE'] : []),
    ...(differs('slash') ? ['JSON_UNESCAPED_SLASHES'] : []),
  ];
  return [
    fixes['body-escaped'],
    ...(flags.length > 0 ? [`PHP: json_encode($order, ${flags.join(' | ')}).`] : []),
    ...(lower ? [fixes['body-escaped.python']] : []),
    ...(upper || ascii ? [fixes['body-escaped.dotnet']] : []),
    ...(upper ? [fixes['body-escaped.jackson']] : []),
    ...(ascii ? [fixes['body-escaped.html']] : []),
  ];
}

export const escapeStage: Stage = escapings.map(([rarity, escaping]) => {
  const escaped = escaper(escaping);
  const apply = onText((text) => escaped(unescaped(text)));
  return { id: 'body-escaped', rarity, isHabit: true, message: messageFor, fix: fixFor, apply };
});
