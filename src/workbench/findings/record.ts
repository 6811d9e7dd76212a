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

/** The state of an order as the merchant's order page shows it. */
export interface OrderPageState {
  /** True if the page shows the order as paid. */
  readonly showsPaid: boolean;
  /** The number that `--once` captures, such as the number of shipments. */
  readonly onceNumber?: number | undefined;
  /** The problem of a page that shows the order as paid, if `--once` captures no number on it. */
  readonly onceProblem?: string | undefined;
  /**
   * The part of a message that says what was read: the URL, the HTTP status, and either the text that `--paid` matches,
   * or a note that `--paid` matches nothing.
   */
  readonly evidence?: string | undefined;
  /** The reason why the page does not show the order, such as HTTP 404. */
  readonly problem?: string | undefined;
}

/** One check of the merchant's order page. */
export interface PageCheck extends OrderPageState {
  readonly referenceId: string;
  /**
   * The moment of the check:
   *
   * - `'untouched'`: before the customer did anything.
   * - `'before-notification'`: after forgeries and decoys, before the genuine webhook.
   * - `'redirect-opened'`: after the redirect URL was opened.
   * - `'changed'`: after the basket was changed, before the customer paid.
   * - `'final'`: after everything else.
   */
  readonly moment: 'untouched' | 'before-notification' | 'redirect-opened' | 'changed' | 'final';
  /** True if the payment was paid at the service at that moment. */
  readonly isPaidAtService: boolean;
}

/** A payment whose link the checkout has returned for an order. */
export interface ShownLink extends PaymentReference {
  readonly order: string;
  /** True if `--checkout-changed` returned the link. */
  readonly fromChangedCheckout?: boolean;
}

/** The record of one run of a merchant's code, which the rules judge. All lists are in chronological order. */
export interface RunRecord {
  /** Each payment as it was when it was settled. A payment that was declined and later paid is listed twice. */
  readonly settledPayments: readonly Pick<
    MockPayment,
    'referenceId' | 'merchantId' | 'status' | 'settledAt'
  >[];
  /** The checks of the order page; empty if there is no order page. */
  readonly pageChecks: readonly PageCheck[];
  /** The links that the checkout returned; empty unless the rehearsal calls the checkout. */
  readonly shownLinks: readonly ShownLink[];
  /** The number of orders, if the rehearsal calls the checkout. */
  readonly orderCount?: number | undefined;
  /** The names of these orders. */
  readonly orderNames?: readonly string[];
  /** The amount of the order with the changed basket in đồng; present only in the baseline. */
  readonly changedAmount?: number | undefined;
  /** True if invoices for the orders of this run arrived after the run had ended, so that their number is not final. */
  readonly hasLateInvoices?: boolean;
  readonly requests: readonly JournalEntry[];
  readonly payments: readonly MockPayment[];
  readonly invoices: readonly MockInvoice[];
  readonly webhooks: readonly WebhookDelivery[];
  /** True if the mock sends webhooks. */
  readonly hasWebhook: boolean;
  /** The expected offset of Request-Time, in minutes east of UTC. */
  readonly requestTimeOffset: number;
}

interface RecordedMock {
  readonly journal: Pick<MockJournal, 'all'>;
  readonly payments: MockStore<MockPayment>;
  readonly invoices: MockStore<MockInvoice>;
  readonly webhooks: Pick<MockWebhooks, 'all'>;
}

/** Returns the record of a mock until now, without the entries that have one of `lateReferences`. */
export function recordOf(
  mock: RecordedMock,
  { hasWebhook, wire }: { readonly hasWebhook: boolean; readonly wire: ResolvedWireSwitches },
  observed: Pick<
    RunRecord,
    'settledPayments' | 'pageChecks' | 'shownLinks' | 'orderCount' | 'orderNames' | 'changedAmount'
  > = {
    settledPayments: [],
    pageChecks: [],
    shownLinks: [],
  },
  /** The references that belong to earlier runs. */
  lateReferences: readonly string[] = [],
): RunRecord {
  const record = {
    ...observed,
    requests: mock.journal.all(),
    // This call has a side effect: if the time to pay of a payment has passed, the payment expires.
    payments: mock.payments.all(),
    invoices: mock.invoices.all(),
    webhooks: mock.webhooks.all(),
    hasWebhook,
    requestTimeOffset: wire.requestTimeOffset,
  };
  return withoutReferences(record, lateReferences);
}

/** Returns a record without the entries that have one of these references. */
export function withoutReferences<T extends RunRecord>(record: T, references: readonly string[]): T {
  const isKept = ({ referenceId = '' }: { readonly referenceId?: string }) =>
    !references.includes(referenceId);
  return {
    ...record,
    settledPayments: record.settledPayments.filter(isKept),
    pageChecks: record.pageChecks.filter(isKept),
    shownLinks: record.shownLinks.filter(isKept),
    requests: record.requests.filter(isKept),
    payments: record.payments.filter(isKept),
    invoices: record.invoices.filter(isKept),
    webhooks: record.webhooks.filter(isKept),
  };
}
