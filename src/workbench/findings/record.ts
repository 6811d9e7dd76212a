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

/** The answer of a merchant's order page to the question whether an order is paid. */
export interface PageAnswer {
  readonly paid: boolean;
  /** The number that `--once` captures, such as of parcels. */
  readonly count?: number | undefined;
  /** Why the page of a paid order has no such number, although one was asked for. */
  readonly uncounted?: string | undefined;
  /** The URL, the HTTP status, and the text that counts as paid. */
  readonly seen?: string | undefined;
  /** Why the page shows no order: it was not found, say. */
  readonly problem?: string | undefined;
}

/** One check of the merchant's order page. */
export interface PageCheck extends PageAnswer {
  readonly referenceId: string;
  /**
   * `'untouched'`: before anybody did anything. `'before-notification'`: after forgeries and decoys, before the genuine notification.
   * `'redirected'`: after the redirect address was opened. `'changed'`: after the basket was changed, before anybody paid.
   * `'end'`: after everything, once.
   */
  readonly moment: 'untouched' | 'before-notification' | 'redirected' | 'changed' | 'end';
  /** Whether the service had the payment as paid at that time. */
  readonly isPaid: boolean;
}

/** A click in the shop for an order, which led to a payment. */
export interface Click extends PaymentReference {
  readonly order: string;
  /** True for a click by `--checkout-changed`. */
  readonly isChanged?: boolean;
}

/** One run of a merchant's code: everything that the judge reads. Everything is oldest first. */
export interface RunRecord {
  /** Each payment as it was when it ended. One that was declined may be paid later, and is here twice. */
  readonly ends: readonly Pick<MockPayment, 'referenceId' | 'merchantId' | 'status' | 'settledAt'>[];
  /** Empty where nobody asked the merchant. */
  readonly pageChecks: readonly PageCheck[];
  /** Empty unless the rehearsal itself clicks. */
  readonly clicks: readonly Click[];
  /** Number of orders, where the rehearsal itself clicks. */
  readonly orders?: number | undefined;
  /** Their names, with which it clicked. */
  readonly orderNames?: readonly string[];
  /** In the baseline: the amount of the order that was placed with a changed basket, in đồng. */
  readonly changedAmount?: number | undefined;
  /** True where invoices of its orders came only after its end: their number proves nothing. */
  readonly isCutShort?: boolean;
  readonly requests: readonly JournalEntry[];
  readonly payments: readonly MockPayment[];
  readonly invoices: readonly MockInvoice[];
  readonly webhooks: readonly WebhookDelivery[];
  /** Whether the mock sends webhooks. */
  readonly hasWebhook: boolean;
  /** Minutes east of UTC of a right Request-Time. */
  readonly requestTimeOffset: number;
}

interface Recorder {
  readonly journal: Pick<MockJournal, 'all'>;
  readonly payments: MockStore<MockPayment>;
  readonly invoices: MockStore<MockInvoice>;
  readonly webhooks: Pick<MockWebhooks, 'all'>;
}

/** Everything that was recorded until now, without these references. */
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
    // A look at the payments may end those whose time is over.
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
