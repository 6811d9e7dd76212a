export { instrument } from '../opentelemetry/instrument.js';
