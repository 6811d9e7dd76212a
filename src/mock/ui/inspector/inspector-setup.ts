import type { ResolvedWireSwitches } from '../../../protocol/wire-switches.js';
import type { Script } from '../../state/script.js';
import type { Announced } from '../../state/payment-record.js';
import type { Journal } from '../../state/journal.js';
import type { MockClientOptions, MockFetch } from '../../common/in-process-client.js';

/** The parts of a mock that the inspector needs besides its records and controls. */
export interface InspectorSetup {
  readonly fetch: MockFetch;
  /** Of the first merchant. */
  readonly clientOptions: () => MockClientOptions;
  readonly announced: Announced;
  readonly now: () => Date;
  /** Name of the masked field of a lender's notifications on the wire. */
  readonly applicationIdField: string | undefined;
  readonly script: Script;
  readonly journal: Journal;
  readonly wire: ResolvedWireSwitches;
  /** The paths that `handle` registered. */
  readonly ownPaths: () => readonly string[];
}
