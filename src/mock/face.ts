/**
 * The mock for the command line: the public entry, and what only a command needs. The command line imports nothing else of
 * the mock.
 */
export * from './index.js';
export { isDelay } from './common/faults.js';
export { diagnoseForm, diagnoseJson, signedAlong } from './diagnosis/diagnose.js';
export type { RefusedRequest } from './diagnosis/types.js';
export { checkMockOptions } from './mock-options.js';
export { chooseWorlds } from './rehearsal/choose-worlds.js';
export { customers } from './rehearsal/customer.js';
export { pageLimitMs, type OrderPage } from './rehearsal/probe.js';
export { hasError, problemOfPlain, rehearsalJournalLimit, runWorlds } from './rehearsal/rehearse.js';
export { shellWord } from './ui/inspector/curl.js';
export { firstRequest } from './ui/inspector/first-request.js';
export { worldName } from './worlds/resolve-world.js';
