import type { MeterProvider, TracerProvider } from '@opentelemetry/api';
import * as z from 'zod';
import { setInstrumentation } from '../http/diagnostics.js';
import { checkOptions } from '../options/common-options.js';
import { hasMethods } from '../protocol/records.js';
import { callTelemetry, type InstrumentOptions } from './call-telemetry.js';

function provider<T>(method: string) {
  const rule = `must be a provider with the method ${method}`;
  return z.custom<T>((value) => hasMethods(value, [method]), rule).optional();
}

/** Rules of the options of `instrument`. */
const instrumentOptionRules = z.strictObject(
  {
    tracerProvider: provider<TracerProvider>('getTracer'),
    meterProvider: provider<MeterProvider>('getMeter'),
    attemptSpans: z.boolean('must be true or false').optional(),
    includeReference: z.boolean('must be true or false').optional(),
  },
  'must be an object',
);

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
