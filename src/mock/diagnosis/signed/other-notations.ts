import { invoiceCanonicalString, signedInvoiceFields } from '../../../protocol/canonical-string.js';
import { rows } from '../row.js';
import {
  isArray,
  isText,
  isToken,
  plain,
  textAt,
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
const asUpload = (absentFields: 'empty' | 'omit') => (tree: Tree) => {
  const fields = signedInvoiceFields.map((name) => [name, textAt(tree, name)] as const);
  return invoiceCanonicalString(Object.fromEntries(fields), { absentFields });
};

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
  ...rows<JsonDraft>(
    'body-as-upload',
    'The canonical string of an upload was signed (%); a payment is signed over its body.',
    [
      ['with fields that a payment does not have', written(asUpload('empty'))],
      ['of the fields that a payment has', written(asUpload('omit'))],
    ],
  ),
];
