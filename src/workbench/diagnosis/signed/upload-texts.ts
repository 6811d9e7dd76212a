import { signedInvoiceFields } from '../../../protocol/canonical-string.js';
import { vietnamOffsetMinutes } from '../../../protocol/timestamps.js';
import { mistake, rows, type Mistake, type Row } from '../row.js';
import type { RefusedForm, RefusedRequest } from '../../../mock/observation.js';
import { inAscii, phpDefault } from './json-styles.js';
import { compact, quoted, readTree, writeTree, type Layout, type Tree } from './json-tree.js';
import { python } from './other-notations.js';
import {
  draftOf,
  onData,
  onText,
  onWrite,
  type List,
  type Step,
  type Text,
  type Texts,
  type Write,
} from './drafts.js';
import { htmlEncodings, percentEncodings } from './rewrites.js';
import { wholeTextLists } from './whole-text.js';

/** The fields that were signed, in their order. */
type Fields = readonly (readonly [name: string, value: string])[];

/** The same fields if none differs, so that a row without an effect is known. */
function changed(fields: Fields, after: Fields): Fields {
  const isSame = (index: number) =>
    after[index]?.[0] === fields[index]?.[0] && after[index]?.[1] === fields[index]?.[1];
  return after.length === fields.length && fields.every((_field, index) => isSame(index)) ? fields : after;
}

const onFields = (change: (fields: Fields) => Fields) => (fields: Fields) => changed(fields, change(fields));
const onValues = (change: (value: string, name: string) => string) =>
  onFields((fields) => fields.map(([name, value]) => [name, change(value, name)]));
const onField = (field: string, text: string) => onValues((value, name) => (name === field ? text : value));
const without = (drop: (name: string, value: string) => boolean) =>
  onFields((fields) => fields.filter(([name, value]) => !drop(name, value)));

/** The documented fields in their order; those that were not sent are empty. */
const documentedFields = ({ fields }: RefusedForm): Fields =>
  signedInvoiceFields.map((name) => [name, fields[name] ?? '']);

const byName = (fields: Fields) => fields.toSorted(([a], [b]) => (a < b ? -1 : 1));

const omittedSays = 'Fields that % were left out of the signed text.';

/** Fields that only one of the two strings has. */
function presenceRows(form: RefusedForm): Row<Fields>[] {
  const isAbsent = (name: string) => form.fields[name] === undefined;
  const { fileUrl } = form.fields;
  const withUrl = (place: (fields: Fields) => number) =>
    onFields((fields) =>
      fileUrl === undefined ? fields : fields.toSpliced(place(fields), 0, ['fileUrl', fileUrl]),
    );
  return [
    ...rows<Fields>('absent-fields-included', 'Fields that were not sent are in the signed text.', [
      ['', '', onFields(() => documentedFields(form))],
    ]),
    ...rows<Fields>('absent-fields-omitted', omittedSays, [
      ['absent', 'were not sent', without(isAbsent)],
      ['empty', 'are empty', without((_name, value) => value === '')],
    ]),
    ...rows<Fields>(
      'absent-fields-omitted',
      'The field % was left out of the signed text.',
      signedInvoiceFields.map((field) => [field, field, without((name) => name === field)]),
    ),
    ...rows<Fields>(
      'absent-fields-as-text',
      'Fields that were not sent are in the signed text, as %.',
      ['null', 'None', 'undefined'].map((text) => [
        text,
        text,
        onValues((value, name) => (isAbsent(name) ? text : value)),
      ]),
    ),
    ...rows<Fields>('file-included', 'fileUrl was signed too, %.', [
      ['url-end', 'at the end', withUrl((fields) => fields.length)],
      // After invoiceDate, which stands before the two in the table.
      [
        'url-table',
        'at its place in the table',
        withUrl((fields) => fields.findIndex(([name]) => name === 'description')),
      ],
    ]),
  ];
}

function orderRows(form: RefusedForm): Row<Fields>[] {
  const names = Object.keys(form.fields);
  const place = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length);
  const all = 'All fields that were sent were signed, %.';
  return [
    ...rows<Fields>('field-order.upload', 'The fields were signed in another order: %.', [
      ['sorted', 'sorted by name', onFields(byName)],
      [
        'sent',
        'in the order in which they were sent',
        onFields((fields) => fields.toSorted(([a], [b]) => place(a) - place(b))),
      ],
    ]),
    ...rows<Fields>('fields-as-sent', all, [
      ['', 'in the order in which they were sent', onFields(() => Object.entries(form.fields))],
      ['sorted', 'sorted by name', onFields(() => byName(Object.entries(form.fields)))],
    ]),
  ];
}

const encodingRows: readonly Row<Fields>[] = [
  ...rows<Fields>(
    'url-encoded',
    'The values were % before they were signed.',
    percentEncodings.map(([form, what, encode]) => [form, what, onValues((value) => encode(value))]),
  ),
  ...rows<Fields>(
    'html-encoded',
    'The values were signed with HTML entities, such as &amp; for &.',
    htmlEncodings.map(([form, encode]) => [form, '', onValues((value) => encode(value))]),
  ),
  ...rows<Fields>('values-trimmed', 'The values were signed without the white space at their ends.', [
    ['', '', onValues((value) => value.trim())],
  ]),
];

/** invoiceDate as other libraries and time zones write it. */
function dateRows(invoiceDate = ''): Row<Fields>[] {
  const moment = /^\d{4}-\d\d-\d\dT/.test(invoiceDate) ? Date.parse(invoiceDate) : NaN;
  if (Number.isNaN(moment)) return [];
  const utc = new Date(moment).toISOString();
  const seconds = utc.slice(0, 19);
  const local = new Date(moment + vietnamOffsetMinutes * 60_000).toISOString().slice(0, 19);
  const texts = [
    utc,
    `${seconds}Z`,
    `${seconds}+00:00`,
    `${local}+07:00`,
    seconds,
    local,
    local.replace('T', ' '),
  ];
  return rows(
    'date-format',
    `invoiceDate was signed as %; it was sent as ${invoiceDate.slice(0, 40)}.`,
    texts.map((text) => [text, text, onField('invoiceDate', text)]),
  );
}

const spaced: Layout = { comma: ', ', colon: ': ' };

/** JSON as libraries write it by default. */
const jsonWritings: readonly (readonly [form: string, what: string, write: (tree: Tree) => string])[] = [
  ['compact', 'without white space', (tree) => writeTree(tree, compact)],
  ['ascii', 'without white space, with \\u escapes', (tree) => writeTree(tree, { token: inAscii })],
  ['php', 'as json_encode of PHP writes it', (tree) => writeTree(tree, { token: phpDefault })],
  ['python', 'as json.dumps of Python writes it', (tree) => writeTree(tree, { ...spaced, token: inAscii })],
  ['spaced', 'with a space after each comma and colon', (tree) => writeTree(tree, spaced)],
];

/** extraData, a string of JSON, written in another way than it was sent. */
function extraDataRows(extraData = ''): Row<Fields>[] {
  const tree = readTree(extraData.trim());
  if (tree === undefined) return [];
  return rows('body-reserialised.extraData', 'extraData was signed %; it was not sent so.', [
    ...jsonWritings.map(([form, what, write]) => [form, what, onField('extraData', write(tree))] as const),
    ['object', 'as [object Object]', onField('extraData', '[object Object]')],
  ]);
}

type Join = (fields: Fields) => string;
const pairs =
  (mark: string): Join =>
  (fields) =>
    fields.map((field) => field.join('=')).join(mark);
const values =
  (mark: string): Join =>
  (fields) =>
    fields.map(([, value]) => value).join(mark);
const canonical = pairs('&');
const asTree = (write: (tree: Tree) => string): Join => {
  return (fields) => write(Object.fromEntries(fields.map((field) => field.map(quoted))) as Tree);
};

/** The ways of joining the fields. */
const joinRows: readonly Row<Write<Fields>>[] = [
  ...rows<Write<Fields>>('separators', 'The fields were signed %.', [
    ['first', 'with & before the first one', () => (fields) => `&${canonical(fields)}`],
    ['last', 'with & after the last one', () => (fields) => `${canonical(fields)}&`],
    ['html', 'as name=value, joined by &amp;', () => pairs('&amp;')],
    ...['|', ',', '', '\n', '\r\n', '&'].flatMap((mark) => [
      [`pairs${mark}`, `as name=value, joined by ${JSON.stringify(mark)}`, () => pairs(mark)] as const,
      [
        `values${mark}`,
        `without their names, joined by ${JSON.stringify(mark)}`,
        () => values(mark),
      ] as const,
    ]),
  ]),
  ...rows<Write<Fields>>('separators.json', 'The fields were signed %.', [
    ...jsonWritings.map(([form, what, write]) => [form, `as JSON ${what}`, () => asTree(write)] as const),
    ['dict', 'as str() of a Python dict', () => asTree((tree) => writeTree(tree, python))],
  ]),
];

/** Parts of the form that are signed along, or instead of the fields. */
function fileLists({ bytes, files: [file] }: RefusedForm): readonly List<Fields>[] {
  const texts = rows<string, Text>;
  const along = texts('file-included', '% was signed at the end.', [
    ['name', '&file= with the name of the file', (text) => `${text}&file=${file?.name ?? ''}`],
    ['content', 'The content of the file', (text) => file && Buffer.concat([Buffer.from(text), file.bytes])],
  ]);
  const instead = texts('body-signed', '% was signed; the canonical string of the fields has to be signed.', [
    ['form', 'The whole multipart body', () => bytes],
    ['file', 'The content of the file', () => file?.bytes],
  ]);
  return [onText(along), { ...onText(instead), isAlone: true }];
}

/** The order with this number, of all orders of some values. */
function numberedOrder<Value>(values: readonly Value[], number: number): Value[] {
  const left = [...values];
  return values.flatMap(() => {
    const index = number % left.length;
    number = (number - index) / left.length;
    return left.splice(index, 1);
  });
}

/** All orders of seven fields, and half of those of eight. */
const mostOrders = 20_160;

/** The orders of some fields. A shop may have one of its own. */
function* orderSteps(fields: Fields, others: readonly Mistake[]): Generator<Step<Fields>> {
  const count = fields.reduce((product, _field, index) => product * (index + 1), 1);
  for (let number = 1; number < Math.min(count, mostOrders); number += 1) {
    yield ({ write }) => {
      const ordered = numberedOrder(fields, number);
      const own = () => {
        const names = ordered.map(([name]) => name);
        const says = `The fields were signed in another order: ${names.join(', ')}.`;
        return mistake('field-order.upload', `own:${names.join('-')}`, says);
      };
      return { draft: draftOf<Fields>(ordered, write), mistakes: () => [...others, own()] };
    };
  }
}

/** The texts that may have been signed instead of the canonical string of an upload. */
export function uploadTexts(form: RefusedForm, refused: RefusedRequest): Texts<Fields> {
  const documented = documentedFields(form);
  const present = documented.filter(([name]) => form.fields[name] !== undefined);
  const isOmitted = refused.absentFields === 'omit';
  const omitted = mistake('absent-fields-omitted', 'absent', omittedSays.replace('%', 'were not sent'));
  const sent = draftOf(isOmitted ? present : documented, canonical);
  return {
    sent,
    writing: 4 * canonical(documented).length,
    lists: [
      onData(presenceRows(form)),
      onData(orderRows(form)),
      onData(dateRows(form.fields['invoiceDate'])),
      onData(extraDataRows(form.fields['extraData'])),
      onData(encodingRows),
      { steps: onWrite(joinRows) },
      ...wholeTextLists<Fields>(refused),
      // A file may be large, and would leave no work for the others.
      ...fileLists(form),
      { steps: orderSteps(present, isOmitted ? [] : [omitted]), isAlone: true },
      ...(isOmitted ? [] : [{ steps: orderSteps(documented, []), isAlone: true }]),
    ],
  };
}
