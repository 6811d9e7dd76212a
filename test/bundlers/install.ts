import { installToolbox, toolbox } from '../package/support.js';

// CI has it done before its lanes begin, two of which need the toolbox; the setups of the tests then find all installed.
await installToolbox(toolbox);
await installToolbox(import.meta.dirname);
