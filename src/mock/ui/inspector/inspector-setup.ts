import type { ResolvedWireSwitches } from '../../../protocol/wire-switches.js';
import type { Script } from '../../state/script.js';
import type { Announced } from '../../state/payments.js';
import type { Journal } from '../../state/journal.js';
import type { MockClientOptions } from '../../wire/client-options.js';
import type { LenderSender } from './lender-sender.js';

/** What the inspector needs besides the mock itself. */
export interface InspectorSetup extends LenderSender {
  /** The first merchant's. */
  readonly clientOptions: () => MockClientOptions;
  readonly announced: Announced;
  readonly script: Script;
  readonly journal: Journal;
  readonly wire: ResolvedWireSwitches;
  /** By path. */
  readonly ownOperations: ReadonlyMap<string, unknown>;
}
