import { createMock, type MockOptions, type Post } from '../mock/observation.js';
import { diagnoseForm, diagnoseJson } from './diagnosis/diagnose.js';
import { findingsOf } from './findings/findings-of.js';
import { inspectorRoutes } from './inspector/inspector-routes.js';
import type { MockService } from './workbench-types.js';

const tools = { diagnose: { json: diagnoseJson, form: diagnoseForm }, routes: inspectorRoutes };

/**
 * Creates a mock of the whole service.
 *
 * @example
 * ```ts
 * import { InstallmentClient } from 'installment-payments';
 * import { createMockService, samplePaymentRequest } from 'installment-payments/mock';
 *
 * const mock = createMockService();
 * const client = new InstallmentClient(mock.clientOptions());
 * const { paymentUrl } = await client.initiatePayment(samplePaymentRequest({ referenceId: 'ORDER-1' }));
 * ```
 * @throws ConfigurationError for an invalid option.
 */
export function createMockService(options?: MockOptions): MockService;
/** @internal Creates a mock for a simulation that delivers the webhooks itself, with `post`. */
export function createMockService(options: MockOptions | undefined, post: Post): MockService;
export function createMockService(options: MockOptions = {}, post?: Post): MockService {
  const mock = createMock(options, tools, post);
  return Object.assign(mock, { findings: () => findingsOf(mock) });
}
