import { habits, type Apply, type Draft, type Row, type Stage } from '../ingredient.js';
import { percentEncodings, type Rewrite } from '../text/rewrites.js';
import { everywhere, orders } from '../tree/members.js';
import {
  decoded,
  isObject,
  isScalar,
  isShallow,
  isText,
  partsOf,
  plain,
  quoted,
  type JsonMember,
  type JsonTree,
} from '../tree/tree.js';
import { notations, pythonScalar, writeTree, type Style } from '../tree/write-tree.js';

type Write = (tree: JsonTree) => string;
/** A field of a form: its name and its value as they are written in JSON. */
type Field = readonly [name: string, raw: string];
type Flatten = (tree: JsonTree) => readonly Field[];

// Deeper than any order; the path of a value grows with its depth.
const deepest = 8;

const asText =
  (write: Write): Apply<Draft> =>
  ({ tree }) =>
    tree === undefined || isScalar(tree) || !isShallow(tree, deepest) ? undefined : { text: write(tree) };

const written = (style: Style) => (tree: JsonTree) => writeTree(tree, style);
const goMap = (style: Style) => (tree: JsonTree) => writeTree(everywhere(orders.sorted)(tree), style);

const others: readonly Row<Write>[] = [
  [3, 'str() of a Python dict', written(notations.python)],
  [3, 'toString() of a Java map', written(notations.java)],
  [4, 'to_s of a Ruby hash', written(notations.ruby)],
  [4, 'to_s of a Ruby 3.4 hash', written(notations.ruby34)],
  [4, 'to_s of a Ruby hash with symbols', written(notations.rubySymbols)],
  [4, 'fmt.Sprint of a Go map', goMap(notations.go)],
  [4, 'fmt.Sprint of a Go map that was read from JSON', goMap(notations.goFloats)],
  [4, 'JSON with single quotes', written(notations.singleQuotes)],
];

/** Every value under its path, as forms write nested data. */
function leaves(path: (outer: string, name: string) => string): Flatten {
  const collect = (tree: JsonTree, place: string): Field[] =>
    isScalar(tree)
      ? [[quoted(place), tree]]
      : partsOf(tree).flatMap(([name, value]) => collect(value, place === '' ? name : path(place, name)));
  return (tree) => collect(tree, '');
}

const bracketed = leaves((place, name) => `${place}[${name}]`);
const phpLiterals: Readonly<Record<string, string>> = { true: '1', false: '0' };

const php: Flatten = (tree) =>
  bracketed(tree).flatMap(([name, raw]) => (raw === 'null' ? [] : [[name, phpLiterals[raw] ?? raw]]));

/** The outer fields, with the objects and arrays inside as text. */
function outerFields(inner: Write, scalar: (raw: string) => string = plain): Flatten {
  return (tree) =>
    isObject(tree)
      ? tree.members.map(([name, value]) => [name, quoted(isScalar(value) ? scalar(value) : inner(value))])
      : [];
}

const pythonText = (raw: string) => (isText(raw) ? decoded(raw) : pythonScalar(raw));
const pythonFields = outerFields(written(notations.python), pythonText);
const javaScript = (tree: JsonTree) =>
  (isObject(tree) ? [''] : partsOf(tree)).map(() => '[object Object]').join(',');
const scalars: Flatten = (tree) =>
  isObject(tree) ? tree.members.filter((member): member is Field => isScalar(member[1])) : [];

const layouts: readonly (readonly [name: string, flatten: Flatten])[] = [
  ['a[b]=c', php],
  ['a.b=c', leaves((place, name) => `${place}.${name}`)],
  ['name=value of the outer fields, with JSON inside', outerFields(written({}))],
  ['name=value of the outer fields, with str() of Python inside', pythonFields],
  ['name=value of the outer fields, with [object Object] inside', outerFields(javaScript)],
  ['name=value of the outer fields that are not objects', scalars],
];
const formEncodings = [['unencoded', (text: string) => text] as const, ...percentEncodings.slice(0, 4)];

const forms = layouts.flatMap(([layout, flatten], index) =>
  formEncodings.flatMap(([encoding, encode], place): readonly Row<Write>[] => {
    const scalar: Rewrite = (raw) => encode(plain(raw));
    const writeFields = (members: readonly JsonMember[]) =>
      writeTree({ members }, { ...notations.pairs, scalar, name: scalar });
    const sorted: Write = (tree) => writeFields(orders.sorted(flatten(tree)));
    // http_build_query.
    const rarity = index === 0 && place === 4 ? 3 : 4;
    return [
      [rarity, `${layout}, ${encoding}`, (tree) => writeFields(flatten(tree))],
      [rarity, `${layout}, ${encoding}, sorted by name`, sorted],
    ];
  }),
);

const values = ['', '|', '&', ',', ':', '\n'].map((comma): Row<Write> => {
  const by = comma === '' ? 'nothing' : JSON.stringify(comma);
  return [5, by, (tree) => writeTree({ members: bracketed(tree) }, { ...notations.values, comma })];
});

export const notationStage: Stage = [
  ...habits(3, 'other-notation', 'The body was signed as % instead of as JSON.', asText, others),
  ...habits(3, 'form-encoded', 'The body was signed as a form (%) instead of as JSON.', asText, forms),
  ...habits(3, 'body-part', 'Only the values of the body were signed, joined by %.', asText, values),
];
