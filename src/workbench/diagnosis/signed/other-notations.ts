import { rows, type Row } from '../row.js';
import {
  isArray,
  isObject,
  isText,
  isToken,
  mapTree,
  plain,
  quoted,
  writeTree,
  type Layout,
  type Token,
  type Tree,
} from './json-tree.js';
import type { Write } from './candidates.js';
import { formEncoded, pythonRepr, quotePlus, rawurlencode, urlencode, type Rewrite } from './rewrites.js';

// A body that was signed as something else than JSON, or sent as something else.

const pythonLiterals: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** A token as Python prints it. */
function pythonToken(raw: Token): string {
  return isText(raw) ? pythonRepr(plain(raw), /[\\'"\n\r\t]/g) : (pythonLiterals[raw] ?? raw);
}

export const python: Layout = { comma: ', ', colon: ': ', token: pythonToken };
export const javaMap: Layout = { comma: ', ', colon: '=', token: plain };

/** The fields of a form. */
export type Fields = readonly (readonly [name: string, value: string])[];

const phpLiterals: Readonly<Record<string, string>> = { true: '1', false: '0' };

/** Every value under its path, as forms have nested data: amount[value]=12000000. */
function leaves(tree: Tree, literals: Readonly<Record<string, string>>, place = ''): Fields {
  if (isToken(tree)) return tree === 'null' ? [] : [[place, literals[tree] ?? plain(tree)]];
  return Object.entries(tree).flatMap(([key, value]) => {
    const name = isArray(tree) ? key : plain(key);
    return leaves(value, literals, place === '' ? name : `${place}[${name}]`);
  });
}

/** The outer fields, with those inside of them as one text. */
const outer = (tree: Tree, text: (value: Tree) => string): Fields =>
  isToken(tree) ? [] : Object.entries(tree).map(([key, value]: [string, Tree]) => [plain(key), text(value)]);

const form = (fields: Fields, encode: Rewrite = (text) => text) =>
  fields.map((field) => field.map(encode).join('=')).join('&');
const pythonText = (value: Tree) =>
  isToken(value) && isText(value) ? plain(value) : writeTree(value, python);
const javaScriptText = (value: Tree): string => {
  if (isArray(value)) return value.map(javaScriptText).join(',');
  return isToken(value) ? plain(value) : '[object Object]';
};

/** The fields of an object, as JavaScript makes texts of their values. */
export const fieldsOf = (tree: Tree) => outer(tree, javaScriptText);

/** Ways of writing that take the place of the one in which the body was sent. */
export function notationRows(sent: Write): readonly Row<Write>[] {
  const written = (write: Write) => (before: Write) => (before === sent ? write : undefined);
  const laidOut = (layout: Layout) => written((tree) => writeTree(tree, layout));
  return [
    ...rows<Write>('other-notation', 'The body was signed as % instead of as JSON.', [
      ['str() of a Python dict', laidOut(python)],
      ['toString() of a Java map', laidOut(javaMap)],
    ]),
    ...rows<Write>('form-encoded', 'The body was signed as a form (%) instead of as JSON.', [
      ['http_build_query', written((tree) => form(leaves(tree, phpLiterals), urlencode))],
      ['http_build_query, decoded', written((tree) => form(leaves(tree, phpLiterals)))],
      ['urlencode of Python', written((tree) => form(outer(tree, pythonText), quotePlus))],
      ['qs.stringify', written((tree) => form(leaves(tree, {}), rawurlencode))],
      ['URLSearchParams of the object', written((tree) => form(fieldsOf(tree), formEncoded))],
    ]),
  ];
}

/** The token of a value that was sent in a form: documented numbers and booleans are so in JSON too. */
function tokenOf(name: string, value: string): Token {
  if (/^(?:value|price|totalAmount|quantity|transExpiredTime)$/.test(name) && /^\d+$/.test(value))
    return value;
  if (/^send(?:Sms|Email)$/.test(name) && /^(?:[01]|true|false)$/.test(value))
    return String(/^[1t]/.test(value));
  return quoted(value);
}

interface Branch {
  [name: string]: Branch | Token;
}

/** The data of a form that was sent instead of JSON, such as amount[value]=12000000. */
export function readForm(text: string): Tree | undefined {
  if (!/^[\w%.[\]-]+=\S*$/.test(text) || text.length > 64 * 1024) return undefined;
  const root: Branch = {};
  for (const [path, value] of new URLSearchParams(text)) {
    const names = path.split(/\]?\[|\]$/).filter((name) => name !== '');
    const last = names.pop() ?? '';
    let branch = root;
    for (const name of names) {
      const next = (branch[quoted(name)] ??= {});
      if (typeof next === 'string') return undefined;
      branch = next;
    }
    branch[quoted(last)] = tokenOf(last, value);
  }
  return mapTree(root, (part) => {
    const isList = isObject(part) && Object.keys(part).every((name, index) => name === quoted(String(index)));
    return isList ? Object.values(part) : part;
  });
}
