import type { Command } from './command.js';
import { explain } from './explain.js';
import { mock } from './mock.js';
import { rehearse } from './rehearse.js';

/** The commands, in the order of the help. */
export const commands: readonly Command[] = [mock, explain, rehearse];
