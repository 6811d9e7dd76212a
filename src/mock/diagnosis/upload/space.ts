import { signedInvoiceFields } from '../../../protocol/canonical-string.js';
import { instead, mistakes, type Draft, type Row, type Stage, type TextSpace } from '../ingredient.js';
import { placeholders } from '../text/stages.js';
import { textStages } from '../text/stages.js';
import { notations } from '../tree/write-tree.js';
import type { JsonTree } from '../tree/tree.js';
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
function wholeBodies({ bytes, files }: RefusedForm): Stage {
  const row = (what: string, signed: Uint8Array): Row<Draft> => [
    signed.length > large ? 5 : 2,
    what,
    { bytes: signed },
  ];
  const rows = [
    row('The whole multipart body', bytes),
    ...files.map((file) => row('The content of the file', file.bytes)),
  ];
  return mistakes('body-signed', '% was signed.', instead, rows);
}

/** The texts that callers may have signed instead of the canonical string of an upload. */
export function uploadSpace(form: RefusedForm, text: string, refused: RefusedRequest): TextSpace {
  const { absentFields = 'empty' } = refused;
  const sent = (name: string) => (Object.hasOwn(form.fields, name) ? form.fields[name] : undefined);
  const fields = signedInvoiceFields.map((name) => [name, sent(name)] as const);
  const present = fields.filter(([, value]) => absentFields === 'empty' || value !== undefined);
  const tree = { members: membersOf(present.map(([name, value = '']) => [name, value])) };
  const write = (changed: JsonTree) => writeTree(changed, notations.pairs);
  const stages: Stage[] = [
    // An empty file is an empty text first, which may have had something added to it.
    [...placeholders, ...wholeBodies(form)],
    presenceStage(form, absentFields),
    extraFieldsStage(form, refused),
    absentTextStage(form),
    dateStage(sent('invoiceDate')),
    extraDataStage(sent('extraData')),
    valueStage,
    fieldOrderStage(form),
    fieldNamesStage,
    joinStage(form),
    ...textStages(refused, sent('referenceId')),
  ];
  return { draft: { text, tree, write }, stages, referenceId: sent('referenceId') };
}
