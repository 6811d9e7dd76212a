import { invoiceCanonicalString } from '../../../protocol/canonical-string.js';
import { rows } from '../row.js';
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
import { onWrite, type Step, type Write } from './drafts.js';
import { formEncoded, quotePlus, rawurlencode, urlencode, type Rewrite } from './rewrites.js';

// A body that was signed as something else than JSON, or sent as something else.

const pythonLiterals: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

const pythonEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A token as Python prints it. */
function pythonToken(raw: Token): string {
  if (!isText(raw)) return pythonLiterals[raw] ?? raw;
  const text = plain(raw);
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const special = (each: string) =>
    pythonEscapes[each] ?? (each === mark || each === '\\' ? `\\${each}` : each);
  return mark + text.replaceAll(/[\\'"\n\r\t]/g, special) + mark;
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

const scalars = (tree: Tree): Readonly<Record<string, string>> =>
  Object.fromEntries(outer(tree, javaScriptText));

/** Ways of writing that take the place of the one in which the body was sent. */
export const notationSteps: Step<Tree>[] = onWrite([
  ...rows<Write<Tree>>('other-notation', 'The body was signed as % instead of as JSON.', [
    ['python', 'str() of a Python dict', () => (tree) => writeTree(tree, python)],
    ['java', 'toString() of a Java map', () => (tree) => writeTree(tree, javaMap)],
  ]),
  ...rows<Write<Tree>>('form-encoded', 'The body was signed as a form (%) instead of as JSON.', [
    ['php', 'http_build_query', () => (tree) => form(leaves(tree, phpLiterals), urlencode)],
    ['php-decoded', 'http_build_query, decoded', () => (tree) => form(leaves(tree, phpLiterals))],
    ['python', 'urlencode of Python', () => (tree) => form(outer(tree, pythonText), quotePlus)],
    ['qs', 'qs.stringify', () => (tree) => form(leaves(tree, {}), rawurlencode)],
    [
      'url-search-params',
      'URLSearchParams of the object',
      () => (tree) => form(outer(tree, javaScriptText), formEncoded),
    ],
    ['pairs', 'name=value pairs of the object', () => (tree) => form(outer(tree, javaScriptText))],
  ]),
  ...rows<Write<Tree>>(
    'canonical-string',
    'The canonical string of an upload was signed, %; a payment is signed over its JSON body.',
    (['empty', 'omit'] as const).map((absentFields) => [
      absentFields,
      absentFields === 'empty' ? 'with every field' : 'with the fields that were sent',
      () => (tree) => invoiceCanonicalString(scalars(tree), { absentFields }),
    ]),
  ),
]);

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
