import type { WireSwitches } from '../protocol/wire-switches.js';
import type { MockLenderOptions } from './state/lender-options.js';
import type { MockMerchant } from './service/merchants.js';
import type { ScenarioOption } from './scenarios/resolve-scenario.js';
import type { MockWebhookOptions } from './webhooks/webhook-types.js';
import type { MockDelay } from './common/faults.js';

/** Options of {@link createMockService}. All are optional. */
export interface MockOptions {
  /** The registered merchants. @default [DEMO_MERCHANT] */
  readonly merchants?: readonly MockMerchant[] | undefined;
  /** The clock of all timestamps. @default the system's */
  readonly now?: (() => Date) | undefined;
  /** Waits for a `{ delayMs }` fault, and between the tries of a webhook. A test may inject no wait. @default a timer */
  readonly delay?: MockDelay | undefined;
  /** Number of requests that the journal keeps; the oldest is dropped first. @default 500 */
  readonly journalLimit?: number | undefined;
  /** Number of payments that are kept, with their invoices; the oldest is dropped first, its reference too. @default 5000 */
  readonly paymentLimit?: number | undefined;
  /**
   * Number of bytes that all records take together: the journal, payments, invoices, webhooks and notifications of lenders. The
   * oldest records are dropped first.
   * @default 67108864, which is 64 MiB
   */
  readonly keptBytesLimit?: number | undefined;
  /** How the lender's side differs from the specification. */
  readonly lender?: MockLenderOptions | undefined;
  /** Switches for what the specification leaves open, as the client has them. `requestTimeOffset` also sets `responseTime`. */
  readonly wire?: WireSwitches | undefined;
  /**
   * Answers what the specification leaves open in another way: the name of one of {@link scenarios}, or the values that
   * differ. Each is an assumption about what a service might do.
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
   * Which payments take invoices: `'paid'` only those that are paid, `'any'` pending ones too. The specification has
   * merchants upload after the payment; the refusal, INVALID_REFERENCE_ID, is assumed. @default 'paid'
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
   * answered with a 2xx status within 10 seconds is sent again after 1, 5 and 25 seconds. A payment whose time has run
   * out is announced as soon as anything looks at it. @default no webhooks
   */
  readonly webhook?: MockWebhookOptions | undefined;
}
