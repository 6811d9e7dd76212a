import type { RefusedRequests } from '../diagnosis/refused-requests.js';
import type { ResolvedWireSwitches } from '../../protocol/wire-switches.js';
import type { Script, ScriptTarget } from '../state/script.js';
import type { InvoiceStore } from '../state/invoices.js';
import type { Journal, OpenEntry } from '../state/journal.js';
import type { LenderStore } from '../state/lender-store.js';
import type { PaymentStore } from '../state/payments.js';
import type { MockDelay } from '../common/delay.js';
import type { MockLenderOptions } from '../common/lender-options.js';
import type { IncomingRequest } from '../common/exchange.js';
import type { WhenAnnounced } from '../webhooks/webhook-types.js';
import type { World } from '../worlds/dimensions.js';
import type { RegisteredMerchant } from './merchants.js';

/** Everything that one mock consists of. Mocks share nothing with each other. */
export interface MockContext {
  /** By client ID. */
  readonly merchants: ReadonlyMap<string, RegisteredMerchant>;
  readonly payments: PaymentStore;
  readonly invoices: InvoiceStore;
  readonly notifications: LenderStore;
  readonly script: Script;
  readonly journal: Journal;
  readonly lender: MockLenderOptions;
  readonly wire: ResolvedWireSwitches;
  /** For the diagnosis of wrong signatures. */
  readonly refusedRequests: RefusedRequests;
  readonly uploads: 'paid' | 'any';
  /** As it is now: a reset may change it. */
  readonly world: () => World;
  readonly whenAnnounced: WhenAnnounced;
  readonly now: () => Date;
  readonly delay: MockDelay;
}

/** One request of an operation. */
export interface ArrivedRequest {
  /** The operation, or the path of one that `handle` registered. */
  readonly operation: ScriptTarget;
  readonly request: IncomingRequest;
  readonly mock: MockContext;
  /** Its entry in the journal. It has the names of the request once the body was read. */
  readonly entry: OpenEntry;
  /** Fires when the mock is reset; a request from before a reset must not change the state after it. */
  readonly ended: AbortSignal;
}
