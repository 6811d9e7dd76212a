import { invoiceCanonicalString } from '../../../protocol/canonical-string.js';
import { onWrite } from './candidate.js';
import { formEncoded, quotePlus, rawurlencode, urlencode, type Rewrite } from './rewrites.js';
import {
  isArray,
  isText,
  isToken,
  plain,
  quoted,
  writeTree,
  type Layout,
  type Token,
  type Tree,
} from './tree.js';

// Data that was signed in a form other than JSON.

const pythonLiterals: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** Writes a token as Python prints it. */
function pythonToken(raw: Token): string {
  if (!isText(raw)) return pythonLiterals[raw] ?? raw;
  const text = plain(raw);
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return mark + (mark === "'" ? escaped.replaceAll("'", "\\'") : escaped) + mark;
}

export const python: Layout = { comma: ', ', colon: ': ', token: pythonToken };
const javaMap: Layout = { comma: ', ', colon: '=', token: plain };

/** Writes an object without nested objects as name=value pairs. */
export const pairs = (comma = '&', encode: Rewrite = String): Layout => ({
  bare: true,
  comma,
  colon: '=',
  token: (raw) => encode(plain(raw)),
});

/** The values with their paths, in the names that forms use for nested data: amount[value]=12000000. */
function flat(tree: Tree, place = ''): readonly (readonly [Token, Token])[] {
  if (isToken(tree)) return tree === 'null' ? [] : [[quoted(place), tree]];
  return Object.entries(tree).flatMap(([key, value]: [Token, Tree]) => {
    const name = isArray(tree) ? key : plain(key);
    return flat(value, place === '' ? name : `${place}[${name}]`);
  });
}

const phpLiterals: Readonly<Record<string, string>> = { true: '1', false: '0' };

/** The same object, with each value as a token. */
const scalars = (tree: Tree, text: (value: Tree) => string): Record<Token, Token> =>
  Object.fromEntries(
    isToken(tree)
      ? []
      : Object.entries(tree).map(([name, value]: [Token, Tree]) => [name, quoted(text(value))]),
  );
const pythonText = (value: Tree) => (isText(value) ? plain(value) : writeTree(value, python));
const javaScriptText = (value: Tree): string => {
  if (isToken(value)) return plain(value);
  return isArray(value) ? value.map(javaScriptText).join(',') : '[object Object]';
};

const php = (encode?: Rewrite) => (tree: Tree) => {
  const fields = flat(tree).map(([name, value]) => [name, phpLiterals[value] ?? value]);
  return writeTree(Object.fromEntries(fields) as Tree, pairs('&', encode));
};
const canonical = (absentFields: 'empty' | 'omit') => (tree: Tree) => {
  const fields = Object.entries(scalars(tree, javaScriptText)).map((field) => field.map(plain));
  return invoiceCanonicalString(Object.fromEntries(fields) as Record<string, string>, { absentFields });
};

/** The ways of writing the data of a payment in a form other than JSON. */
export const formSteps = onWrite({
  'other-notation.python': (tree) => writeTree(tree, python),
  'other-notation.java': (tree) => writeTree(tree, javaMap),
  'form-encoded.php': php(urlencode),
  'form-encoded.php-decoded': php(),
  'form-encoded.python': (tree) => writeTree(scalars(tree, pythonText), pairs('&', quotePlus)),
  'form-encoded.qs': (tree) => writeTree(Object.fromEntries(flat(tree)), pairs('&', rawurlencode)),
  'form-encoded.url-search-params': (tree) =>
    writeTree(scalars(tree, javaScriptText), pairs('&', formEncoded)),
  'form-encoded.pairs': (tree) => writeTree(scalars(tree, javaScriptText), pairs()),
  'canonical-string.empty': canonical('empty'),
  'canonical-string.omit': canonical('omit'),
});
