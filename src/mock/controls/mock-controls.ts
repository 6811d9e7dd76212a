import type { MockAllocation, MockReceipt } from '../state/lender-store.js';
import type { MockChange } from '../state/changes.js';
import type { MockJournal } from '../state/journal-types.js';
import type { Ledger } from '../state/ledger.js';
import type { MockPayment, Settlement } from '../state/payment-record.js';
import type { ScriptedResponse } from '../common/scripted-response.js';
import type { FaultOptions, ScriptOptions, ScriptTarget } from '../state/script.js';
import type { MockInvoices, MockPayments, MockStore } from '../state/store-types.js';
import type { MockWebhooks } from '../webhooks/webhook-types.js';
import type { Scenario } from '../scenarios/dimensions.js';
import type { ScenarioOption } from '../scenarios/resolve-scenario.js';
import type { MockFault } from '../common/faults.js';

/** The records of a mock and its controls: for a test, for the pages, and over HTTP for another process. */
export interface MockControls {
  /** By `referenceId`. */
  readonly payments: MockPayments;
  /** By `invoiceId`. */
  readonly invoices: MockInvoices;
  /** By `lenderTransactionCode`. */
  readonly receipts: MockStore<MockReceipt>;
  /** By `requestId`. */
  readonly allocations: MockStore<MockAllocation>;
  /** Every request that reached the mock. */
  readonly journal: MockJournal;
  /** The webhooks sent to `webhook.url`. */
  readonly webhooks: MockWebhooks;
  /** The money of a contract; all zeros for one without notifications. */
  ledger(contractNumber: string): Ledger;
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
  respondWith(operation: ScriptTarget, answer: ScriptedResponse, options?: ScriptOptions): void;
  /**
   * Injects a fault into the next requests of an operation.
   *
   * @throws MockUsageError for a wrong argument.
   */
  injectFault(operation: ScriptTarget, fault: MockFault, options?: FaultOptions): void;
  /** Forgets the responses and faults that were lined up. */
  clearScript(): void;
  /** Calls the listener on every change, until the returned function is called. What the listener throws is ignored. */
  subscribe(listener: (change: MockChange) => void): () => void;
  /** How the mock answers what the specification leaves open, now. */
  scenario(): Scenario;
  /**
   * Forgets everything but the options, the handlers and the scenario. Requests that are delayed or hang end with a
   * connection reset, webhooks are not sent again.
   *
   * @param next - `scenario`: the scenario from now on, by name or by the values that differ from the mock's own.
   * @throws ConfigurationError for an unknown scenario.
   */
  reset(next?: { readonly scenario?: ScenarioOption | undefined }): void;
}
