import { readFileSync } from 'node:fs';
import { InstallmentClient } from '../../src/entries/index.js';
import { LenderClient } from '../../src/entries/lender.js';
import { instantRuntime } from './runtime.js';
import { scriptedFetch, sentBytes } from './scripted-fetch.js';

/** The input of a vector: JSON in which `{ $date }` is a Date, `{ $text }` is bytes and `{ $absent }` is undefined. */
export type FrozenInput = Readonly<Record<string, unknown>>;

/** The request that was sent for an input. */
export interface SentRequest {
  readonly body: string;
  readonly headers: Headers;
}

function revived(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(revived);
  if ('$date' in value) return new Date(String(value.$date));
  if ('$text' in value) return Buffer.from(String(value.$text));
  if ('$absent' in value) return undefined;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, revived(inner)]));
}

/** Runs one call over a fetch that refuses it, and returns what was sent. */
async function sentBy(work: (options: object) => Promise<unknown>): Promise<SentRequest> {
  const { fetch, requests } = scriptedFetch(() => new Response('{}', { status: 400 }));
  const error: unknown = await work({ fetch, maxRetries: 0 }).catch((reason: unknown) => reason);
  const [only, ...more] = requests;
  if (!only || more.length > 0) throw new Error('exactly one request was expected', { cause: error });
  return { body: (await sentBytes(only)).toString(), headers: only.headers };
}

/** A call of a merchant's client. */
export interface MerchantCall {
  readonly client: FrozenInput;
  readonly operation: 'initiatePayment' | 'uploadInvoice' | 'post';
  readonly arguments: readonly unknown[];
}

/** Sends the call that a merchant's vector describes. */
export function sentByMerchant({ client, operation, arguments: given }: MerchantCall): Promise<SentRequest> {
  return sentBy((options) => {
    const merchant = new InstallmentClient({ ...(revived(client) as object), ...options }, instantRuntime());
    return merchant[operation](...(given.map(revived) as [never, never]));
  });
}

/** A call of a lender's client. */
export interface LenderCall {
  readonly client: FrozenInput;
  readonly operation: 'notifyPaymentReceipt' | 'notifyRepaymentAllocation';
  readonly notification: FrozenInput;
}

/** Sends the call that a lender's vector describes. */
export function sentByLender({ client, operation, notification }: LenderCall): Promise<SentRequest> {
  return sentBy((options) => {
    const lender = new LenderClient({ ...(revived(client) as object), ...options }, instantRuntime());
    return lender[operation](revived(notification) as never);
  });
}

/** The vectors of a file in `test/vectors/1.0`, whose type the caller states. */
export function frozenVectors(file: string): readonly { readonly name: string }[] {
  const text = readFileSync(new URL(`../vectors/1.0/${file}`, import.meta.url), 'utf8');
  return (JSON.parse(text) as { vectors: { name: string }[] }).vectors;
}
