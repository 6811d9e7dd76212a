export { instrument } from './instrument.js';
export type { InstrumentOptions } from './instrument-options.js';
export { ConfigurationError } from '../errors/errors.js';
