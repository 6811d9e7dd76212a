export { instrument } from './instrument.js';
export type { InstrumentOptions } from './call-telemetry.js';
export { ConfigurationError } from '../errors/errors.js';
