import { signedInvoiceFields, type AbsentFields } from '../../../protocol/canonical-string.js';
import {
  asHabits,
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

type Fields = RefusedForm['fields'];

export function fieldOf(fields: Fields, name: string): string | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** The signed fields as members of a tree; `absent` is the value of those that were not sent, if they are in it. */
export function signedMembers(fields: Fields, absent?: string): JsonMember[] {
  return signedInvoiceFields.flatMap((name): JsonMember[] => {
    const value = fieldOf(fields, name);
    const written = value === undefined ? absent : quoted(value);
    return written === undefined ? [] : [[quoted(name), written]];
  });
}

const without = (drop: (name: string, isEmpty: boolean) => boolean) =>
  outer((members) => members.filter(([name, value]) => !drop(decoded(name), value === '""')));

/** Fields that only one of the two strings has. */
export function presenceStage({ fields }: RefusedForm, absent: AbsentFields): Stage {
  const isAbsent = (name: string) => fieldOf(fields, name) === undefined;
  const included = 'Fields that were not sent stand in the signed text with %.';
  const omitted = 'Fields that were not sent were left out of the signed text%.';
  const absentFields =
    absent === 'omit'
      ? mistakes('absent-fields-included', included, onTree, [
          [2, 'an empty value; they have to be left out', outer(() => signedMembers(fields, '""'))],
        ])
      : mistakes('absent-fields-omitted', omitted, onTree, [
          [2, '; they stand in it with an empty value', without(isAbsent)],
        ]);
  const emptyFields = mistakes('absent-fields-omitted.empty', 'Fields with an empty value were %.', onTree, [
    [2, 'left out of the signed text', without((_name, isEmpty) => isEmpty)],
  ]);
  return [
    ...asHabits(5, [...absentFields, ...emptyFields]),
    ...mistakes('field-omitted.upload', 'The signed text %.', onTree, [
      ...signedInvoiceFields.map((left): Row<TreeChange> => {
        return [3, `has no ${left}`, without((name) => name === left)];
      }),
      ...[2, 3, 4].map((count): Row<TreeChange> => {
        return [4, `lacks its last ${count} fields`, outer((members) => members.slice(0, -count))];
      }),
    ]),
  ];
}

/** A field that is not signed and was. */
function extra(fix: FixName, rarity: Rarity, what: string, name: string, value: string | undefined): Stage {
  if (value === undefined) return [];
  const put = (placeOf: (members: readonly JsonMember[]) => number) =>
    outer((members) => members.toSpliced(placeOf(members), 0, [quoted(name), quoted(value)]));
  // Where the specification's table of fields has fileUrl.
  const beforeDescription = (members: readonly JsonMember[]) => {
    const index = members.findIndex(([each]) => each === '"description"' || each === '"extraData"');
    return index === -1 ? members.length : index;
  };
  // Gateways that have clientId and the like signed have the names sorted, too.
  const upTo = fix === 'text-added.field' ? 5 : 2;
  return habits(upTo, fix, '%.', onTree, [
    [rarity, `${what} was signed at the end`, put((members) => members.length)],
    [rarity, `${what} was signed before description`, put(beforeDescription)],
    [rarer(rarity, 1), `${what} was signed at the start`, put(() => 0)],
  ]);
}

const mostOthers = 8;

export function extraFieldsStage(
  { fields, files: [file] }: RefusedForm,
  { merchant, request }: RefusedRequest,
): Stage {
  const url = fieldOf(fields, 'fileUrl');
  const noUrl = url === undefined ? '' : undefined;
  const known: ReadonlySet<string> = new Set([...signedInvoiceFields, 'fileUrl']);
  const others = Object.entries(fields).filter(([name]) => !known.has(name));
  return [
    ...extra('file-url-included', 2, 'fileUrl', 'fileUrl', url),
    ...extra('file-url-included', 3, 'fileUrl, with an empty value,', 'fileUrl', noUrl),
    ...extra('file-included', 2, 'file, with the name of the file,', 'file', file?.name),
    ...extra('file-included', 4, 'file, with a path as curl has it (@…),', 'file', file && `@${file.name}`),
    ...extra('file-included', 4, 'fileName', 'fileName', file?.name),
    ...extra('text-added.field', 3, 'clientId', 'clientId', merchant.clientId),
    ...extra('text-added.field', 3, 'requestTime', 'requestTime', request?.requestTime),
    ...extra('text-added.field', 3, 'secretKey', 'secretKey', merchant.secretKey),
    ...extra('file-included', 3, 'file, with an empty value,', 'file', ''),
    ...extra('file-included', 4, 'file, as [object File],', 'file', '[object File]'),
    ...extra('file-included', 4, 'file, as [object Object],', 'file', '[object Object]'),
    ...others.slice(0, mostOthers).flatMap(([name, value]) => {
      return extra('file-included', 3, name.slice(0, 60), name, value);
    }),
  ];
}

function swapped(members: readonly JsonMember[], one: string, other: string): readonly JsonMember[] {
  const [first, second] = [one, other].map((name) => members.find(([each]) => decoded(each) === name));
  if (!first || !second) return members;
  return members.map((member) => (member === first ? second : member === second ? first : member));
}

export function fieldOrderStage({ fields }: RefusedForm): Stage {
  const neighbours = signedInvoiceFields.slice(1).map((name, index): Row<TreeChange> => {
    const before = signedInvoiceFields[index] ?? name;
    return [4, `${name} before ${before}`, outer((members) => swapped(members, before, name))];
  });
  return habits(2, 'field-order.upload', 'The fields were signed in another order: %.', onTree, [
    [2, 'sorted by name', outer(orders.sorted)],
    [2, 'in the order in which they were sent', outer(inOrderOf(Object.keys(fields)))],
    [3, 'reversed', outer(orders.reversed)],
    [4, 'sorted by value', outer(orders.byValue)],
    ...neighbours,
  ]);
}

/** A text in place of a field that was not sent. */
export function absentTextStage({ fields }: RefusedForm): Stage {
  const isAbsent = (raw: string, name: string) => raw === '""' && fieldOf(fields, name) === undefined;
  const inPlace = (text: string) =>
    onTree((tree) => mapScalars(tree, (raw, name) => (isAbsent(raw, name) ? quoted(text) : raw)));
  const sentence = 'Fields that were not sent stand in the signed text as %.';
  return habits(2, 'absent-fields-as-text', sentence, inPlace, [
    ...listed(2, 'null | None | undefined'),
    ...listed(3, 'nil | <nil>'),
    ...listed(4, 'NULL | false | NaN | "" | - | N/A | 0 | [] | {}'),
  ]);
}

export const fieldNamesStage = habits(5, 'field-names.upload', 'The field names were signed in %.', onTree, [
  [3, 'snake_case (merchant_id)', everywhere(spellings.snake)],
  [3, 'lower case (merchantid)', everywhere(spellings.lower)],
  [3, 'PascalCase (MerchantId)', everywhere(spellings.pascal)],
  [4, 'upper case (MERCHANTID)', everywhere(spellings.upper)],
]);
