import { createContext } from 'hono/jsx';
import type { MockControls } from '../../controls/mock-controls.js';
import { worldName } from '../../worlds/resolve-world.js';

/** What the header of every page says of the mock, by the name of each place in it. */
export interface Standing {
  readonly world: string;
  /** How many there are; empty without any. */
  readonly findings: string;
}

export function standingOf(mock: MockControls): Standing {
  return { world: worldName(mock.world()), findings: String(mock.findings().length || '') };
}

/** Saves each page from handing it on to its header. */
export const StandingContext = createContext<Standing>({ world: '', findings: '' });
