/**
 * The mock for the command line: the public entry, and what only a command needs. The command line imports nothing else of
 * the mock.
 */
export * from './index.js';
export type { MockClientOptions } from './common/client-options.js';
export type { Diagnosis } from './diagnosis/types.js';
export type { WorldReport } from './rehearsal/rehearse.js';
export type { RehearsedMerchant } from './rehearsal/run-world.js';
export { isDelay } from './common/faults.js';
export { groupBy } from './common/group-by.js';
export { shellWord } from './common/shell-word.js';
export { diagnoseForm, diagnoseJson } from './diagnosis/diagnose.js';
export type { RefusedRequest } from './diagnosis/types.js';
export { demoMerchant } from './service/merchants.js';
export { customers } from './rehearsal/customers.js';
export type { OrderPage } from './rehearsal/order-looks.js';
export {
  chooseWorlds,
  hasError,
  isFlag,
  problemOfPlain,
  rehearsalJournalLimit,
  runWorlds,
} from './rehearsal/rehearse.js';
export type { Checkout } from './rehearsal/shopper.js';
export { worldName } from './worlds/resolve-world.js';
