import type { JournalEntry } from '../state/journal-types.js';
import type { MockAllocation, MockReceipt } from '../state/lender-store.js';
import type { MockInvoice } from '../state/invoices.js';
import type { MockPayment } from '../state/payment-record.js';
import type { WebhookDelivery, WebhookTry } from '../webhooks/webhook-types.js';

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
