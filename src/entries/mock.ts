export { createMockService } from '../workbench/create-mock-service.js';
export { sampleInvoice, samplePaymentRequest, type SampleOverrides } from '../protocol/samples.js';
export { sampleError } from '../errors/sample-error.js';
export { MockUsageError } from '../errors/usage-error.js';
export {
  DEMO_MERCHANT,
  mockWebhookEventSchema,
  type JournalEntry,
  type MockAllocation,
  type MockFault,
  type MockInvoice,
  type MockMerchant,
  type MockOptions,
  type MockPayment,
  type MockReceipt,
  type MockServer,
  type MockWebhookEvent,
  type WebhookDelivery,
} from '../mock/observation.js';
export type { MockService } from '../workbench/workbench-types.js';
export { scenarios, type ScenarioName } from '../mock/scenarios/named-scenarios.js';
export type { Scenario } from '../mock/scenarios/scenario.js';
export { rehearse, type RehearsalOptions } from '../workbench/rehearsal/rehearse.js';
export type { RehearsalContext } from '../workbench/rehearsal/rehearsal-settings.js';
export type { RehearsalReport } from '../workbench/rehearsal/scenario-report.js';
export type { Finding } from '../workbench/findings/all-rules.js';
