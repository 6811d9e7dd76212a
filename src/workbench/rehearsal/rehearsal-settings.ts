import type { MockOptions } from '../../mock/observation.js';
import type { MockService } from '../workbench-types.js';
import type { LateRequestTracker } from './late-requests.js';
import type { OrderPage } from './order-page-checks.js';
import type { BrowserSettings } from './redirects.js';
import type { Checkout } from './shopper.js';
import type { RehearsedCustomer } from './visit-steps.js';

/** The arguments of a merchant's code in each scenario. */
export interface RehearsalContext {
  /** The mock of the service, in this scenario. */
  readonly mock: MockService;
  /** The name of the scenario. */
  readonly scenario: string;
  /**
   * A signal that fires if the run is stopped: because a request is repeated too often, the run takes too long, or the
   * rehearsal is interrupted.
   */
  readonly signal: AbortSignal;
}

/** A merchant's own test, which places orders. Its promise resolves when all orders are placed. */
export type RehearsedMerchant = (context: RehearsalContext) => unknown;

/** The settings and the state that all runs of a rehearsal share. */
export interface Rehearsal extends BrowserSettings {
  /** The merchant's code, which places orders, or the checkout of the merchant's shop, which the rehearsal calls. */
  readonly merchant: RehearsedMerchant | Checkout;
  readonly mock: MockService;
  readonly mockOptions: MockOptions;
  readonly customer: RehearsedCustomer;
  readonly settleMs: number;
  /** The order page of the shop; absent if the orders are not checked. */
  readonly page?: OrderPage | undefined;
  /** Restarts the shop. Rejects with the reason if the order page of this reference does not respond again. */
  readonly restart?: ((referenceId: string, signal: AbortSignal) => Promise<void>) | undefined;
  /** Recognizes late requests by their references and orders. */
  readonly lateTracker: LateRequestTracker;
  readonly signal: AbortSignal;
}
