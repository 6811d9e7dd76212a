import type { Draft, Ingredient, Stage, Rarity } from './draft.js';
import { decoded, isNumber, isObject, isScalar, isShallow, isText, type JsonTree } from './json-tree.js';
import { percentEncodings } from './percent-encodings.js';
import type { Mistake } from './types.js';

type Write = (tree: JsonTree) => string;

/** One way of writing objects and arrays that is not JSON. */
interface Notation {
  readonly name: string;
  readonly scalar: (raw: string) => string;
  readonly object: (members: readonly string[]) => string;
  readonly member: (name: string, value: string) => string;
  readonly array: (items: readonly string[]) => string;
  readonly sorted?: boolean;
}

function writer(notation: Notation): Write {
  const write = (tree: JsonTree): string => {
    if (isScalar(tree)) return notation.scalar(tree);
    if (!isObject(tree)) return notation.array(tree.items.map(write));
    const members = tree.members.map(([name, value]) => [decoded(name), write(value)] as const);
    const ordered = notation.sorted ? members.toSorted(([a], [b]) => (a < b ? -1 : 1)) : members;
    return notation.object(ordered.map(([name, value]) => notation.member(name, value)));
  };
  return write;
}

function pythonText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
  return quote + escaped + quote;
}

const pythonLiterals: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
const plain = (raw: string) => (isText(raw) ? decoded(raw) : raw);
const braces = (parts: readonly string[]) => `{${parts.join(', ')}}`;
const brackets = (parts: readonly string[]) => `[${parts.join(', ')}]`;

const python: Notation = {
  name: 'str() of a Python dict',
  scalar: (raw) => (isText(raw) ? pythonText(decoded(raw)) : (pythonLiterals[raw] ?? raw)),
  object: braces,
  member: (name, value) => `${pythonText(name)}: ${value}`,
  array: brackets,
};

const java: Notation = {
  name: 'toString() of a Java map',
  scalar: plain,
  object: braces,
  member: (name, value) => `${name}=${value}`,
  array: brackets,
};

const rubyScalar = (raw: string) => (raw === 'null' ? 'nil' : raw);
const ruby: Notation = {
  name: 'to_s of a Ruby hash',
  scalar: rubyScalar,
  object: braces,
  member: (name, value) => `"${name}"=>${value}`,
  array: brackets,
};

const go: Notation = {
  name: 'fmt.Sprint of a Go map',
  scalar: (raw) => (raw === 'null' ? '<nil>' : plain(raw)),
  object: (members) => `map[${members.join(' ')}]`,
  member: (name, value) => `${name}:${value}`,
  array: (items) => `[${items.join(' ')}]`,
  sorted: true,
};

/** As `%v` of Go writes a float64. */
function goFloat(raw: string): string {
  const value = Number(raw);
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  if (Number(exponent) < 6 && Number(exponent) >= -4) return String(value);
  return `${digits}e${exponent.slice(0, 1)}${exponent.slice(1).padStart(2, '0')}`;
}

const notations: readonly Notation[] = [
  python,
  java,
  ruby,
  { ...ruby, name: 'to_s of a Ruby 3.4 hash', member: (name, value) => `"${name}" => ${value}` },
  { ...ruby, name: 'to_s of a Ruby hash with symbols', member: (name, value) => `:${name}=>${value}` },
  go,
  {
    ...go,
    name: 'fmt.Sprint of a Go map that was read from JSON',
    scalar: (raw) => (isNumber(raw) ? goFloat(raw) : go.scalar(raw)),
  },
  {
    ...python,
    name: 'JSON with single quotes',
    scalar: (raw) => (isText(raw) ? pythonText(decoded(raw)) : raw),
    object: (parts) => `{${parts.join(',')}}`,
    member: (name, value) => `'${name}':${value}`,
    array: (parts) => `[${parts.join(',')}]`,
  },
];

type Pair = readonly [name: string, value: string];

/** Every value under its path, as forms write nested data. */
function leaves(tree: JsonTree, path: (outer: string, name: string) => string, outer = ''): Pair[] {
  if (isScalar(tree)) return [[outer, plain(tree)]];
  const inner = isObject(tree)
    ? tree.members.map(([name, value]) => [decoded(name), value] as const)
    : tree.items.map((value, index) => [String(index), value] as const);
  return inner.flatMap(([name, value]) => leaves(value, path, outer === '' ? name : path(outer, name)));
}

const bracketed = (outer: string, name: string) => `${outer}[${name}]`;
const dotted = (outer: string, name: string) => `${outer}.${name}`;

function phpPairs(tree: JsonTree): Pair[] {
  return leaves(tree, bracketed)
    .filter(([, value]) => value !== 'null')
    .map(([name, value]) => [name, value === 'true' ? '1' : value === 'false' ? '0' : value]);
}

/** The outer fields, with what is inside them as text. */
function topPairs(inner: Write, scalar = plain): (tree: JsonTree) => Pair[] {
  return (tree) =>
    isObject(tree)
      ? tree.members.map(([name, value]) => [decoded(name), isScalar(value) ? scalar(value) : inner(value)])
      : [];
}

function compactJson(tree: JsonTree): string {
  if (isScalar(tree)) return tree;
  if (!isObject(tree)) return `[${tree.items.map(compactJson).join(',')}]`;
  return `{${tree.members.map(([name, value]) => `${name}:${compactJson(value)}`).join(',')}}`;
}

const pythonPairs = topPairs(writer(python), (raw) => (isText(raw) ? decoded(raw) : python.scalar(raw)));

const layouts: readonly (readonly [name: string, (tree: JsonTree) => Pair[]])[] = [
  ['a[b]=c', phpPairs],
  ['a.b=c', (tree) => leaves(tree, dotted)],
  ['name=value of the outer fields, with JSON inside', topPairs(compactJson)],
  ['name=value of the outer fields, with str() of Python inside', pythonPairs],
  [
    'name=value of the outer fields, with [object Object] inside',
    topPairs((tree) =>
      isObject(tree)
        ? '[object Object]'
        : isScalar(tree)
          ? ''
          : tree.items.map(() => '[object Object]').join(','),
    ),
  ],
  [
    'name=value of the outer fields that are not objects',
    (tree) =>
      topPairs(() => '')(tree).filter(
        ([name]) =>
          isObject(tree) && tree.members.some(([key, value]) => decoded(key) === name && isScalar(value)),
      ),
  ],
];

const formFix =
  "Sign the JSON body exactly as it is sent, not a form made of it. PHP: hash_hmac('sha256', $json, $secret), without http_build_query. Python: without urlencode.";

function formIngredients(): Stage<Draft> {
  const writings: readonly (readonly [name: string, encode: (text: string) => string])[] = [
    ['unencoded', (text) => text],
    ...percentEncodings.slice(0, 4).map(({ name, encode }) => [name, encode] as const),
  ];
  const order = (isSorted: boolean, found: readonly Pair[]) =>
    isSorted ? found.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))) : found;
  return layouts.flatMap(([layout, pairsOf], index) =>
    writings.flatMap(([writing, encode], place) =>
      [false, true].map((isSorted): Ingredient<Draft> =>
        notJson(
          'form-encoded',
          // http_build_query.
          index === 0 && place === 4 ? 3 : 4,
          `The body was signed as a form (${layout}, ${writing}${isSorted ? ', sorted by name' : ''}) instead of as JSON.`,
          formFix,
          (tree) =>
            order(isSorted, pairsOf(tree))
              .map(([name, value]) => `${encode(name)}=${encode(value)}`)
              .join('&'),
        ),
      ),
    ),
  );
}

// Deeper than any order; the path of a value grows with its depth.
const deepest = 8;

function isWritable(tree: JsonTree | undefined): tree is JsonTree {
  return tree !== undefined && !isScalar(tree) && isShallow(tree, deepest);
}

function notJson(id: Mistake, rarity: Rarity, message: string, fix: string, write: Write): Ingredient<Draft> {
  return {
    id,
    rarity,
    message,
    fix,
    apply: ({ tree }) => (isWritable(tree) ? { text: write(tree) } : undefined),
  };
}

/** What is signed of a body that is joined without names. */
function valuesOnly(separator: string): Write {
  return (tree) =>
    leaves(tree, bracketed)
      .map(([, value]) => value)
      .join(separator);
}

/** The body written in another notation than JSON. */
export const notationIngredients: Stage<Draft> = [
  ...notations.map((notation, index) =>
    notJson(
      'other-notation',
      index < 2 ? 3 : 4,
      `The body was signed as ${notation.name} instead of as JSON.`,
      'Sign the text that is sent. Python: json.dumps(order), not str(order). Java: mapper.writeValueAsString(order), not order.toString(). Ruby: JSON.generate(order), not order.to_s. Go: json.Marshal(order), not fmt.Sprint.',
      writer(notation),
    ),
  ),
  ...formIngredients(),
  ...['', '|', '&', ',', ':', '\n'].map((separator) =>
    notJson(
      'body-part',
      5,
      `Only the values of the body were signed, joined by ${separator === '' ? 'nothing' : JSON.stringify(separator)}.`,
      'Sign the JSON body exactly as it is sent.',
      valuesOnly(separator),
    ),
  ),
];
