import type {
  ListenOptions,
  MockClientOptions,
  MockControls,
  MockFetch,
  MockServer,
  OwnHandler,
  OwnNotification,
} from '../mock/observation.js';
import type { Finding } from './findings/all-rules.js';

/**
 * The whole service in memory: both operations of the merchant and both notifications of the lender, with the
 * documented checks, statuses and limits, with idempotency, and with the controls that a test needs. Two mocks share no
 * state.
 */
export interface MockService extends MockControls {
  /**
   * Returns the mistakes of the merchant that the mock can see, errors first. The requests in the journal
   * are judged as one run. `rehearse` also reports mistakes that only a comparison with the baseline shows.
   */
  findings(): Finding[];
  /**
   * Serves a request without a socket. Pass this function to a client as `fetch`. It serves `https://mock.example`,
   * `publicUrl` and the addresses on which the mock listens, and rejects any other address with a `MockUsageError`.
   */
  readonly fetch: MockFetch;
  /**
   * Returns the options with which a client uses this mock as the first merchant: `new
   * InstallmentClient(mock.clientOptions())`.
   */
  clientOptions(): MockClientOptions;
  /** Serves the mock on a socket. A mock can listen more than once. */
  listen(options?: ListenOptions): Promise<MockServer>;
  /**
   * Serves an operation that the specification does not show, such as a status query. The client and the signature
   * are checked as for initiatePayment, the request is journalled, and `respondWith` and `injectFault` accept the
   * path. If the handler throws, the response has the status 500. A later handler for the same path replaces the
   * earlier handler. `reset` keeps the handlers.
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
   * @param options - `sender` is `'lender'` for a notification of a lender. A notification is not signed. The option
   * `lender.authenticate` can check the notification. The default is `'merchant'`.
   * @throws MockUsageError for a path that the mock serves itself, and for a path that does not begin with a slash, is
   * not percent-encoded exactly as in the request, or contains a query.
   */
  handle(
    path: `/${string}`,
    handler: OwnHandler,
    options?: { readonly sender?: 'merchant' | undefined },
  ): void;
  /** Serves a notification of a lender in the same way. */
  handle(
    path: `/${string}`,
    handler: OwnHandler<OwnNotification>,
    options: { readonly sender: 'lender' },
  ): void;
}
