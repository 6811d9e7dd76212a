import { additionStage } from './additions.js';
import { signedInvoiceFields } from '../../protocol/canonical-string.js';
import type { Draft, Field, Ingredient, Stage } from './draft.js';
import {
  absentTextStage,
  extraFieldsStage,
  fieldNamesStage,
  fieldOrderStage,
  presenceStage,
} from './form-fields.js';
import { joinStage } from './form-joins.js';
import { dateStage, extraDataStage, valueStage } from './form-values.js';
import { escapeStage } from './json-escapes.js';
import { byteOrderMarkStage, endStage, lineBreakStage, unicodeStage } from './text-changes.js';
import { encodingStage } from './encodings.js';
import { placeholderIngredients } from './placeholders.js';
import { escapedTextStage } from './escaped-text.js';
import { wrapStage } from './wraps.js';
import type { RefusedForm, RefusedRequest } from './types.js';

const canonicalFix =
  'Sign the canonical string of the textual fields, not the body: merchantId=…&referenceId=…';

const large = 100_000;

/** Bytes of the request that were signed instead of the canonical string. */
function wholeBodies({ bytes, files }: RefusedForm): Stage<Draft> {
  const whole = (message: string, signed: Uint8Array): Ingredient<Draft> => ({
    id: 'body-signed',
    // A large one is tried, but not in combinations that would use up the work that a search may do.
    rarity: signed.length > large ? 5 : 2,
    message,
    fix: canonicalFix,
    apply: () => ({ bytes: signed }),
  });
  return [
    ...(bytes.length === 0 ? [] : [whole('The whole multipart body was signed.', bytes)]),
    ...files.map((file) => whole('The content of the file was signed.', file.bytes)),
  ];
}

/** Everything that callers may have signed instead of the canonical string of an upload. */
export function formSpace(form: RefusedForm, canonical: string, refused: RefusedRequest) {
  const { absentFields = 'empty' } = refused;
  const sent = (name: string) => (Object.hasOwn(form.fields, name) ? form.fields[name] : undefined);
  const fields = signedInvoiceFields
    .filter((name) => absentFields === 'empty' || sent(name) !== undefined)
    .map((name): Field => [name, sent(name) ?? '']);
  const textStages: Stage<Draft>[] = [
    [...wholeBodies(form), ...placeholderIngredients],
    presenceStage(form, absentFields),
    extraFieldsStage(form, refused),
    absentTextStage(form),
    dateStage(sent('invoiceDate')),
    extraDataStage(sent('extraData')),
    valueStage,
    fieldOrderStage(form),
    fieldNamesStage,
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
  const text: Draft = { text: canonical, fields };
  return { text, textStages, referenceId: sent('referenceId') };
}
