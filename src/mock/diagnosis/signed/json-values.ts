import { rows, type Row } from '../row.js';
import type { JsonDraft } from './json-draft.js';
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

// How numbers, literals and empty values are written.

type Applies = (raw: Token, name: string) => boolean;

const parts =
  (change: (part: Tree, name: string) => Tree): Row<JsonDraft>['change'] =>
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

/** Numbers in the forms of languages, with 12000000 as the example. */
const forms: readonly (readonly [what: string, by: string, change: (raw: Token) => string])[] = [
  ['as floats (12000000.0)', 'php python ruby gson dotnet jackson', decimals('0')],
  ['with two decimals (12000000.00)', 'php python ruby dotnet jackson', decimals('00')],
  ['as Java doubles (1.2E7)', 'gson jackson', javaDouble],
  [
    'as BigDecimal without zeros at its end (1.2E+7)',
    'gson jackson',
    (raw) => exponential(raw).toUpperCase(),
  ],
  ['with an exponent (1.2e+07)', 'go', (raw) => exponential(raw).replace(/\+(\d)$/, '+0$1')],
  ['as strings ("12000000")', 'php python dotnet gson jackson javascript', quoted],
  ['as strings with two decimals ("12000000.00")', 'php python', (raw) => quoted(decimals('00')(raw))],
];

const isAmount = (name: string) => ['value', 'price', 'totalAmount'].includes(name);
/** The numbers that a program may hold in another type than the rest. */
const scopes: readonly (readonly [which: string, applies: Applies])[] = [
  ['amounts', (raw, name) => isNumber(raw) && isAmount(name)],
  ['all numbers', isNumber],
  ['amount.value', (raw, name) => isNumber(raw) && name === 'value'],
];

const says = 'The signed body has %; the body that was sent does not.';
const isDigits = (raw: Token) => /^"-?\d+(\.\d+)?"$/.test(raw);
const isDigitsAmount: Applies = (raw, name) => isAmount(name) && isDigits(raw);
const isTrueOrFalse = (raw: Token) => raw === 'true' || raw === 'false';
const shortest = (raw: Token) => String(Number(plain(raw)));
const isEmptyObject = (part: Tree) => isObject(part) && Object.keys(part).length === 0;
const asObject = (part: Tree): Tree =>
  isArray(part) ? Object.fromEntries(part.map((each, index) => [quoted(String(index)), each])) : part;
const trimmed = (raw: Token) => raw.replaceAll(/^"\s+|\s+"$/g, '"');

export const valueRows = [
  ...forms.flatMap(([what, by, change]) => {
    const fix = what.startsWith('as strings') ? 'value-types' : 'number-format';
    return scopes.flatMap(([which, applies]) =>
      rows<JsonDraft>(fix, says, [[`${which} ${what}`, tokens(applies, change)]], by),
    );
  }),
  ...rows<JsonDraft>(
    'value-types',
    says,
    [
      [
        'numbers in their shortest form (12000000 for 12000000.0)',
        tokens(isNumber, shortest),
        { fix: 'number-format' },
      ],
      ['numbers where amounts were sent as strings', tokens(isDigitsAmount, plain)],
      ['numbers for strings of digits (PHP: JSON_NUMERIC_CHECK)', tokens(isDigits, shortest)],
      ['1 and 0 for true and false', tokens(isTrueOrFalse, (raw) => (raw === 'true' ? '1' : '0'))],
      ['true and false as strings', tokens(isTrueOrFalse, quoted)],
      [
        'empty strings where null was sent',
        tokens(
          (raw) => raw === 'null',
          () => '""',
        ),
      ],
      [
        'null where empty strings were sent',
        tokens(
          (raw) => raw === '""',
          () => 'null',
        ),
      ],
      ['strings without the white space at their ends', tokens(isText, trimmed), { fix: 'values-trimmed' }],
    ],
    'php javascript',
  ),
  ...rows<JsonDraft>(
    'value-types.containers',
    'The signed body has %.',
    [
      ['empty arrays where empty objects were sent', parts((part) => (isEmptyObject(part) ? [] : part))],
      [
        'empty objects where empty arrays were sent',
        parts((part) => (isArray(part) && part.length === 0 ? {} : part)),
      ],
      ['objects where arrays were sent (JSON_FORCE_OBJECT)', parts(asObject)],
    ],
    'php',
  ),
];
