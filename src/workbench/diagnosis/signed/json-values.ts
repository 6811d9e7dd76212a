import { rows, type Row } from '../row.js';
import {
  isNumber,
  isObject,
  isToken,
  mapTree,
  plain,
  quoted,
  type JsonDraft,
  type Token,
  type Tree,
} from './json-tree.js';

// How numbers, literals and empty values are written.

type Applies = (raw: Token, name: string) => boolean;
type Change = Row<JsonDraft>['change'];

const parts =
  (change: (part: Tree, name: string) => Tree): Change =>
  (draft) => ({ ...draft, tree: mapTree(draft.tree, change) });
const tokens = (applies: Applies, change: (raw: Token) => string) =>
  parts((part, name) => (isToken(part) && applies(part, name) ? change(part) : part));

const isWhole = (raw: Token) => /^-?\d+$/.test(raw);
const decimals = (zeros: string) => (raw: Token) => (isWhole(raw) ? `${raw}.${zeros}` : raw);
const exponential = (raw: Token) => Number(raw).toExponential();

/** As Double.toString of Java writes it. */
function javaDouble(raw: Token): string {
  if (Math.abs(Number(raw)) < 1e7) return isWhole(raw) ? `${raw}.0` : String(Number(raw));
  const [digits = '', power = ''] = exponential(raw).split('e+');
  return `${digits.includes('.') ? digits : `${digits}.0`}E${power}`;
}

const isAmount = (name: string) => ['value', 'price', 'totalAmount'].includes(name);
const amounts: Applies = (raw, name) => isNumber(raw) && isAmount(name);
/** A program may hold the amounts in another type than the other numbers. */
const numbers = (what: string, change: (raw: Token) => string, by?: string) =>
  [
    [`amounts ${what}`, tokens(amounts, change), by],
    [`all numbers ${what}`, tokens(isNumber, change)],
  ] as const;

const says = 'The signed body has %; the body that was sent does not.';
const isDigits = (raw: Token) => /^"-?\d+(\.\d+)?"$/.test(raw);
const shortest = (raw: Token) => String(Number(plain(raw)));
const isEmptyObject = (part: Tree) => isObject(part) && Object.keys(part).length === 0;

/** With 12000000 as the example. */
export const valueRows = [
  ...rows<JsonDraft>('number-format', says, [
    ...numbers('as floats (12000000.0)', decimals('0'), 'python'),
    ...numbers('with two decimals (12000000.00)', decimals('00'), 'dotnet'),
    ...numbers('as Java doubles (1.2E7)', javaDouble, 'java'),
    ...numbers('as BigDecimal (1.2E+7)', (raw) => exponential(raw).toUpperCase()),
    ...numbers('as floats of Go (1.2e+07)', (raw) => exponential(raw).replace(/\+(\d)$/, '+0$1'), 'go'),
    ['numbers in their shortest form (12000000 for 12000000.0)', tokens(isNumber, shortest)],
  ]),
  ...rows<JsonDraft>('value-types', says, [
    ...numbers('as strings ("12000000")', quoted, 'php'),
    ...numbers('as strings with two decimals ("12000000.00")', (raw) => quoted(decimals('00')(raw))),
    [
      'numbers where amounts were sent as strings',
      tokens((raw, name) => isAmount(name) && isDigits(raw), plain),
    ],
    ['numbers for strings of digits (PHP: JSON_NUMERIC_CHECK)', tokens(isDigits, shortest), 'php'],
  ]),
  ...rows<JsonDraft>('value-types.containers', says, [
    ['empty arrays where objects were sent', parts((part) => (isEmptyObject(part) ? [] : part)), 'php'],
  ]),
];
