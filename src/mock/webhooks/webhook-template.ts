import * as z from 'zod/mini';
import { object, oneOf, text } from '../../protocol/field-rules.js';
import { isHeaderName, isTransportHeader } from '../../protocol/headers.js';
import { isRecord } from '../../values/untrusted-values.js';
import type { MockPayment } from '../state/payment-record.js';
import { eventFields, type MockWebhookEvent } from './webhook-event.js';
import type { MockWebhookOptions } from './webhook-types.js';

/** The facts that a webhook is made of. */
export interface WebhookFacts {
  /** Such as `WH-00000001`. */
  readonly id: string;
  /** The client that created the payment. */
  readonly clientId: string;
  /** The payment as the webhook tells of it. */
  readonly payment: MockPayment;
  /** The word for the status of the payment. */
  readonly status: string | number;
}

type Value = (facts: WebhookFacts) => unknown;

/** The placeholders of a template, as in `{referenceId}`, with the value of each. */
const placeholders: Readonly<Record<keyof MockWebhookEvent, Value> & Record<string, Value>> = {
  id: ({ id }) => id,
  event: ({ payment }) => (payment.status === 'pending' ? 'payment.pending' : 'payment.settled'),
  merchantId: ({ payment }) => payment.merchantId,
  referenceId: ({ payment }) => payment.referenceId,
  status: ({ status }) => status,
  amount: ({ payment }) => payment.request.amount,
  'amount.value': ({ payment }) => payment.request.amount.value,
  'amount.currency': ({ payment }) => payment.request.amount.currency,
  description: ({ payment }) => payment.request.description,
  paymentTransId: ({ payment }) => payment.paymentTransId,
  settledAt: ({ payment }) => payment.settledAt?.toISOString(),
  clientId: ({ clientId }) => clientId,
};

/** The template of {@link MockWebhookEvent}. */
export const eventTemplate = Object.fromEntries(eventFields.map((name) => [name, `{${name}}`]));

const placeholder = /\{([\w.]+)\}/g;
const onePlaceholder = /^\{([\w.]+)\}$/;

/** Fills the placeholders within a text; a value that is not a string is written as JSON. */
export function fillText(template: string, facts: WebhookFacts, write = (value: string) => value): string {
  return template.replaceAll(placeholder, (_whole, name: string) => {
    const value = placeholders[name]?.(facts) ?? '';
    return typeof value === 'string' ? write(value) : JSON.stringify(value);
  });
}

/** Fills the placeholders within a JSON value. A string that is one placeholder becomes its value, of any type. */
export function fillValue(template: unknown, facts: WebhookFacts): unknown {
  if (typeof template === 'string') {
    const [, name] = onePlaceholder.exec(template) ?? [];
    return name === undefined ? fillText(template, facts) : placeholders[name]?.(facts);
  }
  if (Array.isArray(template)) return template.map((each) => fillValue(each, facts));
  if (!isRecord(template)) return template;
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, fillValue(value, facts)]));
}

/** Refuses unknown placeholders by name. */
function knowsPlaceholders(template: unknown, context: z.core.$RefinementCtx): void {
  const used = new Set(Array.from(JSON.stringify(template).matchAll(placeholder), ([, name = '']) => name));
  const unknown = [...used].filter((name) => !Object.hasOwn(placeholders, name));
  if (unknown.length === 0) return;
  const listed = (names: readonly string[]) => names.map((name) => `{${name}}`).join(', ');
  const known = listed(Object.keys(placeholders));
  context.addIssue({ code: 'custom', message: `has unknown placeholders: ${listed(unknown)}; use ${known}` });
}

const headerRule = 'must be the name of a header, such as Signature';
const isSettable = (name: string) => isHeaderName(name) && !isTransportHeader(name);
const headerName = z.string(headerRule).check(z.refine(isSettable, headerRule));
const word = z.union([text, z.number()], 'must be a string or a number');

/** The rule for the option `webhook.template`, which may come from a file. */
export const webhookTemplate: z.ZodMiniType<NonNullable<MockWebhookOptions['template']>> = z.strictObject(
  {
    header: z.optional(headerName),
    encoding: z.optional(oneOf(['hex', 'base64'])),
    prefix: z.optional(text),
    headers: z.optional(
      z
        .record(z.union([headerName, z.literal('Content-Type')]), text, 'must be an object with text values')
        .check(z.superRefine(knowsPlaceholders)),
    ),
    status: z.optional(
      z.partial(
        z.strictObject(
          { paid: word, declined: word, expired: word, pending: word },
          object("{ paid: 'SUCCESS' }"),
        ),
      ),
    ),
    body: z.optional(
      z
        .union([text, z.record(z.string(), z.json())], 'must be a JSON object or a string')
        .check(z.superRefine(knowsPlaceholders)),
    ),
  },
  object("{ body: { referenceId: '{referenceId}' } }"),
);
