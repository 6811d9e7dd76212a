import type { WireSwitches } from '../protocol/wire-switches.js';
import type { MockFetch } from './adapters/in-process.js';
import type { ListenOptions, MockServer } from './adapters/node.js';
import type { MockFault } from './controls/faults.js';
import type { FaultOptions, ScriptedAnswer, ScriptOptions, ScriptTarget } from './controls/script.js';
import type { OwnHandler } from './service/own-types.js';
import type { MockMerchant } from './service/merchants.js';
import type { MockAllocation } from './state/allocations.js';
import type { MockChange } from './state/changes.js';
import type { MockInvoice } from './state/invoices.js';
import type { JournalEntry, JournalMatch } from './state/journal-types.js';
import type { Ledger } from './state/ledger.js';
import type { MockPayment, Settlement } from './state/payments.js';
import type { MockReceipt } from './state/receipts.js';
import type { MockWebhookOptions, MockWebhooks } from './webhooks/webhook-types.js';

/** Waits; rejects early when the signal fires. */
export type MockDelay = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** How the lender's side of a deployment differs from the specification, which leaves both open. */
export interface MockLenderOptions {
  /** Name of the masked field on the wire. @default 'serviceApplicationId' */
  readonly applicationIdField?: string | undefined;
  /**
   * Returns whether a notification comes from the lender, by whatever authentication was agreed. It can read the body.
   * @default every notification is accepted
   */
  readonly authenticate?: ((request: Request) => boolean | Promise<boolean>) | undefined;
}

/** Options of {@link createMockService}. All are optional. */
export interface MockOptions {
  /** The registered merchants. @default [DEMO_MERCHANT] */
  readonly merchants?: readonly MockMerchant[] | undefined;
  /** The clock of all timestamps. @default the system's */
  readonly now?: (() => Date) | undefined;
  /** Waits for a `{ delayMs }` fault, and between the tries of a webhook; a test may inject one that does not wait. @default a timer */
  readonly delay?: MockDelay | undefined;
  /** Number of requests that the journal keeps; the oldest is dropped first. @default 500 */
  readonly journalLimit?: number | undefined;
  /** Number of payments that are kept, with their invoices; the oldest is dropped first. @default 5000 */
  readonly paymentLimit?: number | undefined;
  /**
   * Number of lender notifications that are kept. The contract that was silent for longest is dropped first, as a
   * whole; the last contract stays whatever its size. @default 100000
   */
  readonly notificationLimit?: number | undefined;
  /** How the lender's side differs from the specification. */
  readonly lender?: MockLenderOptions | undefined;
  /** Switches for what the specification leaves open, as the client has them. `requestTimeOffset` also sets `responseTime`. */
  readonly wire?: WireSwitches | undefined;
  /**
   * Which payments take invoices: `'paid'` only those that are paid, `'any'` pending ones too. The specification has
   * merchants upload after the payment; the refusal, INVALID_REFERENCE_ID, is a decision of the mock. @default 'paid'
   */
  readonly uploads?: 'paid' | 'any' | undefined;
  /**
   * The address under which customers reach a mock that listens: `paymentUrl` begins with it, and the pages name it.
   * Its host is one of `allowedHosts`. @default the address that the mock listens on
   */
  readonly publicUrl?: string | undefined;
  /**
   * Names under which the pages and controls may be reached besides addresses, `localhost` and the name that the mock
   * listens on: the name of a container, say. Other names are refused, because websites can point names of their own
   * at this machine (DNS rebinding). @default none
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /**
   * Sends a signed webhook to the merchant when a payment is settled, by a test or on its page. One that is not
   * answered with a 2xx status within 10 seconds is sent again after 1, 5 and 25 seconds. A payment whose time runs out
   * is not announced, unless it is settled as expired. @default no webhooks
   */
  readonly webhook?: MockWebhookOptions | undefined;
}

/** Options with which an `InstallmentClient` reaches a mock in the same process. */
export interface MockClientOptions {
  /** An address that only `fetch` serves. */
  readonly baseUrl: string;
  /** The mock itself. */
  readonly fetch: MockFetch;
  /** The first merchant's. */
  readonly clientId: string;
  /** The first merchant's. */
  readonly secretKey: string;
  /** The first merchant's. */
  readonly merchantId: string;
  /** The first store of the merchant. */
  readonly storeId?: string;
  /** A sample. */
  readonly platformId: string;
  /** As given to the mock. */
  readonly wire: WireSwitches;
}

/** Read-only records of the mock. */
export interface MockStore<T> {
  /** All that are kept, oldest first. */
  all(): T[];
  /** The one with a key. */
  get(key: string): T | undefined;
}

/** The payments of the mock. */
export interface MockPayments extends MockStore<MockPayment> {
  /**
   * The payment with a reference.
   *
   * @param merchantId - Needed only where two merchants have the same reference. Default: the first merchant that has it.
   */
  get(referenceId: string, merchantId?: string): MockPayment | undefined;
  /** The payment whose `paymentUrl` ends with this token. */
  byToken(token: string): MockPayment | undefined;
}

/** Every request that reached the mock, oldest first. */
export interface MockJournal {
  /** All entries that are kept. */
  all(): readonly JournalEntry[];
  /** The entry with an ID. */
  get(id: number): JournalEntry | undefined;
  /** The first entry that matches. */
  find(match: JournalMatch): JournalEntry | undefined;
  /** The entries that match. */
  filter(match: JournalMatch): readonly JournalEntry[];
  /**
   * The first entry that matches, as soon as there is one. An object matches completed requests only, unless it has
   * `completed: false`; a predicate is called when an entry arrives and whenever it changes.
   *
   * @param options - `timeoutMs`: the longest wait in milliseconds. Default 2000.
   * @throws Error that lists the requests that arrived, on a timeout or when the mock is reset.
   */
  waitFor(match: JournalMatch, options?: { readonly timeoutMs?: number }): Promise<JournalEntry>;
}

/**
 * The whole service in memory: both operations of the merchant and both notifications of the lender, with the checks,
 * statuses and idempotency of the service, and the controls that a test needs. Mocks share nothing with each other.
 */
export interface MockService {
  /** Serves a request without a socket, under any host: pass it to a client as its `fetch`. */
  readonly fetch: MockFetch;
  /**
   * Everything that a client needs to use this mock: `new InstallmentClient(mock.clientOptions())`. The merchant is
   * the first one.
   */
  clientOptions(): MockClientOptions;
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
  /** Every request that reached the mock. */
  readonly journal: MockJournal;
  /** What was sent to `webhook.url`. */
  readonly webhooks: MockWebhooks;
  /** The money of a contract; all zeros for one without notifications. */
  ledger(contractNumber: string): Ledger;
  /** The numbers of all contracts with notifications. */
  contracts(): string[];
  /**
   * Ends a payment as its customer would; ending it the same way again changes nothing.
   *
   * @throws MockUsageError for an unknown payment or status, and for a payment that has ended otherwise.
   */
  settle(referenceId: string, status: Settlement, merchantId?: string): MockPayment;
  /**
   * Scripts the response to the next requests of an operation whose signature is right. The service does not act on
   * them, whatever the response says.
   *
   * @throws MockUsageError for a wrong argument.
   */
  respondWith(operation: ScriptTarget, answer: ScriptedAnswer, options?: ScriptOptions): void;
  /**
   * Injects a fault into the next requests of an operation.
   *
   * @throws MockUsageError for a wrong argument.
   */
  injectFault(operation: ScriptTarget, fault: MockFault, options?: FaultOptions): void;
  /**
   * Serves an operation that the specification does not show, such as a status query. The client and the signature are
   * checked as for initiatePayment, the request is journalled, and `respondWith` and `injectFault` take the path. A
   * handler that throws answers with status 500. A later handler of the same path replaces it; `reset` keeps it.
   *
   * @example
   * ```ts
   * import { InstallmentClient } from 'installment-payments';
   * import { createMockService } from 'installment-payments/mock';
   * import * as z from 'zod';
   *
   * const query = z.object({ referenceId: z.string() });
   * const mock = createMockService();
   * mock.handle('/v2/payments/status', ({ body }) => {
   *   const { referenceId } = query.parse(body);
   *   return { referenceId, status: mock.payments.get(referenceId)?.status ?? 'unknown' };
   * });
   *
   * const client = new InstallmentClient(mock.clientOptions());
   * await client.post('/v2/payments/status', { referenceId: 'ORDER-1' });
   * ```
   * @throws MockUsageError for a path that the mock serves itself, or that is not in the form that is sent.
   */
  handle(path: `/${string}`, handler: OwnHandler): void;
  /** Calls the listener on every change, until the returned function is called. What the listener throws is ignored. */
  subscribe(listener: (change: MockChange) => void): () => void;
  /** Forgets everything but the options and the handlers. Requests that are delayed or hang end with a connection reset, webhooks are not sent again. */
  reset(): void;
}
