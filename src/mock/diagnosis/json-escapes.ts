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
const phpHex = ['<>', '&', "'", '"', '<>&\'"', "<>&'", '<>&'];

const escapings: readonly Escaping[] = [
  { rarity: 2 },
  { rarity: 2, slash: 'all', unicode: 'lower' },
  { rarity: 2, unicode: 'lower' },
  { rarity: 2, slash: 'all' },
  { rarity: 2, unicode: 'upper', markup: dotnet, digits: 'upper' },
  { rarity: 2, markup: '<>&\u2028\u2029' },
  { rarity: 3, unicode: 'upper' },
  { rarity: 3, markup: "<>&='\u2028\u2029" },
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
    { rarity: 3, markup, digits: 'upper', slash: 'all', unicode: 'lower' },
    { rarity: 3, markup, digits: 'upper', slash: 'all' },
    { rarity: 3, markup, digits: 'upper', unicode: 'lower' },
    { rarity: 3, markup, digits: 'upper' },
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

function escapedBy({ slash, unicode, markup = '', digits = 'lower' }: Escaping, text: string): string {
  const isQuoted = markup.includes('"');
  const characters = `${markup.replace('"', '')}${slash === 'all' ? '/' : ''}${unicode === undefined ? '' : '\\u0080-\\uffff'}`;
  const known = new Map<string, string>();
  const escape = (found: string): string => {
    if (found === '\\"') return isQuoted ? unicodeEscape('"', digits) : found;
    if (found.length > 1) return found;
    if (found === '/') return '\\/';
    return unicodeEscape(found, found > '\u007f' && unicode !== undefined ? unicode : digits);
  };
  const written = (found: string) => {
    const before = known.get(found);
    if (before !== undefined) return before;
    const escaped = escape(found);
    known.set(found, escaped);
    return escaped;
  };
  // A quotation mark that is not escaped is JSON's own.
  const all =
    characters === '' && !isQuoted
      ? text
      : text.replaceAll(new RegExp(`\\\\.|[${characters}]`, 'g'), written);
  return slash === 'after<' ? all.replaceAll('</', '<\\/') : all;
}

interface Kinds {
  readonly slashes: boolean;
  readonly lower: boolean;
  readonly upper: boolean;
  /** Characters outside ASCII whose escape has no letter. */
  readonly either: boolean;
  readonly markup: string;
}

/** Which escapes a text has, by kind. */
function kindsOf(text: string): Kinds {
  const kinds = { slashes: false, lower: false, upper: false, either: false };
  const markup = new Set<string>();
  for (const [escape, digits] of text.matchAll(anyEscape)) {
    if (escape === '\\/') kinds.slashes = true;
    if (digits === undefined) continue;
    const code = parseInt(digits, 16);
    if (code >= 0x20 && code < 0x80) markup.add(String.fromCharCode(code));
    else if (code >= 0x80)
      kinds[/[a-f]/.test(digits) ? 'lower' : /[A-F]/.test(digits) ? 'upper' : 'either'] = true;
  }
  return { ...kinds, markup: [...markup].sort().join(' ') };
}

function inWords({ slashes, lower, upper, either, markup }: Kinds): string {
  const words = [
    ...(slashes ? ['slashes as \\/'] : []),
    ...(lower ? ['characters outside ASCII as \\u with lower-case digits'] : []),
    ...(upper ? ['characters outside ASCII as \\u with upper-case digits'] : []),
    ...(either && !lower && !upper ? ['characters outside ASCII as \\u escapes'] : []),
    ...(markup === '' ? [] : [`${markup} as \\u escapes`]),
  ];
  return words.length === 0 ? 'no characters that could stay' : words.join(', ');
}

function fixFor(before: string, after: string): string {
  const kinds = [kindsOf(before), kindsOf(after)];
  const differs = (kind: 'slashes' | 'lower' | 'upper' | 'either') => kinds[0]?.[kind] !== kinds[1]?.[kind];
  const lower = differs('lower') || differs('either');
  const flags = [
    ...(lower ? ['JSON_UNESCAPED_UNICODE'] : []),
    ...(differs('slashes') ? ['JSON_UNESCAPED_SLASHES'] : []),
  ];
  const upper = differs('upper');
  const markup = kinds[0]?.markup !== kinds[1]?.markup;
  return [
    'Serialise the body once, sign those bytes and send the same bytes.',
    ...(flags.length > 0 ? [`PHP: json_encode($order, ${flags.join(' | ')}).`] : []),
    ...(lower ? ["Python: json.dumps(order, separators=(',', ':'), ensure_ascii=False)."] : []),
    ...(upper || markup || lower
      ? ['.NET (System.Text.Json): Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping.']
      : []),
    ...(upper ? ['Java (Jackson): without ESCAPE_NON_ASCII.'] : []),
    ...(markup
      ? [
          'Go: encoder.SetEscapeHTML(false). Java (Gson): disableHtmlEscaping(). PHP: without JSON_HEX_TAG, JSON_HEX_AMP, JSON_HEX_APOS and JSON_HEX_QUOT.',
        ]
      : []),
  ].join(' ');
}

/** The body with other escapes than were sent. */
export const escapeStage: Stage<Draft> = escapings.map((escaping): Ingredient<Draft> => ({
  id: 'body-escaped',
  rarity: escaping.rarity,
  message: ({ text: before = '' }, { text: after = '' }) =>
    `The signed body escapes ${inWords(kindsOf(after))}; the body that was sent escapes ${inWords(kindsOf(before))}.`,
  fix: ({ text: before = '' }, { text: after = '' }) => fixFor(before, after),
  apply: onText((text) => escapedBy(escaping, unescaped(text))),
}));
