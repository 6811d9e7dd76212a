import { randomUUID } from 'node:crypto';
import { isRecord, tryParseJson } from '../../values/untrusted-values.js';
import { concatenatedFields, sortedFields } from '../../values/sorted-fields.js';
import { fillText, type PlaceholderValues } from './webhook-template.js';

/**
 * The text that stands for the signature in a body until the signature is computed. It is random, so that no text of a
 * merchant contains it.
 */
export const signaturePlace = `(signature ${randomUUID()})`;

/** The text over which a webhook is signed: its body, unless `template.signed` defines another text. */
export function signedText(signed: string | undefined, body: string, values: PlaceholderValues): string {
  if (signed === undefined) return body;
  const json = tryParseJson(body);
  const record = isRecord(json) ? json : {};
  const parts = Object.entries(record).flatMap(([name, value]) => [
    [`body.${name}`, value] as const,
    [`sorted.${name}`, isRecord(value) ? sortedFields(value) : value] as const,
    [`concatenated.${name}`, isRecord(value) ? concatenatedFields(value) : value] as const,
  ]);
  const signatureField = Object.keys(record).find((name) => record[name] === signaturePlace);
  const sorted = sortedFields(record, signatureField);
  const concatenated = concatenatedFields(record, signatureField);
  return fillText(signed, { ...values, ...Object.fromEntries(parts), body, sorted, concatenated });
}
