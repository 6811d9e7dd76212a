import type { MeterProvider, TracerProvider } from '@opentelemetry/api';
import * as z from 'zod';
import { hasMethods } from '../protocol/records.js';

/** Options of `instrument`. */
export interface InstrumentOptions {
  /** Where spans go. @default the global one, also if it is registered later */
  readonly tracerProvider?: TracerProvider | undefined;
  /** Where metrics go. @default the global one, also if it is registered later */
  readonly meterProvider?: MeterProvider | undefined;
  /**
   * Whether each attempt has a CLIENT span of its own. Set it to false where `node:http` is instrumented already: its
   * spans are children of the call's span too, and each attempt would be shown twice. @default true
   */
  readonly attemptSpans?: boolean | undefined;
  /**
   * Whether a call's span has the merchant's `referenceId`, or the lender's `lenderTransactionCode` and `requestId`.
   * Metrics never have them. @default false
   */
  readonly includeReference?: boolean | undefined;
}

function provider<T>(method: string) {
  const rule = `must be a provider with the method ${method}`;
  return z.custom<T>((value) => hasMethods(value, [method]), rule).optional();
}

/** Rules of the options of `instrument`. */
export const instrumentOptionRules = z.strictObject(
  {
    tracerProvider: provider<TracerProvider>('getTracer'),
    meterProvider: provider<MeterProvider>('getMeter'),
    attemptSpans: z.boolean('must be true or false').default(true),
    includeReference: z.boolean('must be true or false').default(false),
  },
  'must be an object',
);

/** Options that were checked, with every default in place. */
export type ResolvedInstrumentOptions = z.output<typeof instrumentOptionRules>;
