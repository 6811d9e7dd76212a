import { signedInvoiceFields } from '../../../protocol/canonical-string.js';
import { vietnamOffsetMinutes } from '../../../protocol/timestamps.js';
import type { RefusedForm, RefusedRequest } from '../../../mock/observation.js';
import { mistake, rowsFor, rowsOf } from '../mistake.js';
import type { Candidates } from '../search.js';
import { Candidate, onText, onTree, onWrite, type Step } from './candidate.js';
import { inObjects, inOrderOf, outer, sorted, without } from './fields.js';
import { pairs, python } from './forms.js';
import { percentEncodings } from './rewrites.js';
import { tokenWriter } from './styles.js';
import { plain, quoted, readTree, writeTree, type Layout, type Tree, type TreeObject } from './tree.js';
import { onStrings, onTokens, stringSteps } from './values.js';
import { aloneSteps, endSteps, rewriteSteps } from './whole-text.js';

type Fields = Readonly<Record<string, string>>;

const treeOf = (fields: Fields, names: readonly string[]): TreeObject =>
  Object.fromEntries(names.map((name) => [quoted(name), quoted(fields[name] ?? '')]));

const canonical = (tree: Tree) => writeTree(tree, pairs());

/** Gives some fields a different value. */
const withValue = (isChanged: (name: string) => boolean, value: string) =>
  onTokens(
    (_raw, name) => isChanged(name),
    () => quoted(value),
  );
const onField = (field: string, value: string) => withValue((name) => name === field, value);

/** Steps that change which fields are signed. */
function presenceSteps(fields: Fields, documented: TreeObject): Step[] {
  const isAbsent = (name: string) => fields[name] === undefined;
  const withUrl = (place: (names: readonly string[]) => number) =>
    inObjects((members) => {
      if (fields['fileUrl'] === undefined) return members;
      const names = members.map(([name]) => plain(name));
      return members.toSpliced(place(names), 0, ['"fileUrl"', quoted(fields['fileUrl'])]);
    });
  const withoutField = (field: string) => inObjects(without((name) => name === field));
  return onTree({
    'absent-fields-included': inObjects(() => Object.entries(documented)),
    'absent-fields-omitted.absent': inObjects(without(isAbsent)),
    'absent-fields-omitted.empty': inObjects(without((_name, value) => value === '""')),
    ...rowsFor('absent-fields-omitted.field', signedInvoiceFields, withoutField),
    ...rowsFor('absent-fields-as-text', ['null', 'None', 'undefined'], (text) => withValue(isAbsent, text)),
    'file-included.url-end': withUrl((names) => names.length),
    // In the specification's table, file and fileUrl come between invoiceDate and description.
    'file-included.url-table': withUrl((names) => names.indexOf('description')),
  });
}

function orderSteps(fields: Fields): Step[] {
  const all = Object.entries(treeOf(fields, Object.keys(fields)));
  return onTree({
    'field-order.upload.sorted': inObjects(sorted),
    'field-order.upload.sent': inObjects(inOrderOf(Object.keys(fields))),
    'fields-as-sent': inObjects(() => all),
    'fields-as-sent.sorted': inObjects(() => sorted(all, outer)),
  });
}

/** Steps that write invoiceDate in the form of other libraries and time zones. */
function dateSteps(invoiceDate = ''): Step[] {
  const moment = /^\d{4}-\d\d-\d\dT/.test(invoiceDate) ? Date.parse(invoiceDate) : NaN;
  if (Number.isNaN(moment)) return [];
  const utc = new Date(moment).toISOString();
  const local = new Date(moment + vietnamOffsetMinutes * 60_000).toISOString().slice(0, 19);
  const seconds = utc.slice(0, 19);
  const texts = [
    utc,
    `${seconds}Z`,
    `${seconds}+00:00`,
    `${local}+07:00`,
    seconds,
    local,
    local.replace('T', ' '),
  ];
  return onTree(rowsFor('date-format', texts, (text) => onField('invoiceDate', text)));
}

const spaced: Layout = { comma: ', ', colon: ': ' };

/** The default JSON layouts of libraries. */
const jsonLayouts: Readonly<Record<string, Layout>> = {
  compact: {},
  ascii: { token: tokenWriter('unicode') },
  php: { token: tokenWriter('php') },
  python: { ...spaced, token: tokenWriter('unicode') },
  spaced,
};
/** Steps that write extraData, a string of JSON, in a different form from the sent form. */
function extraDataSteps(extraData = ''): Step[] {
  const tree = readTree(extraData.trim());
  if (tree === undefined) return [];
  return onTree({
    ...rowsOf('body-reserialised.extraData', Object.entries(jsonLayouts), (layout) =>
      onField('extraData', writeTree(tree, layout)),
    ),
    'body-reserialised.extraData.object': onField('extraData', '[object Object]'),
  });
}

const encodingSteps = onTree(rowsOf('url-encoded', percentEncodings, onStrings));

const marks = ['|', ',', '', '\n', '\r\n', '&'];

const joinSteps = onWrite({
  'separators.first': (tree) => `&${canonical(tree)}`,
  'separators.last': (tree) => `${canonical(tree)}&`,
  'separators.html': (tree) => writeTree(tree, pairs('&amp;')),
  ...rowsFor('separators.pairs', marks, (mark) => (tree) => writeTree(tree, pairs(mark))),
  ...rowsFor('separators.values', marks, (mark) => (tree) => writeTree(Object.values(tree), pairs(mark))),
  ...rowsOf('separators.json', Object.entries(jsonLayouts), (layout) => (tree) => writeTree(tree, layout)),
  'separators.json.dict': (tree) => writeTree(tree, python),
});

/** Steps that sign the file together with the fields, or instead of them. */
function fileSteps({ bytes, files: [file] }: RefusedForm): Step[] {
  return onText({
    'file-included.name': (text) => `${text}&file=${file?.name ?? ''}`,
    'file-included.content': (text) => file && Buffer.concat([Buffer.from(text), file.bytes]),
    'body-signed.form': () => bytes,
    'body-signed.file': () => file?.bytes,
  });
}

function* ordersOf<Value>(values: readonly Value[]): Generator<Value[]> {
  if (values.length === 0) yield [];
  for (const [index, first] of values.entries()) {
    for (const rest of ordersOf(values.toSpliced(index, 1))) yield [first, ...rest];
  }
}

/** Steps that lead to every order of some fields, because a shop might use any order. */
function* ownOrderSteps(tree: TreeObject, isWhole: boolean): Generator<Step> {
  const omitted = isWhole ? [] : [mistake('absent-fields-omitted.absent')];
  const pairsOf = Object.entries(tree).map(([name, value]) => [plain(name), canonical({ [name]: value })]);
  for (const order of ordersOf(pairsOf)) {
    // There are thousands of orders, so each pair is written once, and an order only joins the pairs.
    const text = order.map(([, pair]) => pair).join('&');
    yield (candidate) =>
      candidate.with({ text }, () => [
        ...omitted,
        mistake(`field-order.upload.own.${order.map(([name]) => name).join('-')}`),
      ]);
  }
}

/** The texts that might have been signed instead of the canonical string of an upload. */
export function uploadCandidates(form: RefusedForm, refused: RefusedRequest): Candidates {
  const { fields } = form;
  const documented = treeOf(fields, signedInvoiceFields);
  const present = treeOf(
    fields,
    signedInvoiceFields.filter((name) => fields[name] !== undefined),
  );
  const isOmitted = refused.absentFields === 'omit';

  function* ownOrders(): Generator<Step> {
    yield* ownOrderSteps(present, isOmitted);
    if (!isOmitted) yield* ownOrderSteps(documented, true);
  }

  return {
    sent: new Candidate({ tree: isOmitted ? present : documented, write: canonical }),
    lists: [
      presenceSteps(fields, documented),
      orderSteps(fields),
      dateSteps(fields['invoiceDate']),
      extraDataSteps(fields['extraData']),
      [...encodingSteps, ...stringSteps],
      joinSteps,
      endSteps,
      rewriteSteps,
    ],
    // A file can be large, and would use up the work for the other steps.
    alone: [...aloneSteps(refused), ...fileSteps(form)],
    last: ownOrders(),
    workPerStep: 4 * canonical(documented).length,
  };
}
