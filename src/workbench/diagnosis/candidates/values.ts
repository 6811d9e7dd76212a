import { rowsOf } from '../mistake.js';
import { onTree } from './candidate.js';
import { htmlEncodings, type Rewrite } from './rewrites.js';
import { isArray, isObject, isText, isToken, mapTree, plain, quoted, type Token, type Tree } from './tree.js';

// The ways of writing numbers, strings and empty values.

type Applies = (raw: Token, path: string) => boolean;

/** Changes the tokens for which `applies` is true. */
export const onTokens = (applies: Applies, write: Rewrite) => (tree: Tree) =>
  mapTree(tree, (part, path) => (isToken(part) && applies(part, path) ? write(part) : part));

/** Changes the text of each string. */
export const onStrings = (change: Rewrite) =>
  onTokens(isText, (raw) => {
    const [before, after] = [plain(raw), change(plain(raw))];
    return before === after ? raw : quoted(after);
  });

const isNumber = (raw: Token) => /^[-\d]/.test(raw);
const isWhole = (raw: Token) => /^-?\d+$/.test(raw);
const isDigits = (raw: Token) => /^"-?\d+(\.\d+)?"$/.test(raw);
// A program can store the amounts in a different type from other numbers.
const inAmount = (path: string) => /(?:^|\.)(?:value|price|totalAmount)$/.test(path);
const isAmount: Applies = (raw, path) => isNumber(raw) && inAmount(path);
const isAmountText: Applies = (raw, path) => isDigits(raw) && inAmount(path);

const decimals =
  (zeros: string): Rewrite =>
  (raw) =>
    isWhole(raw) ? `${raw}.${zeros}` : raw;
const shortest: Rewrite = (raw) => String(Number(plain(raw)));

/** Writes a number like Java's `Double.toString`. */
function javaDouble(raw: Token): string {
  if (Math.abs(Number(raw)) < 1e7) return isWhole(raw) ? `${raw}.0` : shortest(raw);
  const [digits = '', power = ''] = Number(raw).toExponential().split('e+');
  return `${digits.includes('.') ? digits : `${digits}.0`}E${power}`;
}

/** Writes a number like Java's `BigDecimal` after `stripTrailingZeros()`. */
const bigDecimal: Rewrite = (raw) =>
  /^-?[1-9]\d*0$/.test(raw) ? Number(raw).toExponential().toUpperCase() : raw;

/** The first token that differs, in its signed form and in its sent form. */
function firstChange(before: Tree, after: Tree): string {
  const tokensOf = (tree: Tree) => {
    const tokens: Token[] = [];
    mapTree(tree, (part) => {
      if (isToken(part)) tokens.push(part);
      return part;
    });
    return tokens;
  };
  const sent = tokensOf(before);
  const [index = 0, signed = ''] = [...tokensOf(after).entries()].find(([at, raw]) => raw !== sent[at]) ?? [];
  return `${signed} instead of ${sent[index] ?? ''}`;
}

/** Steps that change the texts of all strings. */
export const stringSteps = onTree({
  'values-trimmed': onStrings((text) => text.trim()),
  ...rowsOf('html-encoded', htmlEncodings, onStrings),
});

export const valueSteps = [
  ...onTree(
    {
      'number-format.amounts-float': onTokens(isAmount, decimals('0')),
      'number-format.amounts-decimals': onTokens(isAmount, decimals('00')),
      'number-format.amounts-double': onTokens(isAmount, javaDouble),
      'number-format.big-decimal': onTokens(isAmount, bigDecimal),
      'number-format.all-float': onTokens(isNumber, decimals('0')),
      'number-format.all-double': onTokens(isNumber, javaDouble),
      'number-format.shortest': onTokens(isNumber, shortest),
      'value-types.amounts-text': onTokens(isAmount, quoted),
      'value-types.amounts-decimals-text': onTokens(isAmount, (raw) => quoted(decimals('00')(raw))),
      'value-types.all-text': onTokens(isNumber, quoted),
      'value-types.amounts-number': onTokens(isAmountText, shortest),
      'value-types.numeric': onTokens(isDigits, shortest),
      'value-types.containers.arrays': (tree) =>
        mapTree(tree, (part) => (isObject(part) && Object.keys(part).length === 0 ? [] : part)),
      'value-types.containers.objects': (tree) =>
        mapTree(tree, (part) => {
          if (!isArray(part)) return part;
          return Object.fromEntries(part.map((each, index) => [quoted(String(index)), each]));
        }),
    },
    firstChange,
  ),
  ...stringSteps,
];
