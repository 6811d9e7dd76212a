import { installToolbox } from '../package/support.js';

// CI has it done while something else runs; the setup of the tests then finds them installed.
await installToolbox(import.meta.dirname);
