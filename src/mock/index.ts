export { createMockService } from './create-mock.js';
export { sampleInvoice, samplePaymentRequest, type SampleOverrides } from './common/samples.js';
export { sampleError, type SampleErrorInit } from './sample-error.js';
export { DEMO_MERCHANT, type MockMerchant } from './service/merchants.js';
export { MockUsageError } from './common/usage-error.js';
export { ConfigurationError } from '../errors/errors.js';
export type { MockOptions, MockService } from './types.js';
export type { MockStore, MockPayments } from './state/store-types.js';
export type { MockClientOptions, MockFetch, MockRequestInit } from './common/in-process-client.js';
export type { MockLenderOptions } from './service/mock-context.js';
export type { MockDelay } from './common/delay.js';
export type { ListenOptions, MockServer } from './adapters/node.js';
export type { MockChange } from './state/changes.js';
export type { Diagnosis, FirstDifference } from './diagnosis/types.js';
export type { FaultPhase, MockFault } from './common/faults.js';
export type {
  JournalEntry,
  JournalFile,
  JournalMatch,
  JournalResponse,
  MockJournal,
} from './state/journal-types.js';
export type { OwnHandler, OwnRequest } from './service/operations/own-operation.js';
export type { FaultOptions, ScriptedAnswer, ScriptOptions, ScriptTarget } from './state/script.js';
export type { MockInvoice } from './state/invoices.js';
export type { AllocatedAmounts, Ledger, LedgerDiscrepancy, LedgerInstallment } from './state/ledger.js';
export type { MockPayment, Settlement } from './state/payment-record.js';
export type { MockAllocation, MockReceipt } from './state/lender-store.js';
export type {
  MockWebhookOptions,
  MockWebhooks,
  WebhookDelivery,
  WebhookTry,
} from './webhooks/webhook-types.js';
export { mockWebhookEventSchema, type MockWebhookEvent } from './webhooks/webhook-event.js';
export type { MockControls } from './controls/mock-controls.js';
export { worlds, type NamedWorld, type WorldName } from './worlds/named-worlds.js';
export type { DimensionName, World } from './worlds/dimensions.js';
export type { Forgery } from './worlds/webhooks.js';
export type { OpenQuestion } from './common/open-questions.js';
export type { WorldOption } from './worlds/resolve-world.js';
export {
  rehearse,
  type RehearsalOptions,
  type RehearsalReport,
  type WorldReport,
} from './rehearsal/rehearse.js';
export type { RehearsalContext, RehearsedMerchant } from './rehearsal/run-world.js';
export type { RehearsedCustomer } from './rehearsal/customers.js';
export type { Finding } from './findings/finding.js';
export type { RuleName } from './findings/rules.js';
