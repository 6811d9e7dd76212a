import { signedInvoiceFields } from '../../../protocol/canonical-string.js';
import { habits, instead, mistakes, rarer, type Rarity, type Row, type Stage } from '../ingredient.js';
import { inStyle } from '../payment/spacing.js';
import { notations } from '../tree/write-tree.js';
import { orders } from '../tree/members.js';
import { quoted, type JsonMember } from '../tree/tree.js';
import { writeTree, type Style } from '../tree/write-tree.js';
import type { RefusedForm } from '../types.js';
import { membersOf } from './fields.js';

/** name=value pairs that are joined, or enclosed, in another way. */
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
function jsonRows({ fields: sent }: RefusedForm): readonly Row<string>[] {
  const isSent = (name: string) => Object.hasOwn(sent, name);
  const all = (absent: string): JsonMember[] =>
    signedInvoiceFields.map((name) => [quoted(name), isSent(name) ? quoted(sent[name] ?? '') : absent]);
  const everything = membersOf(Object.entries(sent));
  const sources: readonly (readonly [what: string, members: readonly JsonMember[]])[] = [
    ['the fields that were sent', everything],
    ['the signed fields that were sent', all('').filter(([name]) => isSent(name.slice(1, -1)))],
    ['all eight fields, with empty strings', all('""')],
    ['all eight fields, with null', all('null')],
    ['the fields that were sent, sorted by name', orders.sorted(everything)],
    ['all eight fields, sorted by name', orders.sorted(all('""'))],
  ];
  return sources.flatMap(([what, members], index) =>
    jsonStyles.map(([rarity, how, style]): Row<string> => [
      rarer(rarity, index > 1 ? 1 : 0),
      `JSON of ${what}${how}`,
      writeTree({ members }, style),
    ]),
  );
}

/** The fields joined in another way. */
export function joinStage(form: RefusedForm): Stage {
  const json = '% was signed; the canonical string has to be signed.';
  return [
    ...mistakes('separators', 'The fields were signed %.', inStyle, separators),
    ...habits(
      mistakes('other-notation.upload', 'The fields were signed as %.', inStyle, [
        [3, 'toString() of a Java map ({a=b, c=d})', notations.java],
        [3, 'str() of a Python dict', notations.python],
        [4, 'XML', notations.xml],
      ]),
    ),
    ...habits(mistakes('body-signed.json', json, instead, jsonRows(form))),
  ];
}
