import type { WireSwitches } from '../protocol/wire-switches.js';
import type { MockLenderOptions } from './state/mock-lender-options.js';
import type { MockMerchant } from './service/merchants.js';
import type { ScenarioOption } from './scenarios/resolve-scenario.js';
import type { MockWebhookOptions } from './webhooks/webhook-types.js';
import type { MockDelay } from './common/faults.js';

/** Options of {@link createMockService}. All are optional. */
export interface MockOptions {
  /** The registered merchants. @default [DEMO_MERCHANT] */
  readonly merchants?: readonly MockMerchant[] | undefined;
  /** The clock for all timestamps. @default the system clock */
  readonly now?: (() => Date) | undefined;
  /**
   * The wait for a `{ delayMs }` fault, and between the tries of a webhook. A test can inject a function that does
   * not wait. @default a timer
   */
  readonly delay?: MockDelay | undefined;
  /** The number of requests that the journal keeps. The oldest entries are dropped first. @default 500 */
  readonly journalLimit?: number | undefined;
  /**
   * The number of payments that are kept, with their invoices. The oldest payments are dropped first, with their
   * references. @default 5000
   */
  readonly paymentLimit?: number | undefined;
  /**
   * The number of bytes of all records together: the journal, payments, invoices, webhooks and notifications of
   * lenders. The oldest records are dropped first.
   * @default 67108864, which is 64 MiB
   */
  readonly keptBytesLimit?: number | undefined;
  /** The options of the lender operations, for the points that the specification leaves open. */
  readonly lender?: MockLenderOptions | undefined;
  /**
   * The switches for points that the specification leaves open, the same as in the client's option `wire`.
   * `requestTimeOffset` also applies to `responseTime`.
   */
  readonly wire?: WireSwitches | undefined;
  /**
   * The behaviour of the mock in points that the specification leaves open: a name from {@link scenarios}, or the
   * values that differ from the baseline. Each value is an assumption about what a service might do.
   *
   * @example
   * ```ts
   * import { createMockService } from 'installment-payments/mock';
   *
   * createMockService({ scenario: 'repeat-duplicate' });
   * createMockService({ scenario: { repeat: 'duplicate', network: 'slow' } });
   * ```
   * @default 'baseline'
   */
  readonly scenario?: ScenarioOption | undefined;
  /**
   * The payments that accept invoices: `'paid'` accepts them only for paid payments, `'any'` also for pending
   * payments. The specification lets merchants upload after the payment. The refusal, INVALID_REFERENCE_ID, is
   * assumed. @default 'paid'
   */
  readonly uploads?: 'paid' | 'any' | undefined;
  /**
   * The address at which customers reach a mock that listens. `paymentUrl` begins with this address, and the pages show
   * it. The host of the address is added to `allowedHosts`. @default the address on which the mock listens
   */
  readonly publicUrl?: string | undefined;
  /**
   * The names at which the pages and controls can be reached, besides addresses, `localhost` and the name on which
   * the mock listens; for example the name of a container. Other names are refused, because websites can point their
   * own names at this machine (DNS rebinding). @default none
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /**
   * Sends a signed webhook to the merchant when a payment is settled, by a test or on the payment page. Without a 2xx
   * response within 10 seconds of the request, the webhook is sent again after 1, 5 and 25 seconds. A payment whose
   * time to pay has passed expires when its status is next read, and its webhook is sent then. @default no webhooks
   */
  readonly webhook?: MockWebhookOptions | undefined;
}
