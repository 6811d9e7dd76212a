import type { Operation } from '../protocol/endpoints.js';
import type { MockFetch } from './adapters/in-process.js';
import type { ListenOptions, MockServer } from './adapters/node.js';
import type { MockChange } from './state/changes.js';
import type { MockFault } from './controls/faults.js';
import type { JournalEntry, JournalMatch } from './state/journal-types.js';
import type { MockLenderOptions } from './service/lender-options.js';
import type { MockMerchant } from './service/merchants.js';
import type { MockDelay } from './service/parts.js';
import type { FaultOptions, ScriptedAnswer, ScriptOptions } from './controls/script.js';
import type { MockAllocation } from './state/allocations.js';
import type { MockInvoice } from './state/invoices.js';
import type { Ledger } from './state/ledger.js';
import type { MockPayment, Settlement } from './state/payments.js';
import type { MockReceipt } from './state/receipts.js';

/** How a mock is set up; everything may be left out. */
export interface MockOptions {
  /** The merchants it knows. @default [DEMO_MERCHANT] */
  readonly merchants?: readonly MockMerchant[] | undefined;
  /** The clock that all of its timestamps come from. @default the system's */
  readonly now?: (() => Date) | undefined;
  /** Waits for a `{ delayMs }` fault; a test may give one that does not wait. @default a timer */
  readonly delay?: MockDelay | undefined;
  /** Requests that the journal keeps; the oldest go first. @default 500 */
  readonly journalLimit?: number | undefined;
  /** Payments that are kept, with their invoices and stored answers; the oldest go first. @default 5000 */
  readonly paymentLimit?: number | undefined;
  /**
   * Lender notifications that are kept. The contract that was silent for longest goes first, as a whole, and the last
   * contract stays whatever its size. @default 100000
   */
  readonly notificationLimit?: number | undefined;
  /** How it takes the notifications of lenders. */
  readonly lender?: MockLenderOptions | undefined;
}

/** Records of the mock, to be looked at. */
export interface MockStore<T> {
  /** All that are kept, oldest first. */
  all(): T[];
  /** The one under a key. */
  get(key: string): T | undefined;
}

/** The payments of the mock. */
export interface MockPayments extends MockStore<MockPayment> {
  /**
   * The payment of a reference.
   *
   * @param merchantId - Whose; needed only where two merchants share a reference.
   */
  get(referenceId: string, merchantId?: string): MockPayment | undefined;
  /** The payment behind the last part of a `paymentUrl`. */
  byToken(token: string): MockPayment | undefined;
}

/** Every request that reached the mock, oldest first. */
export interface MockJournal {
  /** All entries that are kept. */
  all(): readonly JournalEntry[];
  /** The entry of an ID. */
  get(id: number): JournalEntry | undefined;
  /** The first entry that matches. */
  find(match: JournalMatch): JournalEntry | undefined;
  /** The entries that match. */
  filter(match: JournalMatch): readonly JournalEntry[];
  /**
   * The first entry that matches, at once or as soon as there is one. A match that is an object means a completed
   * request unless it says `completed: false`; a function sees entries as they arrive and again as they complete.
   *
   * @param options - `timeoutMs`: how long to wait, in milliseconds. Default 2000.
   * @throws Error that lists what did arrive, when the time is up or the mock is reset.
   */
  waitFor(match: JournalMatch, options?: { readonly timeoutMs?: number }): Promise<JournalEntry>;
}

/**
 * The whole service in memory: both operations of the merchant and both notifications of the lender, with the checks,
 * statuses and idempotency of the service, and controls that a test needs. Mocks share nothing with each other.
 */
export interface MockService {
  /**
   * Answers a request as the service would, without a socket: pass it to a client as its `fetch`. It serves at the
   * root of whatever host is asked.
   */
  readonly fetch: MockFetch;
  /** Serves on a socket. A mock may listen more than once. */
  listen(options?: ListenOptions): Promise<MockServer>;
  /** By `referenceId`. */
  readonly payments: MockPayments;
  /** By `invoiceId`. */
  readonly invoices: MockStore<MockInvoice>;
  /** By `lenderTransactionCode`. */
  readonly receipts: MockStore<MockReceipt>;
  /** By `requestId`. */
  readonly allocations: MockStore<MockAllocation>;
  /** Every request that reached it. */
  readonly journal: MockJournal;
  /** Where the money of a contract stands; all zeros for one that nothing was notified of. */
  ledger(contractNumber: string): Ledger;
  /** The numbers of all contracts that something was notified of. */
  contracts(): string[];
  /**
   * Ends a payment as its customer would; ending it the same way again changes nothing.
   *
   * @throws MockUsageError when there is no such payment, or it has ended otherwise.
   */
  settle(referenceId: string, status: Settlement, merchantId?: string): MockPayment;
  /**
   * Has the next requests of an operation answered as given, once their signature is right. The service does not act
   * on them, whatever the answer says.
   *
   * @throws MockUsageError when an argument is wrong.
   */
  respondWith(operation: Operation, answer: ScriptedAnswer, options?: ScriptOptions): void;
  /**
   * Lets something go wrong on the way of the next requests of an operation.
   *
   * @throws MockUsageError when an argument is wrong.
   */
  injectFault(operation: Operation, fault: MockFault, options?: FaultOptions): void;
  /** Calls back on every change, until the returned function is called. What the listener throws is ignored. */
  subscribe(listener: (change: MockChange) => void): () => void;
  /** Forgets everything but the options. Requests that are delayed or hang end with a reset connection. */
  reset(): void;
}
