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
  /** The reason why the page of a paid order has no such number, although `--once` is set. */
  readonly uncounted?: string | undefined;
  /** The URL, the HTTP status, and the text that counts as paid. */
  readonly seen?: string | undefined;
  /** The reason why the page does not show the order, such as HTTP 404. */
  readonly problem?: string | undefined;
}

/** One check of the merchant's order page. */
export interface PageCheck extends PageAnswer {
  readonly referenceId: string;
  /**
   * The time of the check:
   *
   * - `'untouched'`: before the customer did anything.
   * - `'before-notification'`: after forgeries and decoys, before the genuine webhook.
   * - `'redirected'`: after the redirect URL was opened.
   * - `'changed'`: after the basket was changed, before the customer paid.
   * - `'end'`: once, after everything else.
   */
  readonly moment: 'untouched' | 'before-notification' | 'redirected' | 'changed' | 'end';
  /** True if the payment was paid at the service at that time. */
  readonly isPaid: boolean;
}

/** A call of the checkout for an order that led to a payment. */
export interface Click extends PaymentReference {
  readonly order: string;
  /** True for a click on `--checkout-changed`. */
  readonly isChanged?: boolean;
}

/** The record of one run of a merchant's code. The judge reads nothing else. All lists are in chronological order. */
export interface RunRecord {
  /** Each payment at the time when it ended. A payment that was declined and paid later is listed twice. */
  readonly ends: readonly Pick<MockPayment, 'referenceId' | 'merchantId' | 'status' | 'settledAt'>[];
  /** The checks of the order page; empty if there is no order page. */
  readonly pageChecks: readonly PageCheck[];
  /** The calls of the checkout; empty unless the rehearsal calls the checkout. */
  readonly clicks: readonly Click[];
  /** The number of orders, if the rehearsal calls the checkout. */
  readonly orders?: number | undefined;
  /** The names of these orders. */
  readonly orderNames?: readonly string[];
  /** The amount of the order with the changed basket in the baseline, in đồng. */
  readonly changedAmount?: number | undefined;
  /** True if invoices of the run's orders arrived only after its end, so that their number proves nothing. */
  readonly isCutShort?: boolean;
  readonly requests: readonly JournalEntry[];
  readonly payments: readonly MockPayment[];
  readonly invoices: readonly MockInvoice[];
  readonly webhooks: readonly WebhookDelivery[];
  /** True if the mock sends webhooks. */
  readonly hasWebhook: boolean;
  /** The expected offset of Request-Time, in minutes east of UTC. */
  readonly requestTimeOffset: number;
}

interface Recorder {
  readonly journal: Pick<MockJournal, 'all'>;
  readonly payments: MockStore<MockPayment>;
  readonly invoices: MockStore<MockInvoice>;
  readonly webhooks: Pick<MockWebhooks, 'all'>;
}

/** Returns the record of everything until now, without these references. */
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
    // Reading the payments ends the payments whose time is over.
    payments: mock.payments.all(),
    invoices: mock.invoices.all(),
    webhooks: mock.webhooks.all(),
    hasWebhook,
    requestTimeOffset: wire.requestTimeOffset,
  };
  return withoutReferences(record, lateReferences);
}

/** Returns a record without everything that has one of these references. */
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
