import { signedInvoiceFields } from '../../../protocol/canonical-string.js';
import { vietnamOffsetMinutes } from '../../../protocol/timestamps.js';
import { rows, type Row } from '../row.js';
import type { RefusedForm, RefusedRequest } from '../../../mock/common/diagnosis.js';
import { byUnits, hashMapOrder } from './json-fields.js';
import { inAscii, phpDefault } from './json-layouts.js';
import { quoted, readTree, writeTree, type Tree } from './json-tree.js';
import { javaMap, python } from './other-notations.js';
import { percentEncodings } from './rewrites.js';
import { onText, type Draft, type Text, type TextRow, type Texts } from './drafts.js';
import { wholeTextLists } from './whole-text.js';

type Fields = readonly (readonly [name: string, value: string])[];

/** The canonical string on its way to a text. */
interface FormDraft extends Draft {
  readonly fields: Fields;
  readonly join: (fields: Fields) => string;
}
type Change = Row<FormDraft>['change'];

const onFields =
  (change: (fields: Fields) => Fields): Change =>
  (draft) => ({ ...draft, fields: change(draft.fields) });
const onValues = (change: (value: string, name: string) => string) =>
  onFields((fields) => fields.map(([name, value]) => [name, change(value, name)]));
const onField = (field: string, text: string) => onValues((value, name) => (name === field ? text : value));
const without = (drop: (name: string, value: string) => boolean) =>
  onFields((fields) => fields.filter(([name, value]) => !drop(name, value)));

/** The signed fields in their order; those that were not sent are empty. */
const signedFields = ({ fields }: RefusedForm): Fields =>
  signedInvoiceFields.map((name) => [name, fields[name] ?? '']);

/** Fields that only one of the two strings has. */
function presenceRows(form: RefusedForm): Row<FormDraft>[] {
  const isAbsent = (name: string) => form.fields[name] === undefined;
  const absentAs = (text: string) => onValues((value, name) => (isAbsent(name) ? text : value));
  return [
    ...rows<FormDraft>('absent-fields-included', 'Fields that were not sent are in the signed text.', [
      ['', onFields(() => signedFields(form))],
    ]),
    ...rows<FormDraft>('absent-fields-omitted', 'Fields that % were left out of the signed text.', [
      ['were not sent', without(isAbsent)],
      ['are empty', without((_name, value) => value === '')],
    ]),
    ...rows<FormDraft>(
      'absent-fields-omitted',
      'The field % was left out of the signed text.',
      signedInvoiceFields.map((field) => [field, without((name) => name === field)]),
    ),
    ...rows<FormDraft>('absent-fields-as-text', 'Fields that were not sent are in the signed text, as %.', [
      ['null', absentAs('null')],
      ['None', absentAs('None')],
      ['undefined', absentAs('undefined')],
    ]),
  ];
}

function orderOf(form: RefusedForm): Row<FormDraft>[] {
  const sent = Object.keys(form.fields);
  const place = (name: string) => (sent.includes(name) ? sent.indexOf(name) : sent.length);
  const sorted = (fields: Fields) => fields.toSorted(([a], [b]) => byUnits(a, b));
  const asSent = (fields: Fields) => fields.toSorted(([a], [b]) => place(a) - place(b));
  return [
    ...rows<FormDraft>('field-order.upload', 'The fields were signed in another order: %.', [
      ['sorted by name', onFields(sorted)],
      ['in the order in which they were sent', onFields(asSent)],
      ['in the order of java.util.HashMap', onFields(hashMapOrder)],
    ]),
    ...rows<FormDraft>(
      'fields-as-sent',
      'All fields that were sent were signed, in the order in which they were sent.',
      [['', onFields(() => Object.entries(form.fields))]],
    ),
  ];
}

const encodingRows = rows<FormDraft>(
  'url-encoded',
  'The values were % before they were signed.',
  percentEncodings.map(([what, encode]) => [what, onValues((value) => encode(value))]),
);

/** invoiceDate as other libraries and time zones write it. */
function dateRows(invoiceDate = ''): Row<FormDraft>[] {
  const moment = /^\d{4}-\d\d-\d\dT/.test(invoiceDate) ? Date.parse(invoiceDate) : NaN;
  if (Number.isNaN(moment)) return [];
  const utc = new Date(moment).toISOString();
  const local = new Date(moment + vietnamOffsetMinutes * 60_000).toISOString().slice(0, 19);
  const texts = [
    utc,
    `${utc.slice(0, 19)}Z`,
    `${utc.slice(0, 19)}+00:00`,
    `${local}+07:00`,
    utc.slice(0, 19),
    local,
    local.replace('T', ' '),
  ];
  return rows(
    'date-format',
    `invoiceDate was signed as %; it was sent as ${invoiceDate.slice(0, 40)}.`,
    texts.map((text) => [text, onField('invoiceDate', text)]),
  );
}

const spaced = { comma: ', ', colon: ': ' };

/** JSON as libraries write it by default. */
const jsonWritings: readonly (readonly [what: string, write: (tree: Tree) => string])[] = [
  ['without white space', (tree) => writeTree(tree, {})],
  ['without white space, with \\u escapes', (tree) => inAscii(writeTree(tree, {}))],
  ['as json_encode of PHP writes it', (tree) => phpDefault(writeTree(tree, {}))],
  ['as json.dumps of Python writes it', (tree) => inAscii(writeTree(tree, spaced))],
  ['with a space after each comma and colon', (tree) => writeTree(tree, spaced)],
];

/** extraData, a string of JSON, written in another way than it was sent. */
function extraDataRows(extraData = ''): Row<FormDraft>[] {
  const tree = readTree(extraData.trim());
  if (tree === undefined) return [];
  return rows('body-reserialised.extraData', 'extraData was signed %; it was not sent so.', [
    ...jsonWritings.map(([what, write]) => [what, onField('extraData', write(tree))] as const),
    ['as str() of a Python dict', onField('extraData', writeTree(tree, python))],
    ['as a string of JSON, in quotation marks', onField('extraData', JSON.stringify(extraData))],
    ['as [object Object]', onField('extraData', '[object Object]')],
    ['as Array (PHP)', onField('extraData', 'Array')],
  ]);
}

const pairs = (mark: string) => (fields: Fields) => fields.map((field) => field.join('=')).join(mark);
const values = (mark: string) => (fields: Fields) => fields.map(([, value]) => value).join(mark);
const asTree = (fields: Fields): Tree =>
  Object.fromEntries(fields.map(([name, value]) => [quoted(name), quoted(value)]));

const joined =
  (join: FormDraft['join']): Change =>
  (draft) => ({ ...draft, join });

const joinRows = rows<FormDraft>('separators', 'The fields were signed %.', [
  ['with & before the first one', joined((fields) => `&${pairs('&')(fields)}`)],
  ['with & after the last one', joined((fields) => `${pairs('&')(fields)}&`)],
  ['with ? before the first one', joined((fields) => `?${pairs('&')(fields)}`)],
  ['as name=value, joined by &amp;', joined(pairs('&amp;')), 'separators.html'],
  ...['|', ',', '', '\n', '\r\n'].flatMap((mark) => [
    [`as name=value, joined by ${JSON.stringify(mark)}`, joined(pairs(mark))] as const,
    [`without their names, joined by ${JSON.stringify(mark)}`, joined(values(mark))] as const,
  ]),
  ['without their names, joined by "&"', joined(values('&'))],
  ...jsonWritings.map(
    ([what, write]) =>
      [`as JSON ${what}`, joined((fields) => write(asTree(fields))), 'separators.json'] as const,
  ),
  ['as toString() of a Java map', joined((fields) => writeTree(asTree(fields), javaMap))],
  ['as str() of a Python dict', joined((fields) => writeTree(asTree(fields), python)), 'separators.json'],
]);

/** Parts of the form that are signed along, or instead of the fields. */
function filesOf({ bytes, files: [file] }: RefusedForm): Record<'along' | 'instead', TextRow[]> {
  const texts = rows<string, Text>;
  const along = texts('file-included', '% was signed at the end.', [
    ['&file= with the name of the file', (text) => `${text}&file=${file?.name ?? ''}`],
    ['The content of the file', (text) => file && Buffer.concat([Buffer.from(text), file.bytes])],
  ]);
  const instead = texts('body-signed', '% was signed; the canonical string of the fields has to be signed.', [
    ['The whole multipart body', () => bytes],
    ['The content of the file', () => file?.bytes],
  ]);
  return { along, instead };
}

/** The texts that may have been signed instead of the canonical string of an upload. */
export function uploadTexts(form: RefusedForm, refused: RefusedRequest): Texts<FormDraft> {
  const isOmitted = refused.absentFields === 'omit';
  const all = signedFields(form);
  const fields = isOmitted ? all.filter(([name]) => form.fields[name] !== undefined) : all;
  const { along, instead } = filesOf(form);
  return {
    sent: pairs('&')(fields),
    draft: { fields, join: pairs('&') },
    write: (draft) => draft.join(draft.fields),
    lists: [
      { combined: 'freely', rows: presenceRows(form) },
      { combined: 'freely', rows: orderOf(form) },
      { combined: 'once', rows: dateRows(form.fields['invoiceDate']) },
      { combined: 'once', rows: extraDataRows(form.fields['extraData']) },
      { combined: 'freely', rows: encodingRows },
      { combined: 'freely', rows: joinRows },
      onText('once', along),
      ...wholeTextLists<FormDraft>(refused),
      onText('alone', instead),
    ],
  };
}
