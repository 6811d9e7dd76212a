import * as z from 'zod';
import { isPlainObject, isRecord, jsonIn } from '../values/untrusted-values.js';
import { wrongKind } from './field-rules.js';
import { invoiceUploadSchema } from './invoice-schema.js';
import { jsonTextOf } from './json-text.js';
import { namesAt } from './known-names.js';
import { paymentRequestSchema } from './payment-schema.js';

/** Fields that the merchant's own documents have and the specification does not show: plain JSON data. */
export type AdditionalFields = Readonly<Record<string, unknown>>;

/** The same for an upload: text fields of the form. */
export type AdditionalTexts = Readonly<Record<string, string>>;

/** Added to the message of an unknown field. */
export const additionalFieldsHint =
  'A field that only your own documents show goes into the option additionalFields';

const paymentRule = "must be a plain object of JSON data, such as { voucher: 'A' }";
const uploadRule = "must be a plain object of strings, such as { voucher: 'A' }";

type Refuse = (path: readonly string[], message: string) => void;

function refusing(context: z.core.$RefinementCtx): Refuse {
  return (path, message) => context.addIssue({ code: 'custom', path: [...path], message });
}

// Names by which a reader of the body that merges it could change a prototype.
const dangerousNames: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/** Refuses dangerous names at every depth, and fields that the request has at the same place. */
function checkNames(fields: object, path: readonly string[], refuse: Refuse): void {
  const known = namesAt(paymentRequestSchema, path) ?? [];
  for (const [name, value] of Object.entries(fields)) {
    const here = [...path, name];
    const isObject = typeof value === 'object' && value !== null;
    if (dangerousNames.includes(name)) refuse(here, 'is a name that could change a prototype');
    else if (!known.includes(name)) {
      if (isObject) checkNames(value as object, here, refuse);
    } else if (namesAt(paymentRequestSchema, here) === undefined) {
      refuse(here, `belongs in the request itself, as ${here.join('.')}`);
    } else if (isRecord(value)) checkNames(value, here, refuse);
    else refuse(here, wrongKind(`must be an object, which is merged into ${here.join('.')}`, value));
  }
}

/**
 * Checks the additional fields of a payment, and copies them. They become part of the bytes, of the signature and of the
 * derived idempotency key: see {@link withAdditionalFields}.
 */
export const additionalPaymentFields = z
  .custom<AdditionalFields>()
  .transform((value, context): AdditionalFields => {
    const refuse = refusing(context);
    if (!isRecord(value) || !isPlainObject(value)) {
      refuse([], wrongKind(paymentRule, value));
      return z.NEVER;
    }
    const json = jsonTextOf(value);
    const copy = typeof json === 'string' ? jsonIn(json) : undefined;
    if (isRecord(copy)) {
      checkNames(copy, [], refuse);
      return copy;
    }
    refuse([], typeof json === 'string' ? paymentRule : json.message);
    return z.NEVER;
  });

// A quote or a control character would end the name in the header of its part.
const partName = /^[^"\\\p{Cc}]+$/u;

const uploadNames = namesAt(invoiceUploadSchema, []) ?? [];

/**
 * Checks the additional fields of an upload, and copies them. Each becomes a part of the form, between the signed fields and
 * `fileUrl`; none is in the canonical string.
 */
export const additionalUploadFields = z
  .custom<AdditionalTexts>()
  .transform((value, context): AdditionalTexts => {
    const refuse = refusing(context);
    if (!isRecord(value) || !isPlainObject(value)) {
      refuse([], wrongKind(uploadRule, value));
      return z.NEVER;
    }
    const given = Object.entries<unknown>(value).filter(([, text]) => text !== undefined);
    for (const [name, text] of given) {
      if (uploadNames.includes(name)) refuse([name], `belongs in the request itself, as ${name}`);
      else if (dangerousNames.includes(name)) refuse([name], 'is a name that could change a prototype');
      else if (!partName.test(name) || !name.isWellFormed())
        refuse([name], 'has a name that is empty or has quotes, backslashes or control characters');
      else if (typeof text !== 'string') refuse([name], wrongKind('must be a string', text));
      else if (!text.isWellFormed()) refuse([name], 'must be well-formed Unicode');
    }
    return Object.fromEntries(given) as AdditionalTexts;
  });

/** A body with checked additional fields behind its own. Objects are merged. */
export function withAdditionalFields<Body extends object>(
  body: Body,
  additional: AdditionalFields = {},
): Body {
  const merged = Object.entries(additional).map(([name, value]): [string, unknown] => {
    const own: unknown = Reflect.get(body, name);
    return [name, isRecord(own) && isRecord(value) ? withAdditionalFields(own, value) : value];
  });
  return { ...body, ...Object.fromEntries(merged) };
}
