import { signedInvoiceFields, type AbsentFields } from '../../../protocol/canonical-string.js';
import {
  habits,
  listed,
  mistakes,
  onTree,
  rarer,
  type FixName,
  type Rarity,
  type Row,
  type Stage,
  type TreeChange,
} from '../ingredient.js';
import { everywhere, inOrderOf, orders, outer, spellings } from '../tree/members.js';
import { decoded, mapScalars, quoted, type JsonMember } from '../tree/tree.js';
import type { RefusedForm, RefusedRequest } from '../types.js';

/** The fields of a form as a tree: an object of texts. */
export function membersOf(
  fields: readonly (readonly [name: string, value: string])[],
): readonly JsonMember[] {
  return fields.map(([name, value]) => [quoted(name), quoted(value)]);
}

const without = (drop: (name: string, isEmpty: boolean) => boolean) =>
  outer((members) => members.filter(([name, value]) => !drop(decoded(name), value === '""')));

/** Fields that only one of the two strings has. */
export function presenceStage({ fields: sent }: RefusedForm, absent: AbsentFields): Stage {
  const isSent = (name: string) => Object.hasOwn(sent, name);
  const all = membersOf(signedInvoiceFields.map((name) => [name, isSent(name) ? (sent[name] ?? '') : '']));
  const included = 'Fields that were not sent stand in the signed text with %.';
  const omitted = 'Fields that were not sent were left out of the signed text%.';
  const absentFields =
    absent === 'omit'
      ? mistakes('absent-fields-included', included, onTree, [
          [2, 'an empty value; they have to be left out', outer(() => all)],
        ])
      : mistakes('absent-fields-omitted', omitted, onTree, [
          [2, '; they stand in it with an empty value', without((name) => !isSent(name))],
        ]);
  const emptyFields = mistakes('absent-fields-omitted.empty', 'Fields with an empty value were %.', onTree, [
    [2, 'left out of the signed text', without((_name, isEmpty) => isEmpty)],
  ]);
  const single = signedInvoiceFields.map((left): Row<TreeChange> => {
    return [3, `has no ${left}`, without((name) => name === left)];
  });
  const last = [2, 3, 4].map((count): Row<TreeChange> => {
    return [4, `lacks its last ${count} fields`, outer((members) => members.slice(0, -count))];
  });
  return [
    ...habits([...absentFields, ...emptyFields]),
    ...mistakes('field-omitted.upload', 'The signed text %.', onTree, [...single, ...last]),
  ];
}

/** Fields that are not signed and were. */
export function extraFieldsStage(
  { fields: sent, files }: RefusedForm,
  { merchant, request }: RefusedRequest,
): Stage {
  const put = (field: JsonMember, placeOf: (names: readonly string[]) => number) =>
    outer((members) => members.toSpliced(placeOf(members.map(([name]) => decoded(name))), 0, field));
  const extra = (fix: FixName, rarity: Rarity, what: string, name: string, value: string | undefined) => {
    const [field] = membersOf(value === undefined ? [] : [[name, value]]);
    if (!field) return [];
    // Where the specification's table of fields has fileUrl.
    const beforeDescription = (names: readonly string[]) => {
      const index = names.findIndex((each) => each === 'description' || each === 'extraData');
      return index === -1 ? names.length : index;
    };
    const stage = mistakes(fix, '%.', onTree, [
      [rarity, `${what} was signed at the end`, put(field, (names) => names.length)],
      [rarity, `${what} was signed before description`, put(field, beforeDescription)],
      [rarer(rarity, 1), `${what} was signed at the start`, put(field, () => 0)],
    ]);
    // Gateways that have clientId and the like signed have the names sorted, too.
    return habits(stage, fix === 'text-added.field' ? 5 : 2);
  };
  const [file] = files;
  const url = sent['fileUrl'];
  const signed: ReadonlySet<string> = new Set([...signedInvoiceFields, 'fileUrl']);
  const others = Object.entries(sent).filter(([name]) => !signed.has(name));
  return [
    ...extra('file-url-included', 2, 'fileUrl', 'fileUrl', url),
    ...(url === undefined
      ? extra('file-url-included', 3, 'fileUrl, with an empty value,', 'fileUrl', '')
      : []),
    ...extra('file-included', 2, 'file, with the name of the file,', 'file', file?.name),
    ...extra('file-included', 4, 'file, with a path as curl has it (@…),', 'file', file && `@${file.name}`),
    ...extra('file-included', 4, 'fileName', 'fileName', file?.name),
    ...extra('text-added.field', 3, 'clientId', 'clientId', merchant.clientId),
    ...extra('text-added.field', 3, 'requestTime', 'requestTime', request?.requestTime),
    ...extra('text-added.field', 3, 'secretKey', 'secretKey', merchant.secretKey),
    ...extra('file-included', 3, 'file, with an empty value,', 'file', ''),
    ...extra('file-included', 4, 'file, as [object File],', 'file', '[object File]'),
    ...extra('file-included', 4, 'file, as [object Object],', 'file', '[object Object]'),
    ...others.slice(0, 8).flatMap((field) => extra('file-included', 3, field[0].slice(0, 60), ...field)),
  ];
}

function swapped(members: readonly JsonMember[], one: string, other: string): readonly JsonMember[] {
  const [first, second] = [one, other].map((name) => members.find(([each]) => decoded(each) === name));
  if (!first || !second) return members;
  return members.map((member) => (member === first ? second : member === second ? first : member));
}

/** The fields in another order. */
export function fieldOrderStage({ fields: sent }: RefusedForm): Stage {
  const neighbours = signedInvoiceFields.slice(1).map((name, index): Row<TreeChange> => {
    const before = signedInvoiceFields[index] ?? name;
    return [4, `${name} before ${before}`, outer((members) => swapped(members, before, name))];
  });
  const stage = mistakes('field-order.upload', 'The fields were signed in another order: %.', onTree, [
    [2, 'sorted by name', outer(orders.sorted)],
    [2, 'in the order in which they were sent', outer(inOrderOf(Object.keys(sent)))],
    [3, 'reversed', outer(orders.reversed)],
    [4, 'sorted by name without regard to case', outer(orders.withoutCase)],
    [4, 'sorted by value', outer(orders.byValue)],
    ...neighbours,
  ]);
  return habits(stage, 2);
}

/** A text in place of a field that was not sent. */
export function absentTextStage({ fields: sent }: RefusedForm): Stage {
  const isAbsent = (raw: string, name: string) => raw === '""' && !Object.hasOwn(sent, name);
  const inPlace = (text: string) =>
    onTree((tree) => mapScalars(tree, (raw, name) => (isAbsent(raw, name) ? quoted(text) : raw)));
  const sentence = 'Fields that were not sent stand in the signed text as %.';
  return habits(
    mistakes('absent-fields-as-text', sentence, inPlace, [
      ...listed(2, 'null | None | undefined'),
      ...listed(3, 'nil | <nil>'),
      ...listed(4, 'NULL | false | NaN | "" | - | N/A | 0 | [] | {}'),
    ]),
    2,
  );
}

/** The fields under other names. */
export const fieldNamesStage: Stage = habits(
  mistakes('field-names.upload', 'The field names were signed in %.', onTree, [
    [3, 'snake_case (merchant_id)', everywhere(spellings.snake)],
    [3, 'lower case (merchantid)', everywhere(spellings.lower)],
    [3, 'PascalCase (MerchantId)', everywhere(spellings.pascal)],
    [4, 'upper case (MERCHANTID)', everywhere(spellings.upper)],
  ]),
);
