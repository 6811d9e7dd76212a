import { invoiceCanonicalString } from '../../../protocol/canonical-string.js';
import { rows } from '../row.js';
import {
  isArray,
  isText,
  isToken,
  plain,
  writeTree,
  type JsonDraft,
  type Layout,
  type Token,
  type Tree,
} from './json-tree.js';
import { pythonRepr, urlencode } from './rewrites.js';

// A body that was signed as something else than JSON.

const pythonLiterals: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** A token as Python prints it. */
function pythonToken(raw: Token): string {
  return isText(raw) ? pythonRepr(plain(raw), /[\\'"\n\r\t]/g) : (pythonLiterals[raw] ?? raw);
}

export const python: Layout = { comma: ', ', colon: ': ', token: pythonToken, name: pythonToken };
export const javaMap: Layout = { comma: ', ', colon: '=', token: plain, name: plain };

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

const form = (fields: Fields, encode = (text: string) => text) =>
  fields.map((field) => field.map(encode).join('=')).join('&');
/** The canonical string of an upload, made of the fields of a payment. */
function asUpload(tree: Tree): string {
  const members = Object.entries(tree).map(([name, value]: [Token, Tree]) => [plain(name), value] as const);
  const texts = members.flatMap(([name, value]) => (isToken(value) ? [[name, plain(value)] as const] : []));
  return invoiceCanonicalString(Object.fromEntries(texts));
}

const written = (write: (tree: Tree) => string) => (draft: JsonDraft) => ({ ...draft, write });
const laidOut = (layout: Layout) => written((tree) => writeTree(tree, layout));

export const notationRows = [
  ...rows<JsonDraft>('other-notation', 'The body was signed as % instead of as JSON.', [
    ['str() of a Python dict', laidOut(python)],
    ['toString() of a Java map', laidOut(javaMap)],
  ]),
  ...rows<JsonDraft>('form-encoded', 'The body was signed as a form (%) instead of as JSON.', [
    ['http_build_query', written((tree) => form(leaves(tree), urlencode))],
    ['http_build_query, decoded', written((tree) => form(leaves(tree)))],
  ]),
  ...rows<JsonDraft>('body-as-upload', 'The canonical string of an upload was signed for a payment.', [
    ['', written(asUpload)],
  ]),
];
