import { rows, type Row } from '../row.js';
import { byUnits } from './json-fields.js';
import {
  isArray,
  isNumber,
  isObject,
  isText,
  isToken,
  mapTree,
  plain,
  writeTree,
  type Layout,
  type Token,
  type Tree,
} from './json-tree.js';
import { percentEncodings, pythonRepr } from './rewrites.js';

// A body that was signed as something else than JSON.

const pythonLiterals: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** A token as Python prints it. */
function pythonToken(raw: Token): string {
  return isText(raw) ? pythonRepr(plain(raw), /[\\'"\n\r\t]/g) : (pythonLiterals[raw] ?? raw);
}

export const python: Layout = { comma: ', ', colon: ': ', token: pythonToken, name: pythonToken };
export const javaMap: Layout = { comma: ', ', colon: '=', token: plain, name: plain };
const ruby: Layout = { comma: ', ', colon: '=>', token: (raw) => (raw === 'null' ? 'nil' : raw) };
const go: Layout = { comma: ' ', braces: ['map[', ']'], token: plain, name: plain };
/** As `%v` of Go writes the float64 that it reads from JSON. */
const goFloats = (raw: Token) =>
  isNumber(raw) && Math.abs(Number(raw)) >= 1e6
    ? Number(raw)
        .toExponential()
        .replace(/\+(\d)$/, '+0$1')
    : plain(raw);

function sortedTree(tree: Tree): Tree {
  return mapTree(tree, (part) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => byUnits(a, b))) : part,
  );
}

/** The fields of a form. */
type Fields = readonly (readonly [name: string, value: string])[];

const phpLiterals: Readonly<Record<string, string>> = { true: '1', false: '0' };

/** Every value under its path, as http_build_query writes nested data. */
function leaves(tree: Tree, place = ''): Fields {
  if (isToken(tree)) return tree === 'null' ? [] : [[place, phpLiterals[tree] ?? plain(tree)]];
  return Object.entries(tree).flatMap(([key, value]) => {
    const name = isArray(tree) ? key : plain(key);
    return leaves(value, place === '' ? name : `${place}[${name}]`);
  });
}

/** The outer fields, with the objects and arrays inside as text; they are left out where that is undefined. */
const outerFields =
  (inner: (tree: Tree) => string | undefined, token = plain) =>
  (tree: Tree): Fields =>
    Object.entries(isObject(tree) ? tree : {}).flatMap(([key, value]) => {
      const text = isToken(value) ? token(value) : inner(value);
      return text === undefined ? [] : [[plain(key), text] as const];
    });

const javaScript = (tree: Tree) =>
  isArray(tree) ? tree.map(() => '[object Object]').join(',') : '[object Object]';
const pythonText = (raw: Token) => (isText(raw) ? plain(raw) : pythonToken(raw));

const flattenings: readonly (readonly [what: string, by: string, flatten: (tree: Tree) => Fields])[] = [
  ['a[b]=c', 'php', leaves],
  ['name=value of the outer fields that are not objects', 'php', outerFields(() => undefined)],
  ['name=value of the outer fields, with JSON inside', 'php', outerFields((tree) => writeTree(tree, {}))],
  [
    'name=value, with str() of Python inside',
    'python',
    outerFields((tree) => writeTree(tree, python), pythonText),
  ],
  ['name=value, with [object Object] inside', 'javascript', outerFields(javaScript)],
];
const encodings = [['unencoded', (text: string) => text] as const, ...percentEncodings.slice(0, 3)];

const forms = flattenings.flatMap(([what, by, flatten]) =>
  encodings.flatMap(([encoding, encode]) => {
    const join = (fields: Fields) => fields.map((field) => field.map(encode).join('=')).join('&');
    const sorted = (fields: Fields) => fields.toSorted(([a], [b]) => byUnits(a, b));
    return [
      [`${what}, ${encoding}`, (tree: Tree) => join(flatten(tree)), { by }] as const,
      [`${what}, ${encoding}, sorted by name`, (tree: Tree) => join(sorted(flatten(tree))), { by }] as const,
    ];
  }),
);

export const notationRows: readonly Row<Tree, string>[] = [
  ...rows<Tree, string>('other-notation', 'The body was signed as % instead of as JSON.', [
    ['str() of a Python dict', (tree) => writeTree(tree, python), { by: 'python' }],
    ['toString() of a Java map', (tree) => writeTree(tree, javaMap), { by: 'jackson' }],
    ['to_s of a Ruby hash', (tree) => writeTree(tree, ruby), { by: 'ruby' }],
    ['to_s of a Ruby 3.4 hash', (tree) => writeTree(tree, { ...ruby, colon: ' => ' }), { by: 'ruby' }],
    ['fmt.Sprint of a Go map', (tree) => writeTree(sortedTree(tree), go), { by: 'go' }],
    [
      'fmt.Sprint of a Go map of floats',
      (tree) => writeTree(sortedTree(tree), { ...go, token: goFloats }),
      { by: 'go' },
    ],
  ]),
  ...rows<Tree, string>('form-encoded', 'The body was signed as a form (%) instead of as JSON.', forms),
  ...rows<Tree, string>(
    'body-part',
    'Only the values of the body were signed, joined by %.',
    ['', '|', '&', ','].map((mark) => [
      JSON.stringify(mark),
      (tree) =>
        leaves(tree)
          .map(([, value]) => value)
          .join(mark),
    ]),
  ),
];
