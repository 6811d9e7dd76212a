import type { Draft, Ingredient, Stage } from './draft.js';
import { notJson } from './not-json.js';
import { decoded, isObject, isScalar, isText, type JsonTree } from './json-tree.js';
import { plain, python, writer, type Write } from './notations.js';
import { percentEncodings } from './percent-encodings.js';

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

/** The body written as a form. */
export function formIngredients(): Stage<Draft> {
  const writings: readonly (readonly [name: string, encode: (text: string) => string])[] = [
    ['unencoded', (text) => text],
    ...percentEncodings.slice(0, 4).map(({ name, encode }) => [name, encode] as const),
  ];
  const order = (isSorted: boolean, found: readonly Pair[]) =>
    isSorted ? found.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))) : found;
  return layouts.flatMap(([layout, pairsOf], index) =>
    writings.flatMap(([writing, encode], place) =>
      [false, true].map((isSorted): Ingredient<Draft> => {
        const isBuildQuery = index === 0 && place === 4;
        return {
          ...notJson(
            'form-encoded',
            isBuildQuery ? 3 : 4,
            `The body was signed as a form (${layout}, ${writing}${isSorted ? ', sorted by name' : ''}) instead of as JSON.`,
            formFix,
            (tree) =>
              order(isSorted, pairsOf(tree))
                .map(([name, value]) => `${encode(name)}=${encode(value)}`)
                .join('&'),
          ),
          isHabit: isBuildQuery,
        };
      }),
    ),
  );
}

/** What is signed of a body that is joined without names. */
export function valuesOnly(separator: string): Write {
  return (tree) =>
    leaves(tree, bracketed)
      .map(([, value]) => value)
      .join(separator);
}
