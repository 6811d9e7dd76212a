import type { MockAllocation, MockReceipt } from '../state/lender-store.js';
import type { MockChange } from '../state/changes.js';
import type { MockJournal } from '../state/journal-types.js';
import type { Ledger } from '../state/ledger.js';
import type { MockPayment, Settlement } from '../state/payment-record.js';
import type { ScriptedResponse } from '../common/scripted-response.js';
import type { FaultOptions, ScriptOptions, ScriptTarget } from '../state/script.js';
import type { MockInvoices, MockPayments, MockStore } from '../state/store-types.js';
import type { MockWebhooks } from '../webhooks/webhook-types.js';
import type { Scenario } from '../scenarios/scenario.js';
import type { ScenarioOption } from '../scenarios/resolve-scenario.js';
import type { MockFault } from '../common/faults.js';

/** The records and controls of a mock. Tests, the mock's pages and, over HTTP, other processes use them. */
export interface MockControls {
  /** The payments, by `referenceId`. */
  readonly payments: MockPayments;
  /** The invoices, by `invoiceId`. */
  readonly invoices: MockInvoices;
  /** The receipts, by `lenderTransactionCode`. */
  readonly receipts: MockStore<MockReceipt>;
  /** The allocations, by `requestId`. */
  readonly allocations: MockStore<MockAllocation>;
  /** The requests that reached the mock. */
  readonly journal: MockJournal;
  /** The webhooks sent to `webhook.url`. */
  readonly webhooks: MockWebhooks;
  /** Returns the sums of a contract. They are all 0 for a contract without notifications. */
  ledger(contractNumber: string): Ledger;
  /**
   * Ends a payment as its customer would. Ending it again with the same status changes nothing.
   *
   * @throws MockUsageError for an unknown payment or status, and for a payment that has ended with a different
   * status.
   */
  settle(referenceId: string, status: Settlement, merchantId?: string): MockPayment;
  /**
   * Sets the response to the next requests of an operation that have a valid signature. The service does not act on
   * these requests, whatever the response says.
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
  /** Removes the responses and faults that wait for requests. */
  clearScript(): void;
  /**
   * Calls the listener on every change, until the returned function is called. Exceptions of the listener are
   * ignored.
   */
  subscribe(listener: (change: MockChange) => void): () => void;
  /** Returns the current scenario: how the mock behaves in points that the specification leaves open. */
  scenario(): Scenario;
  /**
   * Removes all records, responses and faults. The options, the handlers and the scenario stay. Requests that are
   * delayed or hang end with a connection reset, and webhooks are not sent again.
   *
   * @param next - `scenario`: the new scenario, by name or by the values that differ from the baseline.
   * @throws ConfigurationError for an unknown scenario.
   */
  reset(next?: { readonly scenario?: ScenarioOption | undefined }): void;
}
