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

/** One look at the merchant's order page. */
export interface Look extends PageAnswer {
  readonly referenceId: string;
  /**
   * `'untouched'`: before anybody did anything. `'before-notification'`: after forgeries and decoys, before the genuine notification.
   * `'redirected'`: after the redirect address was opened. `'end'`: after everything, once.
   */
  readonly moment: 'untouched' | 'before-notification' | 'redirected' | 'end';
  /** Whether the service had the payment as paid at that time. */
  readonly isPaid: boolean;
}

/** A click in the shop for an order, which led to a payment. */
export interface Click extends PaymentReference {
  readonly order: string;
}

/** One run of a merchant's code: everything that the judge reads. Everything is oldest first. */
export interface RunRecord {
  /** Each payment as it was when it ended. One that was declined may be paid later, and is here twice. */
  readonly ends: readonly Pick<MockPayment, 'referenceId' | 'merchantId' | 'status' | 'settledAt'>[];
  /** Empty where nobody asked the merchant. */
  readonly looks: readonly Look[];
  /** Empty unless the rehearsal itself clicks. */
  readonly clicks: readonly Click[];
  /** Number of orders, where the rehearsal itself clicks. */
  readonly orders?: number | undefined;
  /** Their names, with which it clicked. */
  readonly orderNames?: readonly string[];
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
  watched: Pick<RunRecord, 'ends' | 'looks' | 'clicks' | 'orders' | 'orderNames'> = {
    ends: [],
    looks: [],
    clicks: [],
  },
  late: readonly string[] = [],
): RunRecord {
  const inTime = ({ referenceId = '' }: { readonly referenceId?: string }) => !late.includes(referenceId);
  // A look at the payments may end those whose time is over.
  const payments = mock.payments.all().filter(inTime);
  return {
    ...watched,
    ends: watched.ends.filter(inTime),
    looks: watched.looks.filter(inTime),
    requests: mock.journal.all().filter(inTime),
    payments,
    invoices: mock.invoices.all().filter(inTime),
    webhooks: mock.webhooks.all().filter(inTime),
    hasWebhook,
    requestTimeOffset: wire.requestTimeOffset,
  };
}
