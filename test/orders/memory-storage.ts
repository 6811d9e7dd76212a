export { memoryStorage } from '../../src/workbench/cli/memory-storage.js';
