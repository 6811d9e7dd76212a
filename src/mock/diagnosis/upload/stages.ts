import { signedInvoiceFields } from '../../../protocol/canonical-string.js';
import {
  instead,
  mistakes,
  onTree,
  type Draft,
  type Row,
  type Stage,
  type TextSpace,
} from '../ingredient.js';
import { additionStage } from '../text/additions.js';
import { byteOrderMarkStage, endStage, lineBreakStage, unicodeStage } from '../text/changes.js';
import { encodingStage } from '../text/encodings.js';
import { escapedTextStage } from '../text/escaped-text.js';
import { escapeStage } from '../text/json-escapes.js';
import { placeholderIngredients } from '../text/placeholders.js';
import { wrapStage } from '../text/wraps.js';
import { notations } from '../tree/notations.js';
import { writeTree } from '../tree/write-tree.js';
import type { RefusedForm, RefusedRequest } from '../types.js';
import {
  absentTextStage,
  extraFieldsStage,
  fieldNamesStage,
  fieldOrderStage,
  membersOf,
  presenceStage,
} from './fields.js';
import { joinStage } from './joins.js';
import { dateStage, extraDataStage, valueStage } from './values.js';

/** A larger one is tried, but not in combinations that would use up the work that a search may do. */
const large = 100_000;

/** Bytes of the request that were signed instead of the canonical string. */
function wholeBodies({ bytes, files }: RefusedForm): Stage<Draft> {
  const bodies = [
    ['The whole multipart body', bytes],
    ...files.map((file) => ['The content of the file', file.bytes]),
  ] as [string, Uint8Array][];
  const rows = bodies.map(([what, signed]): Row<Draft> => [
    signed.length > large ? 5 : 2,
    what,
    { bytes: signed },
  ]);
  return mistakes('body-signed', '% was signed.', instead, rows);
}

/** The texts that callers may have signed instead of the canonical string of an upload. */
export function uploadSpace(form: RefusedForm, text: string, refused: RefusedRequest): TextSpace {
  const { absentFields = 'empty' } = refused;
  const sent = (name: string) => (Object.hasOwn(form.fields, name) ? form.fields[name] : undefined);
  const fields = signedInvoiceFields.map((name) => [name, sent(name)] as const);
  const present = fields.filter(([, value]) => absentFields === 'empty' || value !== undefined);
  const tree = { members: membersOf(present.map(([name, value = '']) => [name, value])) };
  const on = onTree((changed) => writeTree(changed, notations.pairs));
  const stages: Stage<Draft>[] = [
    // An empty file is an empty text first, which may have had something added to it.
    [...placeholderIngredients, ...wholeBodies(form)],
    presenceStage(form, absentFields, on),
    extraFieldsStage(form, refused, on),
    absentTextStage(form, on),
    dateStage(sent('invoiceDate'), on),
    extraDataStage(sent('extraData'), on),
    valueStage(on),
    fieldOrderStage(form, on),
    fieldNamesStage(on),
    joinStage(form),
    unicodeStage,
    escapeStage,
    escapedTextStage,
    endStage,
    lineBreakStage,
    byteOrderMarkStage,
    wrapStage,
    additionStage(refused, sent('referenceId')),
    encodingStage,
  ];
  return { draft: { text, tree }, stages, referenceId: sent('referenceId') };
}
