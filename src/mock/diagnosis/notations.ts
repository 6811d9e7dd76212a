import { decoded, isNumber, isObject, isScalar, isText, type JsonTree } from './json-tree.js';

/** Writes the whole of a body. */
export type Write = (tree: JsonTree) => string;

/** One way of writing objects and arrays that is not JSON. */
interface Notation {
  readonly name: string;
  readonly scalar: (raw: string) => string;
  readonly object: (members: readonly string[]) => string;
  readonly member: (name: string, value: string) => string;
  readonly array: (items: readonly string[]) => string;
  readonly sorted?: boolean;
}

export function writer(notation: Notation): Write {
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
/** A text without its quotes, anything else as it is. */
export const plain = (raw: string) => (isText(raw) ? decoded(raw) : raw);
const braces = (parts: readonly string[]) => `{${parts.join(', ')}}`;
const brackets = (parts: readonly string[]) => `[${parts.join(', ')}]`;

export const python: Notation = {
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

/** Ways of writing objects and arrays that are not JSON. */
export const notations: readonly Notation[] = [
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
