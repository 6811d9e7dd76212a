import { signedInvoiceFields } from '../../../protocol/canonical-string.js';
import { vietnamOffsetMinutes } from '../../../protocol/timestamps.js';
import { rows, type FixName, type Row } from '../row.js';
import type { RefusedForm, RefusedRequest } from '../../../mock/observation.js';
import { inHashMapOrder, inObjects, sorted, type MemberChange } from './json-fields.js';
import { inAscii, phpDefault } from './json-layouts.js';
import { compact, quoted, readTree, writeTree, type Tree } from './json-tree.js';
import { fieldsOf, python, type Fields } from './other-notations.js';
import { percentEncodings } from './rewrites.js';
import { onPart, onText, type List, type Text, type Texts, type Write } from './candidates.js';
import { wholeTextLists } from './whole-text.js';

const treeOf = (fields: Fields): Tree =>
  Object.fromEntries(fields.map(([name, value]) => [quoted(name), quoted(value)]));

const onFields = (change: (fields: Fields) => Fields) => (tree: Tree) => treeOf(change(fieldsOf(tree)));
const onValues = (change: (value: string, name: string) => string) =>
  onFields((fields) => fields.map(([name, value]) => [name, change(value, name)]));
const onField = (field: string, text: string) => onValues((value, name) => (name === field ? text : value));
const without = (drop: (name: string, value: string) => boolean) =>
  onFields((fields) => fields.filter(([name, value]) => !drop(name, value)));

/** The signed fields in their order; those that were not sent are empty. */
const signedFields = ({ fields }: RefusedForm): Fields =>
  signedInvoiceFields.map((name) => [name, fields[name] ?? '']);

/** Fields that only one of the two strings has. */
function presenceRows(form: RefusedForm): Row<Tree>[] {
  const isAbsent = (name: string) => form.fields[name] === undefined;
  const absentAs = (text: string) =>
    [text, onValues((value, name) => (isAbsent(name) ? text : value))] as const;
  return [
    ...rows<Tree>('absent-fields-included', 'Fields that were not sent are in the signed text.', [
      ['', onFields(() => signedFields(form))],
    ]),
    ...rows<Tree>('absent-fields-omitted', 'Fields that % were left out of the signed text.', [
      ['were not sent', without(isAbsent)],
      ['are empty', without((_name, value) => value === '')],
    ]),
    ...rows<Tree>(
      'absent-fields-omitted',
      'The field % was left out of the signed text.',
      signedInvoiceFields.map((field) => [field, without((name) => name === field)]),
    ),
    ...rows<Tree>(
      'absent-fields-as-text',
      'Fields that were not sent are in the signed text, as %.',
      ['null', 'None', 'undefined'].map(absentAs),
    ),
  ];
}

function orderRows(form: RefusedForm): Row<Tree>[] {
  const sent = Object.keys(form.fields).map(quoted);
  const place = (name: string) => (sent.includes(name) ? sent.indexOf(name) : sent.length);
  const asSent: MemberChange = (members) => members.toSorted(([a], [b]) => place(a) - place(b));
  return [
    ...rows<Tree>('field-order.upload', 'The fields were signed in another order: %.', [
      ['sorted by name', inObjects(sorted)],
      ['in the order in which they were sent', inObjects(asSent)],
      ['in the order of java.util.HashMap', inObjects(inHashMapOrder)],
    ]),
    ...rows<Tree>(
      'fields-as-sent',
      'All fields that were sent were signed, in the order in which they were sent.',
      [['', () => treeOf(Object.entries(form.fields))]],
    ),
  ];
}

const encodingRows = rows<Tree>(
  'url-encoded',
  'The values were % before they were signed.',
  percentEncodings.map(([what, encode]) => [what, onValues((value) => encode(value))]),
);

/** invoiceDate as other libraries and time zones write it. */
function dateRows(invoiceDate = ''): Row<Tree>[] {
  const moment = /^\d{4}-\d\d-\d\dT/.test(invoiceDate) ? Date.parse(invoiceDate) : NaN;
  if (Number.isNaN(moment)) return [];
  const utc = new Date(moment).toISOString();
  const seconds = utc.slice(0, 19);
  const local = new Date(moment + vietnamOffsetMinutes * 60_000).toISOString().slice(0, 19);
  const texts = [utc, `${seconds}Z`, `${seconds}+00:00`, `${local}+07:00`, seconds, local];
  return rows(
    'date-format',
    `invoiceDate was signed as %; it was sent as ${invoiceDate.slice(0, 40)}.`,
    [...texts, local.replace('T', ' ')].map((text) => [text, onField('invoiceDate', text)]),
  );
}

const spaced = { comma: ', ', colon: ': ' };

/** JSON as libraries write it by default. */
const jsonWritings: readonly (readonly [what: string, write: (tree: Tree) => string])[] = [
  ['without white space', (tree) => writeTree(tree, compact)],
  ['without white space, with \\u escapes', (tree) => inAscii(writeTree(tree, compact))],
  ['as json_encode of PHP writes it', (tree) => phpDefault(writeTree(tree, compact))],
  ['as json.dumps of Python writes it', (tree) => inAscii(writeTree(tree, spaced))],
  ['with a space after each comma and colon', (tree) => writeTree(tree, spaced)],
];

/** extraData, a string of JSON, written in another way than it was sent. */
function extraDataRows(extraData = ''): Row<Tree>[] {
  const tree = readTree(extraData.trim());
  if (tree === undefined) return [];
  return rows('body-reserialised.extraData', 'extraData was signed %; it was not sent so.', [
    ...jsonWritings.map(([what, write]) => [what, onField('extraData', write(tree))] as const),
    ['as [object Object]', onField('extraData', '[object Object]')],
  ]);
}

const joined = (join: (fields: Fields) => string) => (tree: Tree) => join(fieldsOf(tree));
const pairs = (mark: string) => joined((fields) => fields.map((field) => field.join('=')).join(mark));
const values = (mark: string) => joined((fields) => fields.map(([, value]) => value).join(mark));
const canonical = pairs('&');

/** The ways of joining the fields. */
const joins: readonly (readonly [what: string, write: (tree: Tree) => string, fix?: FixName])[] = [
  ['with & before the first one', (tree) => `&${canonical(tree)}`],
  ['with & after the last one', (tree) => `${canonical(tree)}&`],
  ['as name=value, joined by &amp;', pairs('&amp;'), 'separators.html'],
  ...['|', ',', '', '\n', '\r\n'].flatMap((mark) => [
    [`as name=value, joined by ${JSON.stringify(mark)}`, pairs(mark)] as const,
    [`without their names, joined by ${JSON.stringify(mark)}`, values(mark)] as const,
  ]),
  ['without their names, joined by "&"', values('&')],
  ...jsonWritings.map(([what, write]) => [`as JSON ${what}`, write, 'separators.json'] as const),
  ['as str() of a Python dict', (tree) => writeTree(tree, python), 'separators.json'],
];

/** Parts of the form that are signed along, or instead of the fields. */
function fileLists({ bytes, files: [file] }: RefusedForm): readonly List[] {
  const texts = rows<string, Text>;
  const along = texts('file-included', '% was signed at the end.', [
    ['&file= with the name of the file', (text) => `${text}&file=${file?.name ?? ''}`],
    ['The content of the file', (text) => file && Buffer.concat([Buffer.from(text), file.bytes])],
  ]);
  const instead = texts('body-signed', '% was signed; the canonical string of the fields has to be signed.', [
    ['The whole multipart body', () => bytes],
    ['The content of the file', () => file?.bytes],
  ]);
  return [onText('once', along), onText('alone', instead)];
}

/** The texts that may have been signed instead of the canonical string of an upload. */
export function uploadTexts(form: RefusedForm, refused: RefusedRequest): Texts {
  const isOmitted = refused.absentFields === 'omit';
  const tree = treeOf(signedFields(form).filter(([name]) => !isOmitted || form.fields[name] !== undefined));
  const joinRows = rows<Write>(
    'separators',
    'The fields were signed %.',
    joins.map(([what, write, fix = 'separators']) => [what, () => write, fix]),
  );
  return {
    sent: { tree, write: canonical, text: () => canonical(tree) },
    lists: [
      onPart('tree', 'freely', presenceRows(form)),
      onPart('tree', 'freely', orderRows(form)),
      onPart('tree', 'once', dateRows(form.fields['invoiceDate'])),
      onPart('tree', 'once', extraDataRows(form.fields['extraData'])),
      onPart('tree', 'freely', encodingRows),
      onPart('write', 'freely', joinRows),
      ...wholeTextLists(refused),
      // A file may be large, and would leave no work for the others.
      ...fileLists(form),
    ],
  };
}
