import type { ResolvedWireSwitches } from '../../protocol/wire-switches.js';
import type {
  JournalEntry,
  MockInvoice,
  MockJournal,
  MockPayment,
  MockStore,
  MockWebhooks,
  PaymentReference,
  WebhookDelivery,
} from '../../mock/observation.js';

/** The state of an order on the merchant's order page. */
export interface PageAnswer {
  readonly paid: boolean;
  /** The number that `--once` captures, such as the number of shipments. */
  readonly count?: number | undefined;
  /** Why the page of a paid order has no such number, although one was asked for. */
  readonly uncounted?: string | undefined;
  /** The URL, the HTTP status, and the text that counts as paid. */
  readonly seen?: string | undefined;
  /** Why the page does not show the order, such as HTTP 404. */
  readonly problem?: string | undefined;
}

/** One check of the merchant's order page. */
export interface PageCheck extends PageAnswer {
  readonly referenceId: string;
  /**
   * `'untouched'`: before the customer did anything. `'before-notification'`: after forgeries and decoys, before the genuine
   * webhook. `'redirected'`: after the redirect URL was opened. `'changed'`: after the basket was changed, before the customer
   * paid. `'end'`: after everything, once.
   */
  readonly moment: 'untouched' | 'before-notification' | 'redirected' | 'changed' | 'end';
  /** Whether the service had the payment as paid at that time. */
  readonly isPaid: boolean;
}

/** A call of the checkout for an order that led to a payment. */
export interface Click extends PaymentReference {
  readonly order: string;
  /** True for a click by `--checkout-changed`. */
  readonly isChanged?: boolean;
}

/** The record of one run of a merchant's code: everything that the judge reads, the oldest first. */
export interface RunRecord {
  /** Each payment as it was when it ended. A payment that was declined and paid later is listed twice. */
  readonly ends: readonly Pick<MockPayment, 'referenceId' | 'merchantId' | 'status' | 'settledAt'>[];
  /** Empty if there is no order page. */
  readonly pageChecks: readonly PageCheck[];
  /** Empty unless the rehearsal calls the checkout. */
  readonly clicks: readonly Click[];
  /** The number of orders, if the rehearsal calls the checkout. */
  readonly orders?: number | undefined;
  /** The names of these orders. */
  readonly orderNames?: readonly string[];
  /** The amount of the order with a changed basket, in the baseline, in đồng. */
  readonly changedAmount?: number | undefined;
  /** True if invoices of its orders arrived only after its end, so that their number proves nothing. */
  readonly isCutShort?: boolean;
  readonly requests: readonly JournalEntry[];
  readonly payments: readonly MockPayment[];
  readonly invoices: readonly MockInvoice[];
  readonly webhooks: readonly WebhookDelivery[];
  /** Whether the mock sends webhooks. */
  readonly hasWebhook: boolean;
  /** The right offset of Request-Time, in minutes east of UTC. */
  readonly requestTimeOffset: number;
}

interface Recorder {
  readonly journal: Pick<MockJournal, 'all'>;
  readonly payments: MockStore<MockPayment>;
  readonly invoices: MockStore<MockInvoice>;
  readonly webhooks: Pick<MockWebhooks, 'all'>;
}

/** The record of everything until now, without these references. */
export function recordOf(
  mock: Recorder,
  { hasWebhook, wire }: { readonly hasWebhook: boolean; readonly wire: ResolvedWireSwitches },
  watched: Pick<RunRecord, 'ends' | 'pageChecks' | 'clicks' | 'orders' | 'orderNames' | 'changedAmount'> = {
    ends: [],
    pageChecks: [],
    clicks: [],
  },
  lateReferences: readonly string[] = [],
): RunRecord {
  const record = {
    ...watched,
    requests: mock.journal.all(),
    // Reading the payments ends those whose time is over.
    payments: mock.payments.all(),
    invoices: mock.invoices.all(),
    webhooks: mock.webhooks.all(),
    hasWebhook,
    requestTimeOffset: wire.requestTimeOffset,
  };
  return withoutReferences(record, lateReferences);
}

/** The record without everything that has one of these references. */
export function withoutReferences<T extends RunRecord>(record: T, references: readonly string[]): T {
  const isKept = ({ referenceId = '' }: { readonly referenceId?: string }) =>
    !references.includes(referenceId);
  return {
    ...record,
    ends: record.ends.filter(isKept),
    pageChecks: record.pageChecks.filter(isKept),
    clicks: record.clicks.filter(isKept),
    requests: record.requests.filter(isKept),
    payments: record.payments.filter(isKept),
    invoices: record.invoices.filter(isKept),
    webhooks: record.webhooks.filter(isKept),
  };
}
