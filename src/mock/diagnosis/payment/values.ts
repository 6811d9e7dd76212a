import { about, habits, mistakes, onTree, type Row, type Stage, type TreeChange } from '../ingredient.js';
import { behind, inside } from '../text/rewrites.js';
import { at, outer } from '../tree/members.js';
import {
  decoded,
  isNumber,
  isObject,
  isScalar,
  isText,
  mapScalars,
  mapTree,
  partsOf,
  quoted,
  type JsonTree,
} from '../tree/tree.js';
import { pythonScalar, withTwoDigits, writeTree } from '../tree/write-tree.js';

type Rows = readonly Row<TreeChange>[];
type Applies = (raw: string, name: string) => boolean;

const isWhole = (raw: string) => /^-?\d+$/.test(raw);
const isBoolean = (raw: string) => raw === 'true' || raw === 'false';
const isNull = (raw: string) => raw === 'null';
const isDigits = (raw: string) => isText(raw) && /^"-?\d+(\.\d+)?"$/.test(raw);
const isAmount = (name: string) => ['value', 'price', 'totalAmount'].includes(name);

const wholeAmount: Applies = (raw, name) => isWhole(raw) && isAmount(name);
const total: Applies = (raw, name) => isWhole(raw) && name === 'value';
const amount: Applies = (raw, name) => isNumber(raw) && isAmount(name);

function rewrite(applies: Applies, change: (raw: string) => string): TreeChange {
  return (tree) => mapScalars(tree, (raw, name) => (applies(raw, name) ? change(raw) : raw));
}

/** As Double.toString of Java writes it. */
function javaDouble(raw: string): string {
  const value = Number(raw);
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-3 && size < 1e7))
    return isWhole(String(value)) ? `${value}.0` : String(value);
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  return `${digits.includes('.') ? digits : `${digits}.0`}E${Number(exponent)}`;
}

const exponential = (raw: string) => Number(raw).toExponential();
const twoDigitExponential = (raw: string) => withTwoDigits(exponential(raw));
const shortest = (raw: string) => String(Number(raw));
const asText = inside('"');

const forms: Rows = [
  [2, 'amounts as floats (12000000.0)', rewrite(wholeAmount, behind('.0'))],
  [4, 'all numbers as floats (1.0)', rewrite(isWhole, behind('.0'))],
  [3, 'amounts with two decimals (12000000.00)', rewrite(wholeAmount, behind('.00'))],
  [4, 'all numbers with two decimals (1.00)', rewrite(isWhole, behind('.00'))],
  [3, 'amounts as Java doubles (1.2E7)', rewrite(amount, javaDouble)],
  [4, 'all numbers as Java doubles (1.2E7)', rewrite(isNumber, javaDouble)],
  [4, 'amounts with an exponent (1.2e+07)', rewrite(amount, twoDigitExponential)],
  [4, 'all numbers with an exponent (1.2e+07)', rewrite(isNumber, twoDigitExponential)],
  [4, 'amounts with an exponent (1.2e+7)', rewrite(amount, exponential)],
  [4, 'amount.value as a float (12000000.0)', rewrite(total, behind('.0'))],
  [4, 'amount.value with two decimals (12000000.00)', rewrite(total, behind('.00'))],
  [4, 'amount.value a hundred times as large', rewrite(total, behind('00')), 'amount-scaled'],
  [2, 'numbers in their shortest form (12000000 for 12000000.0)', rewrite(isNumber, shortest)],
  [4, 'amounts with one decimal (1.0 for 1.00)', rewrite(amount, (raw) => raw.replace(/\.(\d)0+$/, '.$1'))],
];

const isLiteral: Applies = (raw) => isBoolean(raw) || isNull(raw);
const isDigitsAmount: Applies = (raw, name) => isAmount(name) && isDigits(raw);
const isEmptyText: Applies = (raw) => raw === '""';
const always = (raw: string) => () => raw;
const shortestDigits = (raw: string) => shortest(decoded(raw));

const types: Rows = [
  [4, 'amount.value as a string', rewrite(total, asText)],
  [4, 'True, False and None for true, false and null', rewrite(isLiteral, pythonScalar)],
  [3, 'strings where numbers were sent ("12000000")', rewrite(isNumber, asText)],
  [3, 'amounts as strings ("12000000")', rewrite(amount, asText)],
  [4, 'amounts as strings with two decimals ("12000000.00")', rewrite(wholeAmount, inside('"', '.00"'))],
  [3, 'numbers where amounts were sent as strings', rewrite(isDigitsAmount, decoded)],
  [3, 'numbers for strings of digits (PHP: JSON_NUMERIC_CHECK)', rewrite(isDigits, shortestDigits)],
  [4, '1 and 0 for true and false', rewrite(isBoolean, (raw) => (raw === 'true' ? '1' : '0'))],
  [4, '"true" and "false" as strings', rewrite(isBoolean, asText)],
  [3, 'empty strings where null was sent', rewrite(isNull, always('""'))],
  [4, '"null" as a string where null was sent', rewrite(isNull, asText)],
  [3, 'null where empty strings were sent', rewrite(isEmptyText, always('null'))],
];

function asObject(part: JsonTree): JsonTree {
  if (isScalar(part) || isObject(part)) return part;
  return { members: part.members.map(([, item], index) => [`"${index}"`, item]) };
}

const each = (change: (part: JsonTree) => JsonTree) => (tree: JsonTree) =>
  mapTree(tree, (part) => change(part));
const emptyArrays = each((part) =>
  isObject(part) && part.members.length === 0 ? { members: [], isArray: true } : part,
);
const emptyObjects = each((part) => (partsOf(part).length === 0 ? asObject(part) : part));

const containers: Rows = [
  [3, 'empty arrays where empty objects were sent (PHP)', emptyArrays],
  [3, 'empty objects where empty arrays were sent (PHP: JSON_FORCE_OBJECT)', emptyObjects],
  [4, 'objects where arrays were sent (PHP: JSON_FORCE_OBJECT)', each(asObject)],
];

const inJson = (field: string): TreeChange =>
  outer(at(quoted(field), (value) => (isScalar(value) ? value : quoted(writeTree(value, {})))));

const trimmed = rewrite(isText, (raw) => raw.replaceAll(/^"\s+|\s+"$/g, '"'));

const sentence = 'The signed body has %; the body that was sent does not.';
const text = 'The signed body has % as a string of JSON; it was sent as an object or array.';
const ends = 'The strings of the signed body have no %; the strings that were sent do.';

export const valueStage: Stage = [
  ...habits(5, 'number-format', sentence, onTree, forms),
  ...habits(5, 'value-types', sentence, onTree, types),
  ...mistakes('value-types.containers', 'The signed body has %.', onTree, containers),
  ...['items', 'amount', 'customer', 'shipping', 'extraData'].flatMap((field) =>
    about(field, mistakes('value-types.text', text, onTree, [[4, field, inJson(field)]])),
  ),
  ...mistakes('values-trimmed', ends, onTree, [[3, 'white space at their ends', trimmed]]),
];
