import { rows, type FixName, type Row } from '../row.js';
import {
  isArray,
  isNumber,
  isObject,
  isText,
  isToken,
  mapTree,
  plain,
  quoted,
  type Token,
  type Tree,
} from './json-tree.js';
import { htmlEncodings, type Rewrite } from './rewrites.js';

// How numbers, literals, strings and empty values are written.

type Applies = (raw: Token, path: string) => boolean;
type Write = (raw: Token) => string;

const isWhole = (raw: Token) => /^-?\d+$/.test(raw);
const decimals =
  (zeros: string): Write =>
  (raw) =>
    isWhole(raw) ? `${raw}.${zeros}` : raw;
const exponential: Write = (raw) => Number(raw).toExponential();

/** As Double.toString of Java writes it. */
function javaDouble(raw: Token): string {
  if (Math.abs(Number(raw)) < 1e7) return isWhole(raw) ? `${raw}.0` : String(Number(raw));
  const [digits = '', power = ''] = exponential(raw).split('e+');
  return `${digits.includes('.') ? digits : `${digits}.0`}E${power}`;
}

/** As BigDecimal of Java writes a number after stripTrailingZeros(). */
function bigDecimal(raw: Token): string {
  if (!/^-?[1-9]\d*0$/.test(raw)) return raw;
  return exponential(raw).toUpperCase();
}

const isAmount = (path: string) => /(?:^|\.)(?:value|price|totalAmount)$/.test(path);
const isDigits = (raw: Token) => /^"-?\d+(\.\d+)?"$/.test(raw);
const shortest: Write = (raw) => String(Number(plain(raw)));
const amounts: Applies = (raw, path) => isNumber(raw) && isAmount(path);
const amountTexts: Applies = (raw, path) => isDigits(raw) && isAmount(path);

/** Tokens that are written otherwise, how, and in words. A program may have the amounts in another type than other numbers. */
const changes: readonly (readonly [FixName, form: string, what: string, Applies, how: string, Write])[] = [
  ['number-format', 'amounts-float', 'amounts', amounts, 'as floats', decimals('0')],
  ['number-format', 'amounts-decimals', 'amounts', amounts, 'with two decimals', decimals('00')],
  ['number-format', 'amounts-double', 'amounts', amounts, 'as Java doubles', javaDouble],
  ['number-format', 'big-decimal', 'amounts', amounts, 'as BigDecimal without trailing zeros', bigDecimal],
  ['number-format', 'all-float', 'all numbers', isNumber, 'as floats', decimals('0')],
  ['number-format', 'all-double', 'all numbers', isNumber, 'as Java doubles', javaDouble],
  ['number-format', 'shortest', 'all numbers', isNumber, 'in their shortest form', shortest],
  ['value-types', 'amounts-text', 'amounts', amounts, 'as strings', quoted],
  [
    'value-types',
    'amounts-decimals-text',
    'amounts',
    amounts,
    'as strings with two decimals',
    (raw) => quoted(decimals('00')(raw)),
  ],
  ['value-types', 'all-text', 'all numbers', isNumber, 'as strings', quoted],
  ['value-types', 'amounts-number', 'amounts', amountTexts, 'as numbers', shortest],
  ['value-types', 'numeric', 'strings of digits', isDigits, 'as numbers (PHP: JSON_NUMERIC_CHECK)', shortest],
];

const onTexts = (change: Rewrite) => (tree: Tree) =>
  mapTree(tree, (part) => {
    if (!isToken(part) || !isText(part)) return part;
    const text = plain(part);
    const after = change(text);
    return after === text ? part : quoted(after);
  });

export const valueRows: readonly Row<Tree>[] = [
  ...changes.map(([kind, form, what, applies, how, write]): Row<Tree> => {
    const change = (raw: Token, path: string) => (applies(raw, path) ? write(raw) : raw);
    return {
      kind,
      form,
      says(tree) {
        let example = '';
        mapTree(tree, (part, path) => {
          if (!isToken(part) || change(part, path) === part) return part;
          example ||= `: ${change(part, path)} where ${part} was sent`;
          return part;
        });
        return `The signed body has ${what} ${how}${example}.`;
      },
      change: (tree) => mapTree(tree, (part, path) => (isToken(part) ? change(part, path) : part)),
    };
  }),
  {
    kind: 'value-types.containers',
    form: 'arrays',
    says: 'The signed body has empty arrays where empty objects were sent.',
    change: (tree) => mapTree(tree, (part) => (isObject(part) && Object.keys(part).length === 0 ? [] : part)),
  },
  ...rows<Tree>('value-types.containers', 'The signed body has objects where arrays were sent: {"0":…}.', [
    [
      'objects',
      '',
      (tree) =>
        mapTree(tree, (part) =>
          isArray(part) ? Object.fromEntries(part.map((each, index) => [quoted(String(index)), each])) : part,
        ),
    ],
  ]),
  ...rows<Tree>('values-trimmed', 'The signed body has its texts without the white space at their ends.', [
    ['', '', onTexts((text) => text.trim())],
  ]),
  ...rows<Tree>(
    'html-encoded',
    'The signed body has its texts with HTML entities, such as &amp; for &.',
    htmlEncodings.map(([form, encode]) => [form, '', onTexts(encode)]),
  ),
];
