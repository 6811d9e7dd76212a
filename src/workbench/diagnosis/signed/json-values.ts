import type { FixName, Row } from '../row.js';
import { isNumber, isObject, isToken, mapTree, plain, quoted, type Token, type Tree } from './json-tree.js';

// How numbers, literals and empty values are written.

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

/** Tokens that are written otherwise, how, and in words. A program may have the amounts in another type than other numbers. */
const changes: readonly (readonly [what: string, Applies, how: string, Write, FixName])[] = [
  ['amounts', amounts, 'as floats', decimals('0'), 'number-format'],
  ['amounts', amounts, 'with two decimals', decimals('00'), 'number-format'],
  ['amounts', amounts, 'as Java doubles', javaDouble, 'number-format'],
  ['amounts', amounts, 'as BigDecimal without trailing zeros', bigDecimal, 'number-format.big-decimal'],
  ['amounts', amounts, 'as strings', quoted, 'value-types'],
  ['amounts', amounts, 'as strings with two decimals', (raw) => quoted(decimals('00')(raw)), 'value-types'],
  ['all numbers', isNumber, 'as Java doubles', javaDouble, 'number-format'],
  ['all numbers', isNumber, 'in their shortest form', shortest, 'number-format'],
  ['all numbers', isNumber, 'as strings', quoted, 'value-types'],
  ['strings of digits', isDigits, 'as numbers (PHP: JSON_NUMERIC_CHECK)', shortest, 'value-types.numeric'],
];

export const valueRows: readonly Row<Tree>[] = [
  ...changes.map(([what, applies, how, write, fix]): Row<Tree> => {
    const change = (raw: Token, path: string) => (applies(raw, path) ? write(raw) : raw);
    return {
      fix,
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
    fix: 'value-types.containers',
    says: 'The signed body has empty arrays where empty objects were sent.',
    change: (tree) => mapTree(tree, (part) => (isObject(part) && Object.keys(part).length === 0 ? [] : part)),
  },
];
