import type { RefusedRequests } from '../diagnosis/refused-requests.js';
import type { ResolvedWireSwitches } from '../../protocol/wire-switches.js';
import type { Script } from '../state/script.js';
import type { Journal } from '../state/journal.js';
import type { LenderStore } from '../state/lender-store.js';
import type { PaymentStore } from '../state/payments.js';
import type { MockDelay } from '../common/delay.js';
import type { MockLenderOptions } from '../common/lender-options.js';
import type { WhenAnnounced } from '../webhooks/webhook-types.js';
import type { World } from '../worlds/dimensions.js';
import type { RegisteredMerchant } from './merchants.js';

/** Everything that one mock consists of. Mocks share nothing with each other. */
export interface MockContext {
  /** By client ID. */
  readonly merchants: ReadonlyMap<string, RegisteredMerchant>;
  readonly payments: PaymentStore;
  readonly notifications: LenderStore;
  readonly script: Script;
  readonly journal: Journal;
  readonly lender: MockLenderOptions;
  readonly wire: ResolvedWireSwitches;
  readonly refusedRequests: RefusedRequests;
  readonly uploads: 'paid' | 'any';
  /** As it is now: a reset may change it. */
  readonly world: () => World;
  readonly whenAnnounced: WhenAnnounced;
  readonly now: () => Date;
  readonly delay: MockDelay;
}
