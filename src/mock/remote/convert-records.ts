import type { JournalEntry, JournalMatch } from '../state/journal-types.js';
import type { MockAllocation, MockReceipt } from '../state/lender-store.js';
import type { MockInvoice } from '../state/invoices.js';
import type { MockPayment } from '../state/payment-record.js';
import type { WebhookDelivery, WebhookTry } from '../webhooks/webhook-types.js';
import { MockUsageError } from '../common/usage-error.js';

type Dated =
  JournalEntry | MockAllocation | MockInvoice | MockPayment | MockReceipt | WebhookDelivery | WebhookTry;
type DateName<T> = T extends unknown
  ? { [Name in keyof T]-?: Date extends T[Name] ? Name : never }[keyof T]
  : never;

// A record of every name, so that the compiler finds one that is missing.
const dateNames: Readonly<Record<string, true>> = {
  at: true,
  completedAt: true,
  createdAt: true,
  expiresAt: true,
  settledAt: true,
  uploadedAt: true,
  recordedAt: true,
  reversedAt: true,
  startedAt: true,
  nextTryAt: true,
} satisfies Record<DateName<Dated>, true>;

/** A record with its own dates as `Date`. What is nested came from a caller of the service and stays as it is. */
export function withDates<T extends object>(json: T): T {
  const dates = Object.entries(json).flatMap(([name, value]) =>
    dateNames[name] === true && typeof value === 'string' ? [[name, new Date(value)] as const] : [],
  );
  return { ...json, ...Object.fromEntries(dates) };
}

/** A delivery, with its dates and the dates of its tries as `Date`. */
export function deliveryWithDates({ tries, ...delivery }: WebhookDelivery): WebhookDelivery {
  return { ...withDates(delivery), tries: tries.map(withDates) };
}

/** The match, if nothing of it is lost in JSON. @throws MockUsageError otherwise */
export function sendableMatch(match: Exclude<JournalMatch, (entry: JournalEntry) => boolean>): object {
  const lost = unsendable(match, 'match');
  if (lost === undefined) return match;
  throw new MockUsageError(
    `${lost} cannot be sent to a mock in another process: a match is a plain object, such as { referenceId: 'ORDER-1' }. ` +
      'For anything else, take journal.all() and filter it here.',
  );
}

/** The first part of a value that JSON cannot express, in words. */
function unsendable(value: unknown, path: string): string | undefined {
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? `${path} is an invalid Date and` : undefined;
  if (typeof value === 'object' && value !== null) {
    for (const [name, part] of Object.entries(value)) {
      const found = unsendable(part, `${path}.${name}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const isJson = value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
  if (isJson) return undefined;
  const shown = typeof value === 'number' || value === undefined ? String(value) : `a ${typeof value}`;
  return `${path} is ${shown} and`;
}
