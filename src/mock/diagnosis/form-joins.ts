import { rarer, type Draft, type Field, type Ingredient, type Rarity, type Stage } from './draft.js';
import { joined } from './form-fields.js';
import type { Mistake, RefusedForm } from './types.js';
import { signedInvoiceFields } from '../../protocol/canonical-string.js';

function join(
  id: Mistake,
  rarity: Rarity,
  message: string,
  fix: string,
  write: (fields: readonly Field[]) => string,
): Ingredient<Draft> {
  return {
    id,
    rarity,
    message,
    fix,
    isHabit: id === 'other-notation',
    apply: ({ fields }) => (fields === undefined ? undefined : { text: write(fields) }),
  };
}

const canonicalFix =
  'Join name=value pairs by &, with nothing before, after or between them: merchantId=…&referenceId=…';

function separators(
  rarity: Rarity,
  what: string,
  write: (fields: readonly Field[]) => string,
): Ingredient<Draft> {
  return join('separators', rarity, `The fields were signed ${what}.`, canonicalFix, write);
}

function pairs(equals: string, between: string) {
  return (fields: readonly Field[]) => fields.map(([name, value]) => name + equals + value).join(between);
}

function values(between: string) {
  return (fields: readonly Field[]) => fields.map(([, value]) => value).join(between);
}

const betweens = [
  '|',
  ',',
  ';',
  '\n',
  '',
  ', ',
  ' ',
  ':',
  '&amp;',
  '\r\n',
  ' & ',
  '-',
  '.',
  '#',
  '||',
  '_',
  '+',
];

function named(between: string): string {
  return between === '' ? 'with nothing between them' : `joined by ${JSON.stringify(between)}`;
}

type JsonOf = (form: RefusedForm) => unknown;

const sentFields: JsonOf = ({ fields }) => ({ ...fields });
const signedFields: JsonOf = ({ fields }) =>
  Object.fromEntries(
    signedInvoiceFields.filter((name) => Object.hasOwn(fields, name)).map((name) => [name, fields[name]]),
  );
const allFields =
  (absent: string | null): JsonOf =>
  ({ fields }) =>
    Object.fromEntries(
      signedInvoiceFields.map((name) => [name, Object.hasOwn(fields, name) ? fields[name] : absent]),
    );
const sorted =
  (inner: JsonOf): JsonOf =>
  (form) =>
    Object.fromEntries(Object.entries(Object(inner(form)) as object).sort(([a], [b]) => (a < b ? -1 : 1)));

const jsonSources: readonly (readonly [what: string, source: JsonOf])[] = [
  ['the fields that were sent', sentFields],
  ['the signed fields that were sent', signedFields],
  ['all eight fields, with empty strings', allFields('')],
  ['all eight fields, with null', allFields(null)],
  ['the fields that were sent, sorted by name', sorted(sentFields)],
  ['all eight fields, sorted by name', sorted(allFields(''))],
];

const jsonWritings: readonly (readonly [how: string, rarity: Rarity, write: (value: unknown) => string])[] = [
  ['', 2, (value) => JSON.stringify(value)],
  [
    ', with a space after each comma and colon',
    2,
    (value) =>
      JSON.stringify(value, null, 1)
        .replaceAll(/\n\s*(?=\})/g, '')
        .replace(/^\{\n\s*/, '{')
        .replaceAll(/,\n\s*/g, ', '),
  ],
  [', indented by 2 spaces', 4, (value) => JSON.stringify(value, null, 2)],
  [', indented by 4 spaces', 4, (value) => JSON.stringify(value, null, 4)],
];

function jsonIngredients(form: RefusedForm): Stage<Draft> {
  return jsonSources.flatMap(([what, source], index) =>
    jsonWritings.map(([how, rarity, write]): Ingredient<Draft> => ({
      id: 'body-signed',
      rarity: rarer(rarity, index > 1 ? 1 : 0),
      isHabit: true,
      message: `JSON of ${what}${how} was signed; the canonical string has to be signed.`,
      fix: canonicalFix,
      apply: () => ({ text: write(source(form)) }),
    })),
  );
}

/** The fields joined in another way. */
export function joinStage(form: RefusedForm): Stage<Draft> {
  return [
    separators(2, 'with & after the last one', (fields) => `${joined(fields)}&`),
    separators(3, 'with & before the first one', (fields) => `&${joined(fields)}`),
    separators(3, 'with ? before the first one', (fields) => `?${joined(fields)}`),
    ...betweens.map((between, index) =>
      separators(index < 2 ? 2 : 3, `as name=value, ${named(between)}`, pairs('=', between)),
    ),
    separators(3, 'with : for =, joined by "&"', pairs(':', '&')),
    separators(3, 'with : for =, joined by ","', pairs(':', ',')),
    separators(3, 'with : for =, joined by line feeds', pairs(':', '\n')),
    separators(4, 'with ": " for =, joined by line feeds', pairs(': ', '\n')),
    separators(4, 'with " = " for =, joined by " & "', pairs(' = ', ' & ')),
    separators(3, 'without =, joined by nothing', pairs('', '')),
    separators(4, 'without =, joined by "&"', pairs('', '&')),
    separators(4, 'as name=value, each ended by a line feed', (fields) => `${pairs('=', '\n')(fields)}\n`),
    separators(4, 'as name=value, each ended by "|"', (fields) => `${pairs('=', '|')(fields)}|`),
    ...['', '|', '&', ',', '\n', ':', ';', '.', '-', ' ', '_', '#'].map((between, index) =>
      separators(index < 2 ? 2 : 3, `without their names, ${named(between)}`, values(between)),
    ),
    join(
      'other-notation',
      3,
      'The fields were signed as toString() of a Java map ({a=b, c=d}).',
      canonicalFix,
      (fields) => `{${pairs('=', ', ')(fields)}}`,
    ),
    join(
      'other-notation',
      3,
      'The fields were signed as str() of a Python dict.',
      canonicalFix,
      (fields) =>
        `{${fields.map(([name, value]) => `'${name}': '${value.replaceAll('\n', '\\n')}'`).join(', ')}}`,
    ),
    join('other-notation', 4, 'The fields were signed as XML.', canonicalFix, (fields) =>
      fields.map(([name, value]) => `<${name}>${value}</${name}>`).join(''),
    ),
    ...jsonIngredients(form),
  ];
}
