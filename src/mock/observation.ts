import type { ResolvedWireSwitches } from '../protocol/wire-switches.js';
import type { ListenOptions, MockServer } from './adapters/node.js';
import type { MockClientOptions, MockFetch } from './adapters/mock-client-options.js';
import type { Diagnose } from './state/diagnosis.js';
import type { Post } from './common/exchange.js';
import type { ResolvedLenderOptions } from './state/mock-lender-options.js';
import type { MockControls } from './controls/mock-controls.js';
import { Mock } from './create-mock.js';
import type { OwnHandler, OwnNotification } from './service/operations/own-operation.js';
import type { MockPayment } from './state/payment-record.js';
import type { ScriptRule } from './state/script.js';
import type { MockPayments } from './state/store-types.js';
import type { MockOptions } from './mock-types.js';
import type { Routes } from './ui/routes.js';

/**
 * The part of a mock that a tool can use: the records and controls that every test can use, and the data that only
 * pages show. The workbench imports only this module, `scenarios` and `ui` of the mock.
 */
export interface ObservedMock extends MockControls {
  readonly payments: MockPayments & {
    /** Returns the payment whose `paymentUrl` ends with this token. */
    byUrlToken(urlToken: string): MockPayment | undefined;
  };
  readonly script: {
    /** Returns the responses and faults that wait for their requests. */
    rules(): readonly ScriptRule[];
  };
  readonly wire: ResolvedWireSwitches;
  readonly lender: ResolvedLenderOptions;
  /** Whether the mock sends webhooks. */
  readonly hasWebhook: boolean;
  /** The names of the service's operations, then the paths that `handle` registered. */
  operationNames(): string[];
  readonly fetch: MockFetch;
  clientOptions(): MockClientOptions;
  listen(options?: ListenOptions): Promise<MockServer>;
  handle(
    path: `/${string}`,
    handler: OwnHandler | OwnHandler<OwnNotification>,
    options?: { readonly sender?: 'merchant' | 'lender' | undefined },
  ): void;
}

/** The functions that a tool adds to a mock. */
export interface Tools {
  /** Explains refused signatures. */
  readonly diagnose: Diagnose;
  /** Creates the routes of the tool's pages, below `/_mock`. */
  routes(mock: ObservedMock): Routes;
}

/**
 * Creates a mock with the tools whose results it shows.
 *
 * @param post - Sends webhooks; over the network by default.
 */
export function createMock(options: MockOptions, tools: Tools, post?: Post): ObservedMock {
  return new Mock(options, tools, post);
}

// Records
export type { MockChange } from './state/changes.js';
export type { MockInvoice } from './state/invoices.js';
export type { JournalEntry, JournalFile, MockJournal } from './state/journal-types.js';
export { isAnswerLost } from './state/journal.js';
export { isWhole } from './state/kept-text.js';
export type { Ledger } from './state/ledger.js';
export type { MockAllocation, MockReceipt } from './state/lender-store.js';
export {
  paymentKey,
  settlements,
  type MockPayment,
  type PaymentReference,
  type Settlement,
} from './state/payment-record.js';
export type { ScriptOptions, ScriptRule } from './state/script.js';
export type { MockStore } from './state/store-types.js';
export type { MockWebhooks, WebhookDelivery, WebhookTry } from './webhooks/webhook-types.js';
export { mockWebhookEventSchema, type MockWebhookEvent } from './webhooks/webhook-event.js';

// Options, and the ways in which clients and tools reach the mock
export type { ListenOptions, MockServer } from './adapters/node.js';
export type { MockClientOptions, MockFetch } from './adapters/mock-client-options.js';
export type { Diagnosis, FirstDifference, RefusedForm, RefusedRequest } from './state/diagnosis.js';
export type { Post } from './common/exchange.js';
export { faultNames, isDelay, type MockFault } from './common/faults.js';
export type { LenderReversals } from './state/mock-lender-options.js';
export type { MockControls } from './controls/mock-controls.js';
export { parseMockOptions } from './mock-options.js';
export { DEMO_MERCHANT, demoMerchant, type MockMerchant } from './service/merchants.js';
export type { OwnHandler, OwnNotification } from './service/operations/own-operation.js';
export type { MockOptions } from './mock-types.js';
