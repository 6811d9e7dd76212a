import type { ResolvedWireSwitches } from '../../../protocol/wire-switches.js';
import type { Script } from '../../controls/script.js';
import type { Journal } from '../../state/journal.js';
import type { LenderSender } from './lender-sender.js';

/** What the inspector needs besides the mock itself. */
export interface InspectorSetup extends LenderSender {
  readonly script: Script;
  readonly journal: Journal;
  readonly wire: ResolvedWireSwitches;
  /** By path. */
  readonly ownOperations: ReadonlyMap<string, unknown>;
}
