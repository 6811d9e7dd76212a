import { signedInvoiceFields } from '../../../protocol/canonical-string.js';
import { vietnamOffsetMinutes } from '../../../protocol/timestamps.js';
import { valueOf } from '../../../values/untrusted-values.js';
import { habits, mistakes, onTree, type Apply, type Draft, type Row, type Stage } from '../ingredient.js';
import { inAscii } from '../text/json-escapes.js';
import { inJson, inside, written, type Rewrite } from '../text/rewrites.js';
import { escapes } from '../text/stages.js';
import { decoded, mapScalars, quoted, readTree } from '../tree/tree.js';
import { writeTree } from '../tree/write-tree.js';

function onValues(change: (value: string, name: string) => string): Apply<Draft> {
  return onTree((tree) =>
    mapScalars(tree, (raw, name) => {
      const value = decoded(raw);
      const changed = change(value, name);
      return changed === value ? raw : quoted(changed);
    }),
  );
}

const onField = (field: string) => (text: string) =>
  onValues((value, name) => (name === field ? text : value));

const escapedSeparators: Rewrite = (value) => value.replaceAll('&', '%26').replaceAll('=', '%3D');
const singleSpaced: Rewrite = (value) => value.trim().replaceAll(/\s+/g, ' ');
// A query string encodes each value: usual here, though not for a whole text.
const usual = escapes.map(([rarity, ...row], index): Row<Rewrite> => {
  return [index < 3 ? 2 : index < 8 ? 3 : rarity, ...row];
});
const trimmed = 'The values were signed without the white space at %; they were sent with it.';
const emptied = '% was signed with an empty value; it was sent with another.';
const withoutText = (field: string) => onField(field)('');

export const valueStage: Stage = [
  ...habits(2, 'url-encoded', 'The values were % before they were signed.', onValues, usual),
  ...habits(2, 'values-trimmed', trimmed, onValues, [
    [2, 'their ends', (value) => value.trim()],
    [3, 'their right ends', (value) => value.trimEnd()],
  ]),
  ...mistakes('values-quoted', 'The values were signed %.', onValues, [
    [3, 'in double quotes', inside('"')],
    [4, 'in double quotes, empty ones without', (value) => (value === '' ? '' : `"${value}"`)],
    [3, 'in single quotes', inside("'")],
    [3, 'as JSON strings, with their quotation marks', inJson],
    [3, 'with & and = as %26 and %3D', escapedSeparators, 'url-encoded'],
    [4, 'with one space for each white space', singleSpaced, 'white-space-removed'],
    [4, 'in base64', written('base64'), 'body-encoded.values'],
  ]),
  ...mistakes('value-omitted', emptied, withoutText, [
    ...signedInvoiceFields.map((name) => [4, name, name] as const),
  ]),
];

export function dateStage(invoiceDate = ''): Stage {
  const moment = /^\d{4}-\d\d-\d\dT/.test(invoiceDate) ? Date.parse(invoiceDate) : NaN;
  if (Number.isNaN(moment)) return [];
  const iso = new Date(moment).toISOString();
  const local = new Date(moment + vietnamOffsetMinutes * 60_000).toISOString();
  const [utcSeconds, localSeconds] = [iso.slice(0, 19), local.slice(0, 19)];
  const spaced = utcSeconds.replace('T', ' ');
  const day = iso.slice(0, 10).split('-').reverse();
  const sentence = `invoiceDate was signed %; it was sent as ${invoiceDate.slice(0, 40)}.`;
  const rows: readonly Row<string>[] = [
    [2, 'with milliseconds', iso],
    [2, 'with +00:00 for Z', `${utcSeconds}+00:00`],
    [3, 'with +0000 for Z', `${utcSeconds}+0000`],
    [3, 'without Z', utcSeconds],
    [3, 'with a space for T', spaced],
    [3, 'with a space for T, and Z', `${spaced}Z`],
    [3, 'with a space for T, and +00:00', `${spaced}+00:00`],
    [3, 'with microseconds', `${utcSeconds}.000000Z`],
    [3, 'in Vietnamese time with +07:00', `${localSeconds}+07:00`],
    [3, 'in Vietnamese time with +0700', `${localSeconds}+0700`],
    [3, 'in Vietnamese time', localSeconds],
    [3, 'in Vietnamese time with a space for T', localSeconds.replace('T', ' ')],
    [3, 'in Vietnamese time with Z', `${localSeconds}Z`],
    [3, 'as a day', iso.slice(0, 10)],
    [4, 'as a day in Vietnamese time', local.slice(0, 10)],
    [4, 'as DD/MM/YYYY', day.join('/')],
    [4, 'as DD-MM-YYYY', day.join('-')],
    [4, 'in seconds since 1970', String(moment / 1000)],
    [4, 'in milliseconds since 1970', String(moment)],
    [4, 'without separators', utcSeconds.replaceAll(/\D/g, '')],
    [4, 'as an HTTP date', new Date(moment).toUTCString()],
    [4, 'as Java prints an Instant or LocalDateTime without seconds', iso.slice(0, 16)],
    [4, 'without seconds', `${iso.slice(0, 16)}Z`],
  ];
  const shown = rows.map(([rarity, what, text]): Row<string> => [rarity, `${what} (${text})`, text]);
  return habits(3, 'date-format', sentence, onField('invoiceDate'), shown);
}

/** extraData, a string of JSON, written in another way than it was sent. */
export function extraDataStage(extraData = ''): Stage {
  const compact = valueOf(() => JSON.stringify(JSON.parse(extraData))) ?? '';
  const tree = compact === '' ? undefined : readTree(compact);
  if (tree === undefined) return [];
  const spaced = writeTree(tree, { comma: ', ', colon: ': ' });
  const slashes = compact.replaceAll('/', '\\/');
  const sentence = 'extraData was signed %; it was sent otherwise.';
  return habits(5, 'body-reserialised.extraData', sentence, onField('extraData'), [
    [2, 'without white space', compact],
    [3, 'with a space after each comma and colon', spaced],
    [4, 'indented by 2 spaces', writeTree(tree, { indent: '  ', colon: ': ' })],
    [3, 'with escaped slashes', slashes],
    [3, 'with escaped characters outside ASCII', inAscii(compact)],
    [3, 'with escaped slashes and characters outside ASCII', inAscii(slashes)],
    [3, 'with a space after each comma and colon, and escaped characters outside ASCII', inAscii(spaced)],
    [4, 'as a string of JSON, in quotation marks', JSON.stringify(extraData)],
    [3, 'as [object Object]', '[object Object]'],
    [3, 'as Array', 'Array'],
  ]);
}
