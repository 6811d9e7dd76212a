import { isRecord, jsonIn } from '../../values/untrusted-values.js';
import { fillText, type PlaceholderValues } from './webhook-template.js';

/** Stands in a body for its own signature, until that is known. */
export const signaturePlace = '(signature)';

/** The text that the signature of a webhook is made of: its body, unless `template.signed` has another. */
export function signedText(signed: string | undefined, body: string, values: PlaceholderValues): string {
  if (signed === undefined) return body;
  const json = jsonIn(body);
  const record = isRecord(json) ? json : {};
  const parts = Object.entries(record).flatMap(([name, value]) => [
    [`body.${name}`, value] as const,
    [`sorted.${name}`, isRecord(value) ? sortedFields(value) : value] as const,
  ]);
  return fillText(signed, { ...values, ...Object.fromEntries(parts), body, sorted: sortedFields(record) });
}

/** Fields but the signature as name=value, sorted by name and joined by &. */
function sortedFields(fields: Readonly<Record<string, unknown>>): string {
  const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));
  return Object.keys(fields)
    .filter((name) => fields[name] !== signaturePlace)
    .sort()
    .map((name) => `${name}=${textOf(fields[name]).replace(/^""$/, '')}`)
    .join('&');
}
