import * as z from 'zod/mini';
import { objectError, oneOf, text } from '../../validation/rules.js';
import { isHeaderName, isReservedForAll } from '../../protocol/headers.js';
import { signatureEncodings } from '../../protocol/signature.js';
import { eventFields } from './webhook-event.js';
import type { MockWebhookOptions } from './webhook-types.js';

/** The values of the placeholders, by their names. */
export type PlaceholderValues = Readonly<Record<string, unknown>>;

/** The placeholders of a template, as in `{referenceId}`. */
const placeholders = [...eventFields, 'amount.value', 'amount.currency', 'clientId', 'timestamp'];
/** The placeholders that only `signed` supports: the body, a text in the body, and the fields of an object. */
const signedPart = /^(?:body|sorted|concatenated)(?:\.\w+)?$/;

const placeholder = /\{([\w.]+)\}/g;
const onePlaceholder = /^\{([\w.]+)\}$/;

/** Fills the placeholders in a text: `write` converts a string, and any other value is written as JSON. */
export function fillText(
  template: string,
  values: PlaceholderValues,
  write = (value: string) => value,
): string {
  return template.replaceAll(placeholder, (_whole, name: string) => {
    const value = values[name] ?? '';
    return typeof value === 'string' ? write(value) : JSON.stringify(value);
  });
}

/**
 * Writes JSON with its placeholders filled. A string that consists of one placeholder is replaced with the value of the
 * placeholder, which can have any type.
 */
export function fillJson(template: object, values: PlaceholderValues): string {
  return JSON.stringify(template, (_name, value: unknown) => {
    if (typeof value !== 'string') return value;
    const [, name] = onePlaceholder.exec(value) ?? [];
    return name === undefined ? fillText(value, values) : values[name];
  });
}

/** Creates a check for placeholders. It accepts the common placeholders and those for which `isKnown` is true. */
function placeholdersAre(isKnown: (name: string) => boolean = () => false) {
  return z.superRefine<unknown>((template, context) => {
    const used = new Set(Array.from(JSON.stringify(template).matchAll(placeholder), ([, name = '']) => name));
    const unknown = [...used].filter((name) => !placeholders.includes(name) && !isKnown(name));
    if (unknown.length === 0) return;
    const inBraces = (names: readonly string[]) => names.map((name) => `{${name}}`).join(', ');
    const message = `has unknown placeholders: ${inBraces(unknown)}; the known placeholders are ${inBraces(placeholders)}`;
    context.addIssue({ code: 'custom', message });
  });
}

const headerRule = 'must be the name of a header, such as Signature';
const isSettable = (name: string) => isHeaderName(name) && !isReservedForAll(name);
const headerName = z.string(headerRule).check(z.refine(isSettable, headerRule));
const statusValue = z.union([text, z.number()], 'must be a string or a number');

/** The rule for the option `webhook.template`, which can come from a file. */
export const webhookTemplate: z.ZodMiniType<NonNullable<MockWebhookOptions['template']>> = z.strictObject(
  {
    header: z.optional(headerName),
    encoding: z.optional(oneOf(signatureEncodings)),
    prefix: z.optional(text.check(placeholdersAre())),
    signed: z.optional(text.check(placeholdersAre((name) => signedPart.test(name)))),
    headers: z.optional(
      z
        .record(
          z.union([headerName, z.literal('Content-Type')]),
          text,
          'must be an object whose values are strings',
        )
        .check(placeholdersAre()),
    ),
    status: z.optional(
      z.partial(
        z.strictObject(
          { paid: statusValue, declined: statusValue, expired: statusValue, pending: statusValue },
          objectError("{ paid: 'SUCCESS' }"),
        ),
      ),
    ),
    body: z.optional(
      z
        .union([text, z.record(z.string(), z.json())], 'must be a JSON object or a string')
        .check(placeholdersAre((name) => name === 'signature')),
    ),
  },
  objectError("{ body: { referenceId: '{referenceId}' } }"),
);
