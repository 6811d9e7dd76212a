export { createMockService } from './create-mock.js';
export { sampleInvoice, samplePaymentRequest, type SampleOverrides } from './samples.js';
export { DEMO_MERCHANT, type MockMerchant } from './service/merchants.js';
export { MockUsageError } from './controls/usage-error.js';
export type {
  MockClientOptions,
  MockDelay,
  MockJournal,
  MockLenderOptions,
  MockOptions,
  MockPayments,
  MockService,
  MockStore,
} from './types.js';
export type { MockFetch, MockRequestInit } from './adapters/in-process.js';
export type { ListenOptions, MockServer } from './adapters/node.js';
export type { MockChange } from './state/changes.js';
export type { Diagnosis, DiagnosisCause, FirstDifference, Mistake } from './diagnosis/types.js';
export type { FaultPhase, MockFault } from './controls/faults.js';
export type { JournalEntry, JournalFile, JournalMatch, JournalResponse } from './state/journal-types.js';
export type { OwnHandler, OwnRequest } from './service/own-types.js';
export type { FaultOptions, ScriptedAnswer, ScriptOptions, ScriptTarget } from './controls/script.js';
export type { MockAllocation } from './state/allocations.js';
export type { MockInvoice } from './state/invoices.js';
export type { AllocatedAmounts, Ledger, LedgerDiscrepancy, LedgerInstallment } from './state/ledger.js';
export type { MockPayment, Settlement } from './state/payments.js';
export type { MockReceipt } from './state/receipts.js';
export type {
  MockWebhookOptions,
  MockWebhooks,
  WebhookDelivery,
  WebhookTry,
} from './webhooks/webhook-types.js';
