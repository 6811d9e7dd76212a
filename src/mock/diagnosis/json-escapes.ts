import { advice } from './advice.js';
import { onText, type Draft, type Ingredient, type Stage, type Rarity } from './draft.js';

/** Which characters a library escapes in JSON, and how it writes the escapes. */
interface Escaping {
  readonly rarity: Rarity;
  /** Writes `/` as `\/`; `after<` only in `</`, as org.json does. */
  readonly slash?: 'all' | 'after<';
  /** Digits of \u escapes of what is not ASCII; undefined where it stays. */
  readonly unicode?: 'lower' | 'upper';
  /** ASCII characters that are written as \u escapes. */
  readonly markup?: string;
  /** Digits of the escapes of `markup`. */
  readonly digits?: 'lower' | 'upper';
}

const dotnet = '"&\'+<>`';
/** What JsonResponse of Symfony escapes. */
const symfony = '<>&\'"';
const phpHex = ['<>', '&', "'", '"', symfony, "<>&'", '<>&'];

const escapings: readonly Escaping[] = [
  { rarity: 2 },
  { rarity: 2, slash: 'all', unicode: 'lower' },
  { rarity: 2, unicode: 'lower' },
  { rarity: 2, slash: 'all' },
  { rarity: 2, unicode: 'upper', markup: dotnet, digits: 'upper' },
  { rarity: 2, markup: '<>&\u2028\u2029' },
  { rarity: 3, unicode: 'upper' },
  { rarity: 2, markup: "<>&='\u2028\u2029" },
  { rarity: 3, markup: dotnet, digits: 'upper' },
  { rarity: 3, unicode: 'lower', markup: '<>&' },
  { rarity: 3, markup: '<>&\'"' },
  { rarity: 3, unicode: 'lower', markup: '<>&\'"' },
  { rarity: 3, slash: 'after<' },
  { rarity: 4, unicode: 'upper', slash: 'all' },
  { rarity: 3, slash: 'all', markup: '\u2028\u2029' },
  { rarity: 4, markup: '\u007f' },
  // json_encode with JSON_HEX_TAG and the like, each with and without the unescaped flags.
  ...phpHex.flatMap((markup): Escaping[] => [
    { rarity: markup === symfony ? 3 : 4, markup, digits: 'upper', slash: 'all', unicode: 'lower' },
    { rarity: 4, markup, digits: 'upper', slash: 'all' },
    { rarity: 4, markup, digits: 'upper', unicode: 'lower' },
    { rarity: 4, markup, digits: 'upper' },
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

function unicodeEscape(character: string, digits: 'lower' | 'upper'): string {
  const hex = character.charCodeAt(0).toString(16).padStart(4, '0');
  return `\\u${digits === 'upper' ? hex.toUpperCase() : hex}`;
}

/** Writes JSON that has the fewest escapes with those of a library. */
function escaper({ slash, unicode, markup = '', digits = 'lower' }: Escaping): (text: string) => string {
  const isQuoted = markup.includes('"');
  const characters = [
    markup.replace('"', ''),
    slash === 'all' ? '/' : '',
    unicode === undefined ? '' : '\\u0080-\\uffff',
  ].join('');
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

/** The escapes of a text by kind, each with its first example; those of ASCII characters are all listed. */
interface Kinds {
  readonly slash?: string;
  readonly lower?: string;
  readonly upper?: string;
  /** Outside ASCII, with digits alone. */
  readonly either?: string;
  readonly ascii: readonly string[];
}

function kindsOf(text: string): Kinds {
  const examples = new Map<string, string>();
  const ascii = new Set<string>();
  for (const [escape, digits] of text.matchAll(anyEscape)) {
    const code = digits === undefined ? 0 : parseInt(digits, 16);
    if (escape === '\\/') examples.set('slash', escape);
    else if (code >= 0x80) {
      const kind = /[a-f]/.test(escape.slice(2)) ? 'lower' : /[A-F]/.test(escape) ? 'upper' : 'either';
      if (!examples.has(kind)) examples.set(kind, escape);
    } else if (code >= 0x20) ascii.add(escape);
  }
  return { ...Object.fromEntries(examples), ascii: [...ascii].sort() };
}

function inWords({ slash, lower, upper, either, ascii }: Kinds): string {
  const outside = (digits: string, example: string) => `characters outside ASCII${digits} (as in ${example})`;
  return [
    ...(slash === undefined ? [] : ['slashes (\\/)']),
    ...(lower === undefined ? [] : [outside(' with lower-case digits', lower)]),
    ...(upper === undefined ? [] : [outside(' with upper-case digits', upper)]),
    ...(either === undefined || lower !== undefined || upper !== undefined ? [] : [outside('', either)]),
    ...ascii.map((escape) => `${JSON.parse(`"${escape}"`) as string} (${escape})`),
  ].join(', ');
}

function messageFor(before: string, after: string): string {
  const [sent, signed] = [inWords(kindsOf(before)), inWords(kindsOf(after))];
  if (sent === '') return `The signed body escapes ${signed}; the body that was sent does not.`;
  if (signed === '') return `The body that was sent escapes ${sent}; the signed body does not.`;
  return `The signed body escapes ${signed}; the body that was sent escapes ${sent}.`;
}

function fixFor(before: string, after: string): string[] {
  const [sent, signed] = [kindsOf(before), kindsOf(after)];
  const differs = (kind: 'slash' | 'lower' | 'upper' | 'either') =>
    (sent[kind] === undefined) !== (signed[kind] === undefined);
  const upper = differs('upper');
  const lower = differs('lower') || (differs('either') && !upper);
  const ascii = sent.ascii.join() !== signed.ascii.join();
  const flags = [
    ...(lower ? ['JSON_UNESCAPED_UNICODE'] : []),
    ...(differs('slash') ? ['JSON_UNESCAPED_SLASHES'] : []),
  ];
  return [
    advice.signOnce,
    ...(flags.length > 0 ? [`PHP: json_encode($order, ${flags.join(' | ')}).`] : []),
    ...(lower ? ["Python: json.dumps(order, separators=(',', ':'), ensure_ascii=False)."] : []),
    ...(upper || ascii ? [advice.dotnetEscapes] : []),
    ...(upper ? ['Java (Jackson): without ESCAPE_NON_ASCII.'] : []),
    ...(ascii ? [advice.htmlEscapes] : []),
  ];
}

/** The body with other escapes than were sent. */
export const escapeStage: Stage<Draft> = escapings.map((escaping): Ingredient<Draft> => {
  const escaped = escaper(escaping);
  return {
    id: 'body-escaped',
    rarity: escaping.rarity,
    isHabit: true,
    message: ({ text: before = '' }, { text: after = '' }) => messageFor(before, after),
    fix: ({ text: before = '' }, { text: after = '' }) => fixFor(before, after),
    apply: onText((text) => escaped(unescaped(text))),
  };
});
