import { knownHeaders } from '../../protocol/headers.js';
import { unicodeEscape } from '../../values/encodings.js';
import { isRecord, jsonIn } from '../../values/untrusted-values.js';
import { version } from '../../version.js';
import { reasonOf } from '../../values/reason-of.js';
import { fillText, fillValue, eventTemplate, type WebhookFacts } from './webhook-template.js';
import type { MockWebhookOptions } from './webhook-types.js';

/** The content of a webhook, and how it is written. */
export interface WebhookContent extends Omit<WebhookFacts, 'status'> {
  /** Replaces the word for the status, such as by one that nobody documented. */
  readonly statusWord?: string | undefined;
  /** Writes JSON otherwise: members in another order, a space after each colon, `\u` escapes. @default 'compact' */
  readonly writing?: 'compact' | 'otherwise' | undefined;
  /** Returns the HMAC of the body in lower-case hex, genuine or forged; undefined sends no signature. */
  readonly sign: (body: string) => string | undefined;
}

/** The bytes of a webhook. */
export interface WrittenWebhook {
  readonly body: string;
  /** Names in lower case, except the signature header. */
  readonly headers: Readonly<Record<string, string>>;
  /** Why there is no body. */
  readonly problem?: string;
}

/**
 * Writes a webhook in the form of the options: the mock's own, or as `template` or `body` has it. Forged and odd ones are
 * written by it too, so that they differ from a genuine one in nothing else.
 *
 * @returns `problem` where the function `webhook.body` failed, or cannot say `statusWord`: do not send such a webhook.
 */
export function writeWebhook(content: WebhookContent, options: MockWebhookOptions): WrittenWebhook {
  const { template = {} } = options;
  const { header = knownHeaders.signature.name, encoding = 'hex', prefix = '' } = template;
  const { status } = content.payment;
  const facts = { ...content, status: content.statusWord ?? template.status?.[status] ?? status };
  const { body: compact, problem } = bodyOf(content, facts, options);
  const body = content.writing === 'otherwise' ? writtenOtherwise(compact) : compact;
  const digest = content.sign(body);
  const signature = encoding === 'hex' || digest === undefined ? digest : base64Of(digest);
  const filled = Object.entries(template.headers ?? {}).map(
    ([name, value]) => [name.toLowerCase(), fillText(value, facts)] as const,
  );
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': `installment-payments-mock/${version}`,
    ...Object.fromEntries(filled),
    ...(signature !== undefined && { [header]: prefix + signature }),
  };
  return { body, headers, ...(problem !== undefined && { problem }) };
}

function base64Of(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64');
}

function bodyOf(
  { payment, statusWord }: WebhookContent,
  facts: WebhookFacts,
  { body, template = {} }: MockWebhookOptions,
): { readonly body: string; readonly problem?: string } {
  if (!body) {
    const { body: form = eventTemplate } = template;
    if (typeof form !== 'string') return { body: JSON.stringify(fillValue(form, facts)) };
    return { body: fillText(form, facts, (value) => JSON.stringify(value).slice(1, -1)) };
  }
  if (statusWord !== undefined) return { body: '', problem: 'webhook.body knows no other status' };
  try {
    const made = body(payment);
    const text: unknown = typeof made === 'string' ? made : JSON.stringify(made);
    if (typeof text === 'string') return { body: text };
    return { body: '', problem: 'webhook.body returned a value that JSON does not have' };
  } catch (error) {
    return { body: '', problem: `webhook.body failed: ${reasonOf(error)}` };
  }
}

/** The same JSON as other libraries may write it; text that is not JSON stays as it is. */
function writtenOtherwise(text: string): string {
  const value = jsonIn(text);
  return value === undefined ? text : otherwise(value);
}

function otherwise(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(otherwise).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value).replaceAll(/[\u0080-\uffff]/g, unicodeEscape);
  const members = Object.entries(value).map(([name, each]) => `${otherwise(name)}: ${otherwise(each)}`);
  return `{${members.reverse().join(',')}}`;
}
