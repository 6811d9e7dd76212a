import { signedInvoiceFields } from '../../protocol/canonical-string.js';
import { rarer, type Draft, type Field, type Ingredient, type Rarity, type Stage } from './draft.js';
import type { Mistake, RefusedForm, RefusedRequest } from './types.js';

/** Fields as the canonical string has them. */
export function joined(fields: readonly Field[]): string {
  return fields.map(([name, value]) => `${name}=${value}`).join('&');
}

type ChangeFields = (fields: readonly Field[]) => readonly Field[];

/** A mistake in the fields of a canonical string. */
export function onFields(
  id: Mistake,
  rarity: Rarity,
  message: string,
  fix: string,
  change: ChangeFields,
): Ingredient<Draft> {
  const apply = ({ fields }: Draft): Draft | undefined => {
    if (fields === undefined) return undefined;
    const changed = change(fields);
    return { fields: changed, text: joined(changed) };
  };
  // What http_build_query and the like do at once.
  return { id, rarity, message, fix, apply, isHabit: rarity === 2 };
}

const order = signedInvoiceFields.join(', ');
const allFields = `All eight names stand in the canonical string, in this order: ${order}.`;
const names: ReadonlySet<string> = new Set(signedInvoiceFields);

/** Fields that only one of the two strings has. */
export function presenceStage({ fields: sent }: RefusedForm, absentFields: 'empty' | 'omit'): Stage<Draft> {
  const isSent = (name: string) => Object.hasOwn(sent, name);
  const omitted = onFields(
    'absent-fields-omitted',
    2,
    'Fields that were not sent were left out of the signed text; they stand in it with an empty value.',
    `${allFields} A field that is not sent has an empty value. PHP: no array_filter; Python: fields.get(name, "").`,
    (fields) => fields.filter(([name]) => isSent(name)),
  );
  const included = onFields(
    'absent-fields-included',
    2,
    'Fields that were not sent stand in the signed text with an empty value; they have to be left out.',
    'Sign only the fields that are sent, in the documented order.',
    () => signedInvoiceFields.map((name): Field => [name, isSent(name) ? (sent[name] ?? '') : '']),
  );
  const single = signedInvoiceFields.map((left) =>
    onFields('field-omitted', 3, `The signed text has no ${left}.`, allFields, (fields) =>
      fields.filter(([name]) => name !== left),
    ),
  );
  const emptyOmitted = onFields(
    'absent-fields-omitted',
    2,
    'Fields with an empty value were left out of the signed text.',
    `${allFields} A field with an empty value stands there too.`,
    (fields) => fields.filter(([, value]) => value !== ''),
  );
  const lastOmitted = [1, 2, 3].map((count) =>
    onFields('field-omitted', 4, `The signed text lacks its last ${count + 1} fields.`, allFields, (fields) =>
      fields.slice(0, -(count + 1)),
    ),
  );
  return [absentFields === 'omit' ? included : omitted, emptyOmitted, ...single, ...lastOmitted];
}

/** Fields that are not signed and were. */
export function extraFieldsStage(
  { fields: sent, files }: RefusedForm,
  { merchant, request }: RefusedRequest,
): Stage<Draft> {
  const beforeDescription = (fields: readonly Field[], field: Field): Field[] => {
    const index = fields.findIndex(([name]) => name === 'description' || name === 'extraData');
    return index === -1 ? [...fields, field] : [...fields.slice(0, index), field, ...fields.slice(index)];
  };
  const fileFix =
    'Sign the eight textual fields alone: nothing else is part of the signature, file and fileUrl included.';
  const extra = (id: Mistake, rarity: Rarity, what: string, field: Field): Stage<Draft> => [
    onFields(id, rarity, `${what} was signed at the end.`, fileFix, (fields) => [...fields, field]),
    // Where the specification's table of fields has them.
    onFields(id, rarity, `${what} was signed before description.`, fileFix, (fields) =>
      beforeDescription(fields, field),
    ),
    onFields(id, rarer(rarity, 1), `${what} was signed at the start.`, fileFix, (fields) => [
      field,
      ...fields,
    ]),
  ];
  const others = Object.entries(sent).filter(([name]) => !names.has(name));
  const parts = [
    ['clientId', merchant.clientId],
    ['requestTime', request?.requestTime],
    ['secretKey', merchant.secretKey],
  ] as const;
  const [file] = files;
  const url = sent['fileUrl'];
  return [
    ...(url === undefined ? [] : extra('file-url-included', 2, 'fileUrl', ['fileUrl', url])),
    ...(url === undefined
      ? extra('file-url-included', 3, 'fileUrl, with an empty value,', ['fileUrl', ''])
      : []),
    ...(file === undefined
      ? []
      : [
          ...extra('file-included', 2, 'file, with the name of the file,', ['file', file.name]),
          ...extra('file-included', 4, 'file, with a path as curl has it (@…),', ['file', `@${file.name}`]),
          ...extra('file-included', 4, 'fileName', ['fileName', file.name]),
        ]),
    ...parts.flatMap(([name, value]) =>
      value === undefined
        ? []
        : // Gateways that have these signed have the names sorted, too.
          extra('text-added', 3, name, [name, value]).map((each) => ({ ...each, isHabit: true })),
    ),
    ...extra('file-included', 3, 'file, with an empty value,', ['file', '']),
    ...extra('file-included', 4, 'file, as [object File],', ['file', '[object File]']),
    ...extra('file-included', 4, 'file, as [object Object],', ['file', '[object Object]']),
    ...others
      .filter(([name]) => name !== 'fileUrl')
      .slice(0, 8)
      .flatMap(([name, value]) => extra('file-included', 3, name.slice(0, 60), [name, value])),
  ];
}

/** The fields in another order. */
export function fieldOrderStage({ fields: sent }: RefusedForm): Stage<Draft> {
  const message = 'The fields were signed in another order';
  const fix = `The order is fixed, whatever the order in which the fields are sent: ${order}. PHP: no ksort. Python: no sorted().`;
  const inOrder = (what: string, rarity: Rarity, change: ChangeFields) =>
    onFields('field-order', rarity, `${message}: ${what}.`, fix, change);
  const byBytes = (a: string, b: string) => (a < b ? -1 : Number(a > b));
  const position = (name: string) => {
    const index = Object.keys(sent).indexOf(name);
    return index === -1 ? Infinity : index;
  };
  return [
    inOrder('sorted by name', 2, (fields) => fields.toSorted(([a], [b]) => byBytes(a, b))),
    inOrder('in the order in which they were sent', 2, (fields) =>
      fields.toSorted(([a], [b]) => (position(a) === position(b) ? 0 : position(a) - position(b))),
    ),
    inOrder('reversed', 3, (fields) => fields.toReversed()),
    inOrder('sorted by name without regard to case', 4, (fields) =>
      fields.toSorted(([a], [b]) => byBytes(a.toLowerCase(), b.toLowerCase())),
    ),
    inOrder('sorted by value', 4, (fields) => fields.toSorted(([, a], [, b]) => byBytes(a, b))),
    ...signedInvoiceFields.slice(0, -1).flatMap((name, index) => {
      const next = signedInvoiceFields[index + 1] ?? name;
      return inOrder(`${next} before ${name}`, 4, (fields) => swapped(fields, name, next));
    }),
  ];
}

function swapped(fields: readonly Field[], one: string, other: string): readonly Field[] {
  const pick = (name: string) => fields.find(([each]) => each === name);
  const [first, second] = [pick(one), pick(other)];
  if (!first || !second) return fields;
  return fields.map((field) => (field === first ? second : field === second ? first : field));
}

/** What stands in place of a field that was not sent. */
export function absentTextStage({ fields: sent }: RefusedForm): Stage<Draft> {
  const fix =
    'A field that is not sent has an empty value. Python: value or "". JavaScript: value ?? "". Java: Objects.toString(value, "").';
  const texts = [
    ['null', 2],
    ['None', 2],
    ['undefined', 2],
    ['nil', 3],
    ['<nil>', 3],
    ['NULL', 4],
    ['false', 4],
    ['NaN', 4],
    ['""', 4],
    ['-', 4],
    ['N/A', 4],
    ['0', 4],
    ['[]', 4],
    ['{}', 4],
  ] as const;
  return texts.map(([text, rarity]) =>
    onFields(
      'absent-fields-as-text',
      rarity,
      `Fields that were not sent stand in the signed text as ${text}.`,
      fix,
      (fields) =>
        fields.map(([name, value]): Field => [
          name,
          value === '' && !Object.hasOwn(sent, name) ? text : value,
        ]),
    ),
  );
}

function fieldNames(what: string, rarity: Rarity, rename: (name: string) => string): Ingredient<Draft> {
  const fix = 'Sign the field names as they are documented.';
  const message = `The field names were signed in ${what}.`;
  const renamed = onFields('field-names', rarity, message, fix, (fields) =>
    fields.map(([name, value]): Field => [rename(name), value]),
  );
  return { ...renamed, isHabit: true };
}

/** The fields under other names. */
export const fieldNamesStage: Stage<Draft> = [
  fieldNames('snake_case (merchant_id)', 3, (name) =>
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ),
  fieldNames('lower case (merchantid)', 3, (name) => name.toLowerCase()),
  fieldNames('PascalCase (MerchantId)', 3, (name) => name.replace(/^./, (letter) => letter.toUpperCase())),
  fieldNames('upper case (MERCHANTID)', 4, (name) => name.toUpperCase()),
];
