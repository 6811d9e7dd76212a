export { instrument, type InstrumentOptions } from './instrument.js';
export { ConfigurationError } from '../errors/errors.js';
