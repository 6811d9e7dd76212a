import type { KeyObject } from 'node:crypto';
import { knownHeaders } from '../../protocol/headers.js';
import { encodeDigest, hmacSha256 } from '../../protocol/signature.js';
import { unicodeEscape } from '../../values/encodings.js';
import { reasonOf } from '../../values/reason-of.js';
import { isRecord, tryParseJson } from '../../values/untrusted-values.js';
import { version } from '../../version.js';
import type { MockPayment } from '../state/payment-record.js';
import { forgeries } from '../scenarios/webhook-plans.js';
import type { MockWebhookEvent } from './webhook-event.js';
import { fillJson, fillText, type PlaceholderValues } from './webhook-template.js';
import { signaturePlace, signedText } from './signed-text.js';
import type { MockWebhookOptions, WebhookDelivery } from './webhook-types.js';
import { reportOf, type WebhookVariant } from './webhook-variants.js';

/** The data from which a webhook is written, besides its payment. */
export interface WebhookContent extends WebhookVariant {
  /** The ID, such as `WH-00000001`. */
  readonly id: string;
  /** The key that signs the webhook, unless the webhook is a forgery. */
  readonly key: string | KeyObject;
  /**
   * The time when the webhook is made. Forgeries and decoys report this time as the time of settlement, except the
   * decoy `pending`, which reports no settlement.
   */
  readonly createdAt: Date;
  /**
   * The style of the JSON: `'alternative'` has another order of members, a space after each colon, and `\u` escapes.
   */
  readonly serialization: 'compact' | 'alternative';
}

/**
 * Writes a webhook in the form that the options define: the mock's own form, `template` or `body`. Genuine webhooks,
 * forgeries and decoys are all written by this function, so that they differ only where a forgery or decoy has to.
 *
 * @returns the status that the webhook reports, its body and its headers. Undefined if the body of a decoy or forgery
 * would equal the body of the genuine webhook, from which it must differ.
 * @throws Error if the function `webhook.body` fails, or cannot express the status that the webhook must report.
 */
export function writeWebhook(
  payment: MockPayment,
  content: WebhookContent,
  options: MockWebhookOptions,
): Pick<WebhookDelivery, 'paymentStatus' | 'body' | 'headers'> | undefined {
  const { key, createdAt, serialization, forgery } = content;
  const {
    header = knownHeaders.signature.name,
    encoding = 'hex',
    prefix = '',
    signed,
    headers,
  } = options.template ?? {};
  const { payment: reported, statusValue, genuine } = reportOf(payment, content, createdAt);
  const serialize = (text: string) =>
    serialization === 'alternative' ? alternativelySerialized(text) : text;
  const { text, values } = fillBody(reported, content, options, statusValue);
  const body = serialize(text);
  const genuineBody = genuine && serialize(fillBody(genuine, content, options).text);
  if (body === genuineBody) return undefined;
  const textToSign = (text: string) => signedText(signed, text, values);
  const sign = (text: string) => hmacSha256(textToSign(text), key);
  const writeSignature = (hex: string) =>
    fillText(prefix, values) + encodeDigest(Buffer.from(hex, 'hex'), encoding);
  const forgedText = {
    signedText: textToSign(body),
    genuineSignature: sign(genuineBody ?? body),
    write: writeSignature,
  };
  const signature = forgery ? forgeries[forgery](forgedText) : writeSignature(sign(body));
  const isSignatureInBody = body.includes(signaturePlace);
  const filled = Object.entries(headers ?? {}).map(
    ([name, value]) => [name.toLowerCase(), fillText(value, values)] as const,
  );
  return {
    paymentStatus: reported.status,
    body: body.replace(signaturePlace, () => signature ?? ''),
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': `installment-payments-mock/${version}`,
      ...Object.fromEntries(filled),
      ...(signature !== undefined && !isSignatureInBody && { [header]: signature }),
    },
  };
}

function fillBody(
  payment: MockPayment,
  { id, createdAt }: WebhookContent,
  { body, template = {} }: MockWebhookOptions,
  statusValue?: string,
): { readonly text: string; readonly values: PlaceholderValues } {
  const event = eventOf(payment, id, statusValue ?? template.status?.[payment.status] ?? payment.status);
  const { value, currency } = event.amount;
  const values = {
    ...event,
    'amount.value': value,
    'amount.currency': currency,
    clientId: payment.clientId,
    timestamp: String(Math.floor(createdAt.getTime() / 1000)),
    signature: signaturePlace,
  };
  if (body) {
    if (statusValue !== undefined)
      throw new Error(
        'the function webhook.body cannot write the undocumented status that this scenario sends: use webhook.template instead',
      );
    return { text: textOf(body, payment), values };
  }
  const { body: form } = template;
  if (form === undefined) return { text: JSON.stringify(event), values };
  if (typeof form === 'object') return { text: fillJson(form, values), values };
  return { text: fillText(form, values, (each) => JSON.stringify(each).slice(1, -1)), values };
}

function textOf(body: NonNullable<MockWebhookOptions['body']>, payment: MockPayment): string {
  let text: unknown;
  try {
    const made = body(payment);
    text = typeof made === 'string' ? made : JSON.stringify(made);
  } catch (error) {
    throw new Error(`webhook.body failed: ${reasonOf(error)}`, { cause: error });
  }
  if (typeof text === 'string') return text;
  throw new Error('webhook.body returned a value that JSON cannot represent');
}

/** The fields of {@link MockWebhookEvent}, with the status value that a template defines. */
function eventOf(payment: MockPayment, id: string, status: string | number) {
  const { merchantId, referenceId, request, paymentTransId, settledAt } = payment;
  return {
    id,
    event: payment.status === 'pending' ? 'payment.pending' : 'payment.settled',
    merchantId,
    referenceId,
    status,
    amount: request.amount,
    description: request.description,
    paymentTransId,
    settledAt: settledAt?.toISOString(),
  } satisfies Record<keyof MockWebhookEvent, unknown>;
}

/** The same JSON in a serialization that other libraries might use. A text that is not JSON is returned unchanged. */
function alternativelySerialized(text: string): string {
  const value = tryParseJson(text);
  return value === undefined ? text : alternativeJson(value);
}

function alternativeJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(alternativeJson).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value).replaceAll(/[\u0080-\uffff]/g, unicodeEscape);
  const members = Object.entries(value).map(
    ([name, each]) => `${alternativeJson(name)}: ${alternativeJson(each)}`,
  );
  return `{${members.reverse().join(',')}}`;
}
