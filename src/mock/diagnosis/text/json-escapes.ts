import fixes from '../fixes.json' with { type: 'json' };
import { onText, type Draft, type Ingredient, type Rarity, type Stage } from '../ingredient.js';

type Digits = 'lower' | 'upper';

/** Which characters a library escapes in JSON, and how it writes the escapes. */
interface Escaping {
  /** Writes `/` as `\/`; `after<` only in `</`, as org.json does. */
  readonly slash?: 'all' | 'after<';
  /** Digits of \u escapes of what is not ASCII; undefined where it stays. */
  readonly unicode?: Digits;
  /** ASCII characters that are written as \u escapes. */
  readonly markup?: string;
  /** Digits of the escapes of `markup`. */
  readonly digits?: Digits;
}

const dotnet = '"&\'+<>`';
/** The characters that JsonResponse of Symfony escapes. */
const symfony = '<>&\'"';

const escapings: readonly (readonly [rarity: Rarity, escaping: Escaping])[] = [
  [2, {}],
  [2, { slash: 'all', unicode: 'lower' }],
  [2, { unicode: 'lower' }],
  [2, { slash: 'all' }],
  [2, { unicode: 'upper', markup: dotnet, digits: 'upper' }],
  [2, { markup: '<>&\u2028\u2029' }],
  [3, { unicode: 'upper' }],
  [2, { markup: "<>&='\u2028\u2029" }],
  [3, { markup: dotnet, digits: 'upper' }],
  [3, { unicode: 'lower', markup: '<>&' }],
  [3, { markup: symfony }],
  [3, { unicode: 'lower', markup: symfony }],
  [3, { slash: 'after<' }],
  [4, { unicode: 'upper', slash: 'all' }],
  [3, { slash: 'all', markup: '\u2028\u2029' }],
  [4, { markup: '\u007f' }],
  // json_encode with JSON_HEX_TAG and the like, each with and without the unescaped flags.
  ...['<>', '&', "'", '"', symfony, "<>&'", '<>&'].flatMap((markup): (readonly [Rarity, Escaping])[] => [
    [markup === symfony ? 3 : 4, { markup, digits: 'upper', slash: 'all', unicode: 'lower' }],
    [4, { markup, digits: 'upper', slash: 'all' }],
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

/** A \u escape of one UTF-16 unit. */
function unicodeEscape(unit: string, digits: Digits): string {
  const hex = unit.charCodeAt(0).toString(16).padStart(4, '0');
  return `\\u${digits === 'upper' ? hex.toUpperCase() : hex}`;
}

/** JSON with \u escapes for everything outside ASCII. */
export function inAscii(json: string): string {
  return json.replaceAll(/[\u0080-\uffff]/g, (unit) => unicodeEscape(unit, 'lower'));
}

/** Writes JSON that has the fewest escapes with those of a library. */
function escaper({ slash, unicode, markup = '', digits = 'lower' }: Escaping): (text: string) => string {
  const isQuoted = markup.includes('"');
  const slashes = slash === 'all' ? '/' : '';
  const characters = markup.replace('"', '') + slashes + (unicode === undefined ? '' : '\\u0080-\\uffff');
  const escape = (found: string): string => {
    // A quotation mark that is not escaped is JSON's own.
    if (found === '\\"') return isQuoted ? unicodeEscape('"', digits) : found;
    if (found.length > 1) return found;
    if (found === '/') return '\\/';
    return unicodeEscape(found, found > '\u007f' && unicode !== undefined ? unicode : digits);
  };
  if (characters === '' && !isQuoted) {
    return slash === undefined ? (text) => text : (text) => text.replaceAll('</', '<\\/');
  }
  const pattern = new RegExp(`\\\\.|[${characters}]`, 'g');
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
  const outside = (kind: Kind, digits: string) =>
    (kinds.get(kind) ?? []).map((escape) => `characters outside ASCII${digits} (as in ${escape})`);
  return [
    ...(kinds.has('slash') ? ['slashes (\\/)'] : []),
    ...outside('lower', ' with lower-case digits'),
    ...outside('upper', ' with upper-case digits'),
    ...(kinds.has('lower') || kinds.has('upper') ? [] : outside('digits', '')),
    ...[...(kinds.get('ascii') ?? [])]
      .sort()
      .map((escape) => `${JSON.parse(`"${escape}"`) as string} (${escape})`),
  ].join(', ');
}

function messageFor(before: string, after: string): string {
  const [sent, signed] = [inWords(before), inWords(after)];
  if (sent === '') return `The signed body escapes ${signed}; the body that was sent does not.`;
  if (signed === '') return `The body that was sent escapes ${sent}; the signed body does not.`;
  return `The signed body escapes ${signed}; the body that was sent escapes ${sent}.`;
}

function fixFor(before: string, after: string): string[] {
  const [sent, signed] = [kindsOf(before), kindsOf(after)];
  const differs = (kind: Kind) => sent.has(kind) !== signed.has(kind);
  const upper = differs('upper');
  const lower = differs('lower') || (differs('digits') && !upper);
  const ascii = sent.get('ascii')?.toSorted().join() !== signed.get('ascii')?.toSorted().join();
  const flags = [lower && 'JSON_UNESCAPED_UNICODE', differs('slash') && 'JSON_UNESCAPED_SLASHES'].filter(
    Boolean,
  );
  const advice: readonly (readonly [applies: boolean, fix: string])[] = [
    [true, fixes['body-escaped']],
    [flags.length > 0, `PHP: json_encode($order, ${flags.join(' | ')}).`],
    [lower, fixes['body-escaped.python']],
    [upper || ascii, fixes['body-escaped.dotnet']],
    [upper, fixes['body-escaped.jackson']],
    [ascii, fixes['body-escaped.html']],
  ];
  return advice.flatMap(([applies, fix]) => (applies ? [fix] : []));
}

/** The body with other escapes than were sent. */
export const escapeStage: Stage<Draft> = escapings.map(([rarity, escaping]): Ingredient<Draft> => {
  const escaped = escaper(escaping);
  return {
    id: 'body-escaped',
    rarity,
    isHabit: true,
    message: ({ text: before = '' }, { text: after = '' }) => messageFor(before, after),
    fix: ({ text: before = '' }, { text: after = '' }) => fixFor(before, after),
    apply: onText((text) => escaped(unescaped(text))),
  };
});
