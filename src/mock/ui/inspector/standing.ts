import { createContext } from 'hono/jsx';
import type { MockControls } from '../../controls/mock-controls.js';
import { worldName } from '../../worlds/resolve-world.js';

/** The state of the mock in the header of every page, by the `data-standing` of the elements that show it. */
export interface Standing {
  readonly world: string;
  /** Their number; empty if there are none. */
  readonly findings: string;
}

export function standingOf(mock: MockControls): Standing {
  return { world: worldName(mock.world()), findings: String(mock.findings().length || '') };
}

/** A context, because pages of every kind have the header. */
export const StandingContext = createContext<Standing>({ world: '', findings: '' });
