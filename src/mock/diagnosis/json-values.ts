import { python } from './notations.js';
import type { Draft, Ingredient, Stage, Rarity } from './draft.js';
import type { OnTree } from './json-members.js';
import { decoded, isNumber, isObject, isScalar, isText, mapScalars, type JsonTree } from './json-tree.js';
import type { Mistake } from './types.js';

const amounts: ReadonlySet<string> = new Set(['value', 'price', 'totalAmount']);

type Rewrite = (raw: string) => string;

function isWhole(raw: string): boolean {
  return /^-?\d+$/.test(raw);
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

const exponential: Rewrite = (raw) =>
  Number(raw)
    .toExponential()
    .replace(/e([+-])(\d)$/, 'e$10$2');

const numbersFix =
  'Sign and send the same bytes, with whole numbers for VND. Python: int, not float or Decimal. Java: long or BigDecimal, not double. ' +
  '.NET: long or decimal without a scale. PHP: (int), without JSON_PRESERVE_ZERO_FRACTION and JSON_NUMERIC_CHECK. Go: int64, not float64.';

/** The same body with values of another form or type. */
export function valueStage(apply: OnTree): Stage<Draft> {
  const rewrite = (
    id: Mistake,
    rarity: Rarity,
    what: string,
    applies: (raw: string, name: string) => boolean,
    change: Rewrite,
  ): Ingredient<Draft> => ({
    id,
    rarity,
    isHabit: true,
    message: `The signed body has ${what}; the body that was sent has not.`,
    fix: numbersFix,
    apply: apply((tree) => mapScalars(tree, (raw, name) => (applies(raw, name) ? change(raw) : raw))),
  });
  const whole = (raw: string) => isNumber(raw) && isWhole(raw);
  const wholeAmount = (raw: string, name: string) => whole(raw) && amounts.has(name);
  const total = (raw: string, name: string) => whole(raw) && name === 'value';
  const amount = (raw: string, name: string) => isNumber(raw) && amounts.has(name);
  const form = (
    rarity: Rarity,
    what: string,
    applies: (raw: string, name: string) => boolean,
    change: Rewrite,
  ) => rewrite('number-format', rarity, what, applies, change);
  const type = (
    rarity: Rarity,
    what: string,
    applies: (raw: string, name: string) => boolean,
    change: Rewrite,
  ) => rewrite('value-types', rarity, what, applies, change);
  return [
    form(2, 'amounts as floats (12000000.0)', wholeAmount, (raw) => `${raw}.0`),
    form(4, 'all numbers as floats (1.0)', whole, (raw) => `${raw}.0`),
    form(3, 'amounts with two decimals (12000000.00)', wholeAmount, (raw) => `${raw}.00`),
    form(4, 'all numbers with two decimals (1.00)', whole, (raw) => `${raw}.00`),
    form(3, 'amounts as Java doubles (1.2E7)', amount, javaDouble),
    form(4, 'all numbers as Java doubles (1.2E7)', isNumber, javaDouble),
    form(4, 'amounts with an exponent (1.2e+07)', amount, exponential),
    form(4, 'all numbers with an exponent (1.2e+07)', isNumber, exponential),
    form(4, 'amounts with an exponent (1.2e+7)', amount, (raw) => Number(raw).toExponential()),
    form(4, 'amount.value as a float (12000000.0)', total, (raw) => `${raw}.0`),
    form(4, 'amount.value with two decimals (12000000.00)', total, (raw) => `${raw}.00`),
    rewrite('amount-scaled', 4, 'amount.value a hundred times as large', total, (raw) => `${raw}00`),
    type(4, 'amount.value as a string', total, (raw) => `"${raw}"`),
    type(4, 'True, False and None for true, false and null', isLiteral, (raw) => python.scalar(raw)),
    form(2, 'numbers in their shortest form (12000000 for 12000000.0)', isNumber, (raw) =>
      String(Number(raw)),
    ),
    form(4, 'amounts with one decimal (1.0 for 1.00)', amount, (raw) => raw.replace(/\.(\d)0+$/, '.$1')),
    type(3, 'strings where numbers were sent ("12000000")', isNumber, (raw) => `"${raw}"`),
    type(3, 'amounts as strings ("12000000")', amount, (raw) => `"${raw}"`),
    type(4, 'amounts as strings with two decimals ("12000000.00")', wholeAmount, (raw) => `"${raw}.00"`),
    type(
      3,
      'numbers where amounts were sent as strings',
      (raw, name) => amounts.has(name) && isText(raw) && isNumeric(raw),
      (raw) => decoded(raw),
    ),
    type(
      3,
      'numbers where strings of digits were sent (PHP: JSON_NUMERIC_CHECK)',
      (raw) => isText(raw) && isNumeric(raw),
      (raw) => String(Number(decoded(raw))),
    ),
    type(4, '1 and 0 for true and false', isBoolean, (raw) => (raw === 'true' ? '1' : '0')),
    type(4, '"true" and "false" as strings', isBoolean, (raw) => `"${raw}"`),
    type(
      3,
      'empty strings where null was sent',
      (raw) => raw === 'null',
      () => '""',
    ),
    type(
      4,
      '"null" as a string where null was sent',
      (raw) => raw === 'null',
      () => '"null"',
    ),
    type(
      3,
      'null where empty strings were sent',
      (raw) => raw === '""',
      () => 'null',
    ),
    rewriteEmpty('[]', 'empty arrays where empty objects were sent (PHP)', apply),
    rewriteEmpty('{}', 'empty objects where empty arrays were sent (PHP: JSON_FORCE_OBJECT)', apply),
    {
      ...rewriteEmpty('{}', 'objects where arrays were sent (PHP: JSON_FORCE_OBJECT)', apply),
      rarity: 4,
      apply: apply(forcedObjects),
    },
    ...['items', 'amount', 'customer', 'shipping', 'extraData'].map((name) => asText(name, apply)),
    trimmedValues(apply),
  ];
}

function isNumeric(raw: string): boolean {
  return /^"-?\d+(\.\d+)?"$/.test(raw);
}

function isLiteral(raw: string): boolean {
  return isBoolean(raw) || raw === 'null';
}

function isBoolean(raw: string): boolean {
  return raw === 'true' || raw === 'false';
}

function mapEmpty(tree: JsonTree, empty: '[]' | '{}'): JsonTree {
  if (isScalar(tree)) return tree;
  if (isObject(tree)) {
    if (tree.members.length === 0 && empty === '[]') return { items: [] };
    return { members: tree.members.map(([name, value]) => [name, mapEmpty(value, empty)]) };
  }
  if (tree.items.length === 0 && empty === '{}') return { members: [] };
  return { items: tree.items.map((each) => mapEmpty(each, empty)) };
}

/** Every array as an object whose names are its indexes. */
function forcedObjects(tree: JsonTree): JsonTree {
  if (isScalar(tree)) return tree;
  if (isObject(tree)) return { members: tree.members.map(([name, value]) => [name, forcedObjects(value)]) };
  return { members: tree.items.map((item, index) => [`"${index}"`, forcedObjects(item)]) };
}

function rewriteEmpty(empty: '[]' | '{}', what: string, apply: OnTree): Ingredient<Draft> {
  return {
    id: 'value-types',
    rarity: 3,
    message: `The signed body has ${what}.`,
    fix: 'Sign and send the same bytes. PHP: (object) [] for an empty object; decode with json_decode($json), not with json_decode($json, true).',
    apply: apply((tree) => mapEmpty(tree, empty)),
  };
}

function plain(tree: JsonTree): string {
  if (isScalar(tree)) return tree;
  if (isObject(tree)) return `{${tree.members.map(([name, value]) => `${name}:${plain(value)}`).join(',')}}`;
  return `[${tree.items.map(plain).join(',')}]`;
}

/** One field as a string of JSON, or as the JSON inside such a string. */
function asText(field: string, apply: OnTree): Ingredient<Draft> {
  const change = (tree: JsonTree): JsonTree | undefined => {
    if (!isObject(tree)) return undefined;
    const members = tree.members.map(([name, value]) => {
      if (name !== `"${field}"` || isScalar(value)) return [name, value] as const;
      return [name, JSON.stringify(plain(value))] as const;
    });
    return { members };
  };
  return {
    id: 'value-types',
    rarity: 4,
    message: `The signed body has ${field} as a string of JSON; it was sent as an object or array.`,
    fix: `Sign and send the same bytes: serialise ${field} once, together with the body.`,
    apply: apply(change),
  };
}

function trimmedValues(apply: OnTree): Ingredient<Draft> {
  return {
    id: 'values-trimmed',
    rarity: 3,
    message: 'The strings of the signed body have no white space at their ends; those that were sent have.',
    fix: 'Trim the values before the body is serialised, then sign and send the same bytes.',
    apply: apply((tree) =>
      mapScalars(tree, (raw) => (isText(raw) ? raw.replaceAll(/^"\s+|\s+"$/g, '"') : raw)),
    ),
  };
}
