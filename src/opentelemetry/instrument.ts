import { setInstrumentation } from '../http/diagnostics.js';
import { checkOptions } from '../options/common-options.js';
import { callTelemetry } from './call-telemetry.js';
import { instrumentOptionRules, type InstrumentOptions } from './instrument-options.js';

/**
 * Makes OpenTelemetry spans and metrics of every call of every client in the process, whichever entry or module format
 * the client came from. A second call replaces what the first one set up, so nothing is recorded twice.
 *
 * Each call has an INTERNAL span, which is active while the call runs, and a CLIENT span for each attempt. The metrics
 * are `installment.call.duration` in seconds and `installment.call.attempts`, by operation and outcome. No attribute has
 * customer data, a secret or, unless asked for, a reference. An error of a provider changes nothing about a call.
 *
 * @example
 * ```ts
 * import { instrument } from 'installment-payments/opentelemetry';
 *
 * const undo = instrument({ attemptSpans: false }); // node:http is instrumented already
 * process.once('SIGTERM', undo);
 * ```
 * @param options - Providers, and what spans have.
 * @returns A function that removes it again. Calls under way keep their span to the end. After a second call of
 * `instrument`, the function that the first one returned does nothing.
 * @throws ConfigurationError that names the option which is unknown or wrong.
 */
export function instrument(options: InstrumentOptions = {}): () => void {
  return setInstrumentation(callTelemetry(checkOptions(instrumentOptionRules, options)));
}
