import {
  habits,
  inStyle,
  instead,
  mistakes,
  rarer,
  type Draft,
  type Rarity,
  type Row,
  type Stage,
  type Candidates,
} from '../ingredient.js';
import { placeholders, textStages } from '../text/stages.js';
import { orders } from '../tree/members.js';
import { quoted, type JsonMember, type JsonTree } from '../tree/tree.js';
import { notations, writeTree, type Style } from '../tree/write-tree.js';
import type { RefusedForm, RefusedRequest } from '../types.js';
import {
  absentTextStage,
  extraFieldsStage,
  fieldNamesStage,
  fieldOf,
  fieldOrderStage,
  presenceStage,
  signedMembers,
} from './fields.js';
import { dateStage, extraDataStage, valueStage } from './values.js';

/** A larger one is tried, but not in combinations that would use up the work that a search may do. */
const large = 100_000;

/** Bytes of the request that were signed instead of the canonical string. */
function wholeBodies({ bytes, files }: RefusedForm): Stage {
  const row = (what: string, signed: Uint8Array): Row<Draft> => {
    return [signed.length > large ? 5 : 2, what, { bytes: signed }];
  };
  return mistakes('body-signed', '% was signed.', instead, [
    row('The whole multipart body', bytes),
    ...files.map((file) => row('The content of the file', file.bytes)),
  ]);
}

const pairs = (style: Style): Style => ({ ...notations.pairs, ...style });

function joined(rarity: Rarity, what: string, style: Style, commas: readonly string[]): Row<Style>[] {
  return commas.map((comma) => {
    const by = comma === '' ? 'with nothing between them' : `joined by ${JSON.stringify(comma)}`;
    return [rarity, `${what}, ${by}`, { ...style, comma }];
  });
}

const rareCommas = [';', '\n', '', ', ', ' ', ':', '&amp;', '\r\n', ' & ', '-', '.', '#', '||', '_', '+'];
const rareValueCommas = ['&', ',', '\n', ':', ';', '.', '-', ' ', '_', '#'];
const separators: readonly Row<Style>[] = [
  [2, 'with & after the last one', pairs({ braces: ['', '&'] })],
  [3, 'with & before the first one', pairs({ braces: ['&', ''] })],
  [3, 'with ? before the first one', pairs({ braces: ['?', ''] })],
  ...joined(2, 'as name=value', notations.pairs, ['|', ',']),
  ...joined(3, 'as name=value', notations.pairs, rareCommas),
  [3, 'with : for =, joined by "&"', pairs({ colon: ':' })],
  [3, 'with : for =, joined by ","', pairs({ colon: ':', comma: ',' })],
  [3, 'with : for =, joined by line feeds', pairs({ colon: ':', comma: '\n' })],
  [4, 'with ": " for =, joined by line feeds', pairs({ colon: ': ', comma: '\n' })],
  [4, 'with " = " for =, joined by " & "', pairs({ colon: ' = ', comma: ' & ' })],
  [3, 'without =, joined by nothing', pairs({ colon: '', comma: '' })],
  [4, 'without =, joined by "&"', pairs({ colon: '' })],
  [4, 'as name=value, each ended by a line feed', pairs({ comma: '\n', braces: ['', '\n'] })],
  [4, 'as name=value, each ended by "|"', pairs({ comma: '|', braces: ['', '|'] })],
  ...joined(2, 'without their names', notations.values, ['', '|']),
  ...joined(3, 'without their names', notations.values, rareValueCommas),
];

const jsonStyles: readonly Row<Style>[] = [
  [2, '', {}],
  [2, ', with a space after each comma and colon,', { comma: ', ', colon: ': ' }],
  [4, ', indented by 2 spaces,', { indent: '  ', colon: ': ' }],
  [4, ', indented by 4 spaces,', { indent: '    ', colon: ': ' }],
];

/** JSON of the fields: which of them, in which order and spacing. */
function jsonRows({ fields }: RefusedForm): readonly Row<string>[] {
  const sent = Object.entries(fields).map(([name, value]): JsonMember => [quoted(name), quoted(value)]);
  const all = signedMembers(fields, '""');
  const sources: readonly (readonly [what: string, members: readonly JsonMember[]])[] = [
    ['the fields that were sent', sent],
    ['the signed fields that were sent', signedMembers(fields)],
    ['all eight fields, with empty strings', all],
    ['all eight fields, with null', signedMembers(fields, 'null')],
    ['the fields that were sent, sorted by name', orders.sorted(sent)],
    ['all eight fields, sorted by name', orders.sorted(all)],
  ];
  return sources.flatMap(([what, members], index) =>
    jsonStyles.map(([rarity, how, style]): Row<string> => {
      return [rarer(rarity, index > 1 ? 1 : 0), `JSON of ${what}${how}`, writeTree({ members }, style)];
    }),
  );
}

function joinStage(form: RefusedForm): Stage {
  const json = '% was signed; the canonical string has to be signed.';
  return [
    ...mistakes('separators', 'The fields were signed %.', inStyle, separators),
    ...habits(5, 'other-notation.upload', 'The fields were signed as %.', inStyle, [
      [3, 'toString() of a Java map ({a=b, c=d})', notations.java],
      [3, 'str() of a Python dict', notations.python],
      [4, 'XML', notations.xml],
    ]),
    ...habits(5, 'body-signed.json', json, instead, jsonRows(form)),
  ];
}

/** The texts that callers may have signed instead of the canonical string of an upload. */
export function uploadCandidates(form: RefusedForm, text: string, refused: RefusedRequest): Candidates {
  const { absentFields = 'empty' } = refused;
  const tree = { members: signedMembers(form.fields, absentFields === 'empty' ? '""' : undefined) };
  const write = (changed: JsonTree) => writeTree(changed, notations.pairs);
  const referenceId = fieldOf(form.fields, 'referenceId');
  const stages: Stage[] = [
    // An empty file is an empty text first, which may have had something added to it.
    [...placeholders, ...wholeBodies(form)],
    presenceStage(form, absentFields),
    extraFieldsStage(form, refused),
    absentTextStage(form),
    dateStage(fieldOf(form.fields, 'invoiceDate')),
    extraDataStage(fieldOf(form.fields, 'extraData')),
    valueStage,
    fieldOrderStage(form),
    fieldNamesStage,
    joinStage(form),
    ...textStages(refused, referenceId),
  ];
  return { draft: { text, tree, write }, stages, referenceId };
}
