import * as z from 'zod/mini';
import { isPlainObject, isRecord, tryParseJson, omitUndefined } from '../values/untrusted-values.js';
import { transformed, wrongKind, type Refuse } from '../validation/rules.js';
import { invoiceUploadSchema } from './invoice-schema.js';
import { jsonTextOf } from '../validation/json-text.js';
import { namesAt } from '../validation/schema-names.js';
import { paymentRequestSchema } from './payment-schema.js';

/** Fields from the provider's documentation that the specification does not show: plain JSON data. */
export type AdditionalFields = Readonly<Record<string, unknown>>;

/** Additional fields of an upload: text fields of the form. */
export type AdditionalTexts = Readonly<Record<string, string>>;

/** The hint in the message of an unknown field. */
export const additionalFieldsHint =
  "If only your provider's documentation shows this field, pass it in the option additionalFields";

const jsonRule = "must be a plain object of JSON data, such as { voucher: 'A' }";
const uploadRule = "must be a plain object of strings, such as { voucher: 'A' }";

/**
 * Refuses an additional field that has the name of a known field. Exception: if the known field is an object, such as
 * `customer`, the additional field can be an object, and the same rule applies to its members.
 */
function refuseKnownFields(
  fields: Readonly<Record<string, unknown>>,
  schema: z.ZodMiniType,
  refuse: Refuse,
  path: readonly string[] = [],
): void {
  const known = namesAt(schema, path) ?? [];
  for (const name of Object.keys(fields).filter((field) => known.includes(field))) {
    const here = [...path, name];
    const value = fields[name];
    if (namesAt(schema, here) === undefined) {
      refuse(`belongs in the request itself, as ${here.join('.')}`, { path: here });
    } else if (isRecord(value)) refuseKnownFields(value, schema, refuse, here);
    else
      refuse(wrongKind(`must be an object, which is merged into ${here.join('.')}`, value), { path: here });
  }
}

/** Checks and copies the additional fields of a JSON body. {@link withAdditionalFields} adds them to the body. */
export function additionalJsonFields(schema: z.ZodMiniType) {
  return transformed(z.custom<AdditionalFields>(), (value, refuse): AdditionalFields => {
    if (!isRecord(value) || !isPlainObject(value)) return refuse(wrongKind(jsonRule, value));
    const json = jsonTextOf(value);
    if (!json.ok) return refuse(json.problem);
    const copy = tryParseJson(json.value);
    if (!isRecord(copy)) return refuse(jsonRule);
    refuseKnownFields(copy, schema, refuse);
    return copy;
  });
}

export const additionalPaymentFields = additionalJsonFields(paymentRequestSchema);

// The name of a field is sent in quotation marks, in a header of the part, so it cannot contain a quotation mark, a
// backslash or a control character.
const partName = /^[^"\\\p{Cc}]+$/u;

function textFieldProblem(name: string, value: unknown): string | undefined {
  if (!partName.test(name) || !name.isWellFormed())
    return 'has a name that is empty or contains quotes, backslashes or control characters';
  if (typeof value !== 'string') return wrongKind('must be a string', value);
  return value.isWellFormed() ? undefined : 'must be well-formed Unicode';
}

/**
 * Checks and copies the additional fields of an upload. Each field becomes a part of the form, between the signed
 * fields and `fileUrl`. The canonical string does not contain the additional fields.
 */
export const additionalUploadFields = transformed(
  z.custom<AdditionalTexts>(),
  (value, refuse): AdditionalTexts => {
    if (!isRecord(value) || !isPlainObject(value)) return refuse(wrongKind(uploadRule, value));
    const texts = omitUndefined(value);
    for (const [name, text] of Object.entries(texts)) {
      const problem = textFieldProblem(name, text);
      if (problem !== undefined) refuse(problem, { path: [name] });
    }
    refuseKnownFields(texts, invoiceUploadSchema, refuse);
    return texts;
  },
);

/** Adds checked additional fields to a body, after its known fields. Objects are merged. */
export function withAdditionalFields<Body extends object>(body: Body, additional?: AdditionalFields): Body {
  if (!additional) return body;
  const merged = Object.entries(additional).map(([name, value]): [string, unknown] => {
    const known: unknown = Reflect.get(body, name);
    return [name, isRecord(known) && isRecord(value) ? withAdditionalFields(known, value) : value];
  });
  return { ...body, ...Object.fromEntries(merged) };
}
