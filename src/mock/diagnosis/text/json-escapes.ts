import fixes from '../fixes.json' with { type: 'json' };
import { unicodeEscape } from '../../../protocol/encodings.js';
import { onText, type Draft, type Ingredient, type Rarity, type Stage } from '../ingredient.js';
import type { Rewrite } from './rewrites.js';

type Digits = 'lower' | 'upper';

/** Which characters a library escapes in JSON, and how it writes the escapes. */
interface Escaping {
  /** A pattern of the slashes that are written as `\/`. */
  readonly slash?: string;
  /** Digits of \u escapes outside ASCII; undefined where those characters are not escaped. */
  readonly unicode?: Digits;
  /** ASCII characters that are written as \u escapes. */
  readonly markup?: string;
  /** Digits of the escapes of `markup`. */
  readonly digits?: Digits;
}

/** Every slash; org.json escapes only those after `<`. */
const slash = '/';
const slashAfterLess = '(?<=<)/';
const dotnet = '"&\'+<>`';
/** The characters that JsonResponse of Symfony escapes. */
const symfony = '<>&\'"';

const escapings: readonly (readonly [rarity: Rarity, escaping: Escaping])[] = [
  [2, {}],
  [2, { slash, unicode: 'lower' }],
  [2, { unicode: 'lower' }],
  [2, { slash }],
  [2, { unicode: 'upper', markup: dotnet, digits: 'upper' }],
  [2, { markup: '<>&\u2028\u2029' }],
  [3, { unicode: 'upper' }],
  [2, { markup: "<>&='\u2028\u2029" }],
  [3, { markup: dotnet, digits: 'upper' }],
  [3, { unicode: 'lower', markup: '<>&' }],
  [3, { markup: symfony }],
  [3, { unicode: 'lower', markup: symfony }],
  [3, { slash: slashAfterLess }],
  [4, { unicode: 'upper', slash }],
  [3, { slash, markup: '\u2028\u2029' }],
  [4, { markup: '\u007f' }],
  // json_encode with JSON_HEX_TAG and the like, each with and without the unescaped flags.
  ...['<>', '&', "'", '"', symfony, "<>&'", '<>&'].flatMap((markup): (readonly [Rarity, Escaping])[] => [
    [markup === symfony ? 3 : 4, { markup, digits: 'upper', slash, unicode: 'lower' }],
    [4, { markup, digits: 'upper', slash }],
    [4, { markup, digits: 'upper', unicode: 'lower' }],
    [4, { markup, digits: 'upper' }],
  ]),
];

const anyEscape = /\\(?:u([0-9a-f]{4})|[^u])/gi;

/** The same JSON with the fewest escapes. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(anyEscape, (escape, digits?: string) => {
    if (digits === undefined) return escape === '\\/' ? '/' : escape;
    const character = String.fromCharCode(parseInt(digits, 16));
    return /["\\\p{Cc}]/u.test(character) ? JSON.stringify(character).slice(1, -1) : character;
  });
}

function unitEscape(unit: string, digits: Digits): string {
  const escape = unicodeEscape(unit);
  return digits === 'upper' ? escape.toUpperCase().replace('U', 'u') : escape;
}

/** JSON with \u escapes for everything outside ASCII. */
export function inAscii(json: string): string {
  return json.replaceAll(/[\u0080-\uffff]/g, unicodeEscape);
}

/** Adds the escapes of a library to JSON that has the fewest. */
function escaper({ slash: slashes = '[]', unicode, markup = '', digits = 'lower' }: Escaping): Rewrite {
  const outside = unicode === undefined ? '' : '\\u0080-\\uffff';
  const pattern = new RegExp(`\\\\.|[${markup.replace('"', '')}${outside}]|${slashes}`, 'g');
  const escape = (found: string): string => {
    // A quotation mark that is not escaped is JSON's own.
    if (found === '\\"' && markup.includes('"')) return unitEscape('"', digits);
    if (found.length > 1) return found;
    if (found === '/') return '\\/';
    return unitEscape(found, found > '\u007f' && unicode !== undefined ? unicode : digits);
  };
  return (text) => text.replaceAll(pattern, escape);
}

type Kind = 'slash' | 'lower' | 'upper' | 'digits' | 'ascii';

/** The escapes of a text by kind: the first of each, and all of ASCII characters. */
function kindsOf(text: string): ReadonlyMap<Kind, readonly string[]> {
  const found = new Map<Kind, string[]>();
  for (const [escape, digits = '00'] of text.matchAll(anyEscape)) {
    const code = parseInt(digits, 16);
    const letters = /[a-f]/.test(digits) ? 'lower' : /[A-F]/.test(digits) ? 'upper' : 'digits';
    const kind = escape === '\\/' ? 'slash' : code >= 0x80 ? letters : 'ascii';
    const examples = found.get(kind) ?? [];
    const isNew = kind === 'ascii' ? code >= 0x20 && !examples.includes(escape) : examples.length === 0;
    if (isNew) found.set(kind, [...examples, escape]);
  }
  return found;
}

function inWords(text: string): string {
  const kinds = kindsOf(text);
  const all = (kind: Kind, word: (escape: string) => string) => (kinds.get(kind) ?? []).toSorted().map(word);
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
  const ascii = sent.get('ascii')?.toSorted().join() !== signed.get('ascii')?.toSorted().join();
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

/** The body with other escapes than were sent. */
export const escapeStage: Stage = escapings.map(([rarity, escaping]): Ingredient<Draft> => {
  const escaped = escaper(escaping);
  return {
    id: 'body-escaped',
    rarity,
    isHabit: true,
    message: messageFor,
    fix: fixFor,
    apply: onText((text) => escaped(unescaped(text))),
  };
});
