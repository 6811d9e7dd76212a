import { signedInvoiceFields } from '../../../protocol/canonical-string.js';
import { vietnamOffsetMinutes } from '../../../protocol/timestamps.js';
import { allLanguages, listed, rows, type FixName, type Row } from '../row.js';
import type { RefusedForm, RefusedRequest } from '../types.js';
import { byUnits, hashMapOrder, spellings } from './json-fields.js';
import { inAscii } from './json-layouts.js';
import { quoted, readTree, writeTree, type Tree } from './json-tree.js';
import { javaMap, python } from './other-notations.js';
import { placeholderRows } from './payment-texts.js';
import { htmlEscapes, inside, percentEncodings, written } from './rewrites.js';
import { stylesOf, type SignedTexts } from './signed-texts.js';

type Field = readonly [name: string, value: string];
type Fields = readonly Field[];

/** The canonical string on its way to a text. */
interface FormDraft {
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
const onNames = (rename: (name: string) => string) =>
  onFields((fields) => fields.map(([name, value]) => [rename(name), value]));
const without = (drop: (name: string, value: string) => boolean) =>
  onFields((fields) => fields.filter(([name, value]) => !drop(name, value)));

function fieldOf({ fields }: RefusedForm, name: string): string | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** The signed fields in their order; those that were not sent have this text. */
function signedFields(form: RefusedForm, absent: string): Fields {
  return signedInvoiceFields.map((name) => [name, fieldOf(form, name) ?? absent]);
}

/** Fields that only one of the two strings has. */
function presenceRows(form: RefusedForm, isOmitted: boolean): Row<FormDraft>[] {
  const isAbsent = (name: string) => fieldOf(form, name) === undefined;
  const notSent = 'Fields that were not sent';
  const absent = isOmitted
    ? rows<FormDraft>(
        'absent-fields-included',
        `${notSent} stand in the signed text, where they are left out.`,
        [['', onFields(() => signedFields(form, ''))]],
      )
    : rows<FormDraft>('absent-fields-omitted', `${notSent} were left out of the signed text.`, [
        ['', without(isAbsent)],
      ]);
  const instead = ['null', 'None', 'undefined', 'nil', '<nil>', 'NULL', 'false', '""', '-'].map((text) => {
    return [text, onValues((value, name) => (isAbsent(name) && value === '' ? text : value))] as const;
  });
  return [
    ...absent,
    ...rows<FormDraft>(
      'absent-fields-omitted',
      'Fields with an empty value were left out of the signed text.',
      [['', without((_name, value) => value === '')]],
    ),
    ...rows('absent-fields-as-text', `${notSent} stand in the signed text as %.`, instead),
  ].map((row) => ({ ...row, by: allLanguages }));
}

const lost: readonly Row<FormDraft>[] = [
  ...rows<FormDraft>('field-omitted.upload', 'The signed text %.', [
    ...signedInvoiceFields.map((left) => [`has no ${left}`, without((name) => name === left)] as const),
    ...[2, 3, 4].map(
      (count) => [`lacks its last ${count} fields`, onFields((all) => all.slice(0, -count))] as const,
    ),
  ]),
  ...rows<FormDraft>(
    'value-omitted',
    '% was signed with an empty value; it was sent with another.',
    signedInvoiceFields.map((name) => [name, onField(name, '')]),
  ),
];

const mostOthers = 8;

/** A field that is not signed and was. */
function extraRows(form: RefusedForm, { merchant, request }: RefusedRequest): Row<FormDraft>[] {
  const [file] = form.files;
  const known: ReadonlySet<string> = new Set([...signedInvoiceFields, 'fileUrl']);
  const others = Object.entries(form.fields).filter(([name]) => !known.has(name));
  const extras: readonly (readonly [what: string, name: string, value: string | undefined])[] = [
    ['fileUrl', 'fileUrl', fieldOf(form, 'fileUrl') ?? ''],
    ['file, with its name,', 'file', file?.name],
    ['file, with an empty value,', 'file', ''],
    ['file, as [object File],', 'file', '[object File]'],
    ['clientId', 'clientId', merchant.clientId],
    ['requestTime', 'requestTime', request?.requestTime],
    ['secretKey', 'secretKey', merchant.secretKey],
    ...others.slice(0, mostOthers).map(([name, value]) => [name.slice(0, 60), name, value] as const),
  ];
  const beforeDescription = (all: Fields) => all.findIndex(([name]) => name === 'description');
  return extras.flatMap(([what, name, value]) => {
    if (value === undefined) return [];
    const put = (placeOf: (all: Fields) => number) =>
      onFields((all) => all.toSpliced(placeOf(all), 0, [name, value]));
    return rows(
      'file-included',
      `${what} was signed %.`,
      [
        ['at the end', put((all) => all.length)],
        ['before description', put(beforeDescription)],
        ['at the start', put(() => 0)],
      ],
      allLanguages,
    );
  });
}

function orderOf(form: RefusedForm): Row<FormDraft>[] {
  const sent = Object.keys(form.fields);
  const place = (name: string) => (sent.includes(name) ? sent.indexOf(name) : sent.length);
  const sortedBy = (rank: (field: Field) => string) =>
    onFields((fields) => fields.toSorted((a, b) => byUnits(rank(a), rank(b))));
  const asSent = onFields((fields) => fields.toSorted(([a], [b]) => place(a) - place(b)));
  const swapped = signedInvoiceFields.slice(1).map((name, index) => {
    const earlier = signedInvoiceFields[index] ?? name;
    const other = (each: string) => (each === name ? earlier : each === earlier ? name : each);
    const swap = (fields: Fields) =>
      fields.map((field) => fields.find(([each]) => each === other(field[0])) ?? field);
    return [`${name} before ${earlier}`, onFields(swap)] as const;
  });
  return rows<FormDraft>('field-order.upload', 'The fields were signed in another order: %.', [
    ['sorted by name', sortedBy(([name]) => name), { by: allLanguages }],
    ['in the order in which they were sent', asSent, { by: allLanguages }],
    ['in the order of java.util.HashMap', onFields(hashMapOrder), { by: 'jackson gson' }],
    ['reversed', onFields((fields) => fields.toReversed())],
    ['sorted by value', sortedBy(([, value]) => value)],
    ...swapped,
  ]);
}

const each = (list: readonly (readonly [what: string, change: (value: string) => string])[]) =>
  list.map(([what, change]) => [what, onValues((value) => change(value))] as const);

const encodedValues = 'The values were % before they were signed.';
const valueRows: readonly Row<FormDraft>[] = [
  ...rows('url-encoded', encodedValues, each(percentEncodings), allLanguages),
  ...rows('html-escaped', encodedValues, each(htmlEscapes), 'php'),
  ...rows(
    'values-trimmed',
    'The values were signed without the white space at their ends.',
    each([['', (value) => value.trim()]]),
  ),
  ...rows(
    'values-quoted',
    'The values were signed %.',
    each([
      ['in double quotes', inside('"')],
      ['in single quotes', inside("'")],
      ['as JSON strings, with their quotation marks', (value) => JSON.stringify(value)],
      ['with & and = as %26 and %3D', (value) => value.replaceAll('&', '%26').replaceAll('=', '%3D')],
      ['in base64', written('base64')],
    ]),
  ),
];

function dateRows(invoiceDate = ''): Row<FormDraft>[] {
  const moment = /^\d{4}-\d\d-\d\dT/.test(invoiceDate) ? Date.parse(invoiceDate) : NaN;
  if (Number.isNaN(moment)) return [];
  const iso = new Date(moment).toISOString();
  const [utc, day] = [iso.slice(0, 19), iso.slice(0, 10).split('-')];
  const local = new Date(moment + vietnamOffsetMinutes * 60_000).toISOString().slice(0, 19);
  const forms: readonly (readonly [what: string, text: string])[] = [
    ['with milliseconds', iso],
    ['with +00:00 for Z', `${utc}+00:00`],
    ['without Z', utc],
    ['with a space for T', utc.replace('T', ' ')],
    ['with a space for T, and +00:00', `${utc.replace('T', ' ')}+00:00`],
    ['with microseconds', `${utc}.000000Z`],
    ['in Vietnamese time with +07:00', `${local}+07:00`],
    ['in Vietnamese time with +0700', `${local}+0700`],
    ['in Vietnamese time', local],
    ['in Vietnamese time with a space for T', local.replace('T', ' ')],
    ['in Vietnamese time with Z', `${local}Z`],
    ['as a day', day.join('-')],
    ['as DD-MM-YYYY', day.toReversed().join('-')],
    ['in seconds since 1970', String(moment / 1000)],
    ['in milliseconds since 1970', String(moment)],
  ];
  return rows(
    'date-format',
    `invoiceDate was signed %; it was sent as ${invoiceDate.slice(0, 40)}.`,
    forms.map(([what, text]) => [`${what} (${text})`, onField('invoiceDate', text)]),
    allLanguages,
  );
}

/** extraData, a string of JSON, written in another way than it was sent. */
function extraDataRows(extraData = ''): Row<FormDraft>[] {
  const tree = readTree(extraData.trim());
  if (tree === undefined) return [];
  const compact = writeTree(tree, {});
  const spaced = writeTree(tree, { comma: ', ', colon: ': ' });
  const texts: readonly (readonly [what: string, text: string])[] = [
    ['without white space', compact],
    ['with a space after each comma and colon', spaced],
    ['with escaped slashes', compact.replaceAll('/', '\\/')],
    ['with escaped characters outside ASCII', inAscii(compact)],
    ['with escaped slashes and characters outside ASCII', inAscii(compact.replaceAll('/', '\\/'))],
    ['with spaces and escaped characters outside ASCII', inAscii(spaced)],
    ['as a string of JSON, in quotation marks', JSON.stringify(extraData)],
    ['as [object Object]', '[object Object]'],
    ['as Array', 'Array'],
  ];
  const says = 'extraData was signed %; it was sent otherwise.';
  const list = texts.map(([what, text]) => [what, onField('extraData', text)] as const);
  return rows('body-reserialised.extraData', says, list, allLanguages);
}

const nameRows = rows<FormDraft>('field-names.upload', 'The field names were signed in %.', [
  ['snake_case (merchant_id)', onNames(spellings.snake)],
  ['lower case (merchantid)', onNames(spellings.lower)],
  ['PascalCase (MerchantId)', onNames(spellings.pascal)],
]);

const pairs =
  (mark: string, equals = '=') =>
  (fields: Fields) =>
    fields.map((field) => field.join(equals)).join(mark);
const values = (mark: string) => (fields: Fields) => fields.map(([, value]) => value).join(mark);
const asTree = (fields: Fields): Tree =>
  Object.fromEntries(fields.map(([name, value]) => [quoted(name), quoted(value)]));

const phpJson = (fields: Fields) => inAscii(writeTree(asTree(fields), {})).replaceAll('/', '\\/');
const pythonJson = (fields: Fields) => inAscii(writeTree(asTree(fields), { comma: ', ', colon: ': ' }));

const joins: readonly (readonly [how: string, join: FormDraft['join']])[] = [
  ['with & after the last one', (fields) => `${pairs('&')(fields)}&`],
  ['with & before the first one', (fields) => `&${pairs('&')(fields)}`],
  ['with ? before the first one', (fields) => `?${pairs('&')(fields)}`],
  ...['|', ',', '\n', '', ';', ', ', ' ', ':', '&amp;', '\r\n', '-', '.', '#'].map((mark) => {
    return [`as name=value, joined by ${JSON.stringify(mark)}`, pairs(mark)] as const;
  }),
  ...['', '|', '&', ',', '\n', ':', ';', '.', '-', ' '].map((mark) => {
    return [`without their names, joined by ${JSON.stringify(mark)}`, values(mark)] as const;
  }),
  ['with : for =, joined by "&"', pairs('&', ':')],
  ['with : for =, joined by ","', pairs(',', ':')],
  ['with : for =, joined by line feeds', pairs('\n', ':')],
  ['without =, joined by nothing', pairs('', '')],
  ['as JSON', (fields) => writeTree(asTree(fields), {})],
  ['as JSON with escaped slashes and letters (json_encode of PHP)', phpJson],
  ['as JSON with spaces and escaped letters (json.dumps of Python)', pythonJson],
  ['as toString() of a Java map ({a=b, c=d})', (fields) => writeTree(asTree(fields), javaMap)],
  ['as str() of a Python dict', (fields) => writeTree(asTree(fields), python)],
];

const joinRows = rows<FormDraft>(
  'separators',
  'The fields were signed %.',
  joins.map(([how, join]) => [how, (draft) => ({ ...draft, join })]),
  allLanguages,
);

/** Bytes of the request that were signed instead of the canonical string, or with it. */
function withBytes({ bytes, files }: RefusedForm, canonical: string): Row<unknown, string | Uint8Array>[] {
  const ofFile = (what: string, start: string, fix: FixName) =>
    rows<unknown, Uint8Array>(
      fix,
      `${what} was signed; the canonical string of the textual fields has to be signed.`,
      files.map((file) => ['', () => Buffer.concat([Buffer.from(start), file.bytes])]),
    );
  return [
    ...rows<unknown, Uint8Array>('body-signed', 'The whole multipart body was signed.', [['', () => bytes]]),
    ...ofFile('The content of the file', '', 'body-signed'),
    ...ofFile('The canonical string with the content of the file behind it', canonical, 'file-included'),
    ...ofFile(
      'The canonical string with &file= and the content of the file',
      `${canonical}&file=`,
      'file-included',
    ),
  ];
}

/** The texts that may have been signed instead of the canonical string of an upload. */
export function uploadTexts(form: RefusedForm, refused: RefusedRequest): SignedTexts {
  const isOmitted = refused.absentFields === 'omit';
  const all = signedFields(form, '');
  const fields = isOmitted ? all.filter(([name]) => fieldOf(form, name) !== undefined) : all;
  const parts = [
    presenceRows(form, isOmitted),
    orderOf(form),
    valueRows,
    joinRows,
    extraRows(form, refused),
    dateRows(fieldOf(form, 'invoiceDate')),
    extraDataRows(fieldOf(form, 'extraData')),
    [...nameRows, ...lost],
  ];
  const draft: FormDraft = { fields, join: pairs('&') };
  const reference = fieldOf(form, 'referenceId') ?? '';
  return {
    styles: stylesOf(draft, parts, ({ fields: written, join }) => join(written)),
    others: [
      ...placeholderRows,
      ...withBytes(form, pairs('&')(fields)),
      ...listed('body-part', 'Only the value % was signed.', reference),
    ],
  };
}
