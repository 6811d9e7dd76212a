import {
  context,
  metrics,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type MeterProvider,
  type TracerProvider,
} from '@opentelemetry/api';
import * as z from 'zod/mini';
import {
  setInstrumentation,
  type CallInstrument,
  type CallMessage,
  type Instrumentation,
} from '../http/diagnostics.js';
import { checkOptions } from '../errors/check-options.js';
import { boolean } from '../validation/rules.js';
import { hasMethods, orUndefined } from '../values/untrusted-values.js';
import { version } from '../version.js';
import {
  attemptAttributes,
  attemptsOf,
  callAttributes,
  outcomeOf,
  referenceAttributes,
} from './attributes.js';

/** Options of `instrument`. */
export interface InstrumentOptions {
  /** The provider of spans. @default the global provider, even if it is registered later */
  readonly tracerProvider?: TracerProvider | undefined;
  /** The provider of metrics. @default the global provider, even if it is registered later */
  readonly meterProvider?: MeterProvider | undefined;
  /**
   * Whether each attempt has a CLIENT span. If `node:http` is already instrumented, set this option to false: each
   * attempt would have two spans. @default true
   */
  readonly attemptSpans?: boolean | undefined;
  /**
   * Whether a call's span contains the merchant's `referenceId`, or the lender's `lenderTransactionCode` and
   * `requestId`. Metrics never contain them. @default false
   */
  readonly includeReference?: boolean | undefined;
}

function createHistograms(provider: MeterProvider) {
  const meter = provider.getMeter('installment-payments', version);
  return {
    provider,
    duration: meter.createHistogram('installment.call.duration', {
      unit: 's',
      description: 'Duration of a call, with all of its attempts and the waits between them',
      // The last bucket is above the default time limit of a whole call, 45 s.
      advice: {
        explicitBucketBoundaries: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 45, 60],
      },
    }),
    attempts: meter.createHistogram('installment.call.attempts', {
      unit: '{attempt}',
      description: 'Number of attempts of a call',
      advice: { explicitBucketBoundaries: [0, 1, 2, 3, 5, 10] },
    }),
  };
}

/** Returns a function that records a finished call. The attributes have few values, which are all known in advance. */
function callMetrics(chosen: MeterProvider | undefined) {
  let current: ReturnType<typeof createHistograms> | undefined;
  return (message: CallMessage, seconds: number, active: Context) => {
    // The global meter provider can be registered later, as a different object, so it is read for each call. (`trace`
    // follows the global tracer provider itself.)
    const provider = chosen ?? metrics.getMeterProvider();
    if (current?.provider !== provider) current = createHistograms(provider);
    const attributes = {
      'installment.operation': message.operation,
      'installment.outcome': outcomeOf(message),
    };
    current.duration.record(seconds, attributes, active);
    current.attempts.record(attemptsOf(message), attributes, active);
  };
}

/** Creates the instrumentation that records the spans and metrics of each call. */
function callTelemetry(options: InstrumentOptions): Instrumentation {
  const { tracerProvider = trace, attemptSpans = true, includeReference = false } = options;
  const recordMetrics = callMetrics(options.meterProvider);

  return ({ operation }): CallInstrument => {
    const startTime = Date.now();
    const startedMs = performance.now();
    // All spans of a call use this clock, because the wall clock can jump, and the caller can replace the client's
    // clock.
    const now = () => startTime + performance.now() - startedMs;
    const parent = context.active();
    const tracer = orUndefined(() => tracerProvider.getTracer('installment-payments', version));
    const attributes = { 'installment.operation': operation };
    const spanOptions = { kind: SpanKind.INTERNAL, startTime, attributes };
    const span = orUndefined(() => tracer?.startSpan(`installment.${operation}`, spanOptions, parent));
    const active = span ? trace.setSpan(parent, span) : parent;

    return {
      run: (work) => context.with(active, work),
      attempted(message) {
        if (!attemptSpans) return;
        const { attempt, code, request } = message;
        const endTime = now();
        const attemptStart = Math.max(startTime, endTime - attempt.durationMs);
        const attemptOptions = {
          kind: SpanKind.CLIENT,
          startTime: attemptStart,
          attributes: attemptAttributes(message),
        };
        const client = tracer?.startSpan(request.method, attemptOptions, active);
        if (code !== undefined)
          client?.setStatus({ code: SpanStatusCode.ERROR, message: attempt.error ?? code });
        client?.end(endTime);
      },
      ended(message) {
        const endTime = now();
        orUndefined(() => {
          span?.setAttributes(callAttributes(message));
          if (includeReference) span?.setAttributes(referenceAttributes(message));
          if ('error' in message) span?.setStatus({ code: SpanStatusCode.ERROR });
        });
        orUndefined(() => span?.end(endTime));
        recordMetrics(message, (endTime - startTime) / 1000, active);
      },
    };
  };
}

function provider<T>(method: string) {
  const rule = `must be a provider with the method ${method}`;
  return z.optional(z.custom<T>((value) => hasMethods(value, [method]), rule));
}

const instrumentationRules = z.strictObject(
  {
    tracerProvider: provider<TracerProvider>('getTracer'),
    meterProvider: provider<MeterProvider>('getMeter'),
    attemptSpans: z.optional(boolean),
    includeReference: z.optional(boolean),
  },
  'must be an object',
);

/**
 * Records OpenTelemetry spans and metrics for every call of every client in the process, whatever entry or module
 * format the client came from. A second call of `instrument` replaces the first, so that nothing is recorded twice.
 *
 * Each call has an INTERNAL span, which is active while the call runs, and a CLIENT span for each attempt. The metrics
 * are `installment.call.duration` in seconds and `installment.call.attempts`, by operation and outcome. Attributes
 * contain neither customer data nor secrets nor, by default, identifiers. An error of a provider does not affect the
 * call.
 *
 * @example
 * ```ts
 * import { instrument } from 'installment-payments/opentelemetry';
 *
 * const undo = instrument({ attemptSpans: false }); // node:http is instrumented already
 * process.once('SIGTERM', undo);
 * ```
 * @param options - The providers, and the contents of spans.
 * @returns A function that removes the instrumentation. The span of a running call is completed. If `instrument` was
 * called again in the meantime, the function does nothing.
 * @throws ConfigurationError that names the unknown or invalid option.
 */
export function instrument(options: InstrumentOptions = {}): () => void {
  return setInstrumentation(callTelemetry(checkOptions(instrumentationRules, options)));
}
