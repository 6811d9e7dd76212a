import {
  context,
  diag,
  metrics,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type MeterProvider,
  type SpanStatus,
  type TracerProvider,
} from '@opentelemetry/api';
import type { CallInstrument, CallMessage, Instrumentation } from '../http/diagnostics.js';
import { isHttpInstrumented } from '../http/is-instrumented.js';
import { valueOf } from '../protocol/records.js';
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
  /** Where spans go. @default the global one, also if it is registered later */
  readonly tracerProvider?: TracerProvider | undefined;
  /** Where metrics go. @default the global one, also if it is registered later */
  readonly meterProvider?: MeterProvider | undefined;
  /**
   * Whether each attempt has a CLIENT span of its own. Set it to false where `node:http` is instrumented already: its
   * spans are children of the call's span too, and each attempt would be shown twice. Where that is seen and nothing is
   * chosen, the diagnostic logger of OpenTelemetry (`diag`) is warned once. @default true
   */
  readonly attemptSpans?: boolean | undefined;
  /**
   * Whether a call's span has the merchant's `referenceId`, or the lender's `lenderTransactionCode` and `requestId`.
   * Metrics never have them. @default false
   */
  readonly includeReference?: boolean | undefined;
}

/** Up to the default limit of a whole call, 45 s, and beyond. */
const durationBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 45, 60];
const attemptBuckets = [0, 1, 2, 3, 5, 10];

function createInstruments(provider: MeterProvider) {
  const meter = provider.getMeter('installment-payments', version);
  return {
    duration: meter.createHistogram('installment.call.duration', {
      unit: 's',
      description: 'Duration of a call, with all of its attempts and the waits between them',
      advice: { explicitBucketBoundaries: durationBuckets },
    }),
    attempts: meter.createHistogram('installment.call.attempts', {
      unit: '{attempt}',
      description: 'Attempts that a call took',
      advice: { explicitBucketBoundaries: attemptBuckets },
    }),
  };
}

/** Records a call that has ended. The attributes have few values, all known beforehand. */
function callMetrics(
  chosen: MeterProvider | undefined,
): (message: CallMessage, seconds: number, active: Context) => void {
  let current: ({ readonly provider: MeterProvider } & ReturnType<typeof createInstruments>) | undefined;
  return (message, seconds, active) => {
    // The global provider has no proxy, as that of traces has: one that is registered later is another one.
    const provider = chosen ?? metrics.getMeterProvider();
    if (current?.provider !== provider) current = { provider, ...createInstruments(provider) };
    const attributes = {
      'installment.operation': message.operation,
      'installment.outcome': outcomeOf(message),
    };
    current.duration.record(seconds, attributes, active);
    current.attempts.record(attemptsOf(message), attributes, active);
  };
}

function failed(message?: string): SpanStatus {
  return { code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) };
}

const shownTwice =
  'installment-payments: node:http is instrumented too, so each attempt is shown twice. Pass attemptSpans: false to ' +
  'instrument(), or true to keep both.';

/** Spans and metrics of each call. */
export function callTelemetry(options: InstrumentOptions): Instrumentation {
  const { tracerProvider = trace, attemptSpans = true, includeReference = false } = options;
  let isChecked = options.attemptSpans !== undefined;
  const recordMetrics = callMetrics(options.meterProvider);

  return ({ operation }): CallInstrument => {
    const startTime = Date.now();
    const startedMs = performance.now();
    // One clock for all spans of a call: the wall clock may jump, and that of the client may be the caller's own.
    const now = () => startTime + performance.now() - startedMs;
    const parent = context.active();
    const tracer = valueOf(() => tracerProvider.getTracer('installment-payments', version));
    const attributes = { 'installment.operation': operation };
    const span = valueOf(() =>
      tracer?.startSpan(
        `installment.${operation}`,
        { kind: SpanKind.INTERNAL, startTime, attributes },
        parent,
      ),
    );
    const active = span ? trace.setSpan(parent, span) : parent;

    return {
      run: (work) => context.with(active, work),
      attempted(message) {
        if (!attemptSpans) return;
        if (!isChecked && isHttpInstrumented()) diag.warn(shownTwice);
        isChecked = true;
        const { attempt, code, request } = message;
        const endTime = now();
        const client = tracer?.startSpan(
          request.method,
          {
            kind: SpanKind.CLIENT,
            startTime: Math.max(startTime, endTime - attempt.durationMs),
            attributes: attemptAttributes(message),
          },
          active,
        );
        if (code !== undefined) client?.setStatus(failed(attempt.error));
        client?.end(endTime);
      },
      ended(message) {
        const endTime = now();
        valueOf(() => {
          span?.setAttributes(callAttributes(message));
          if (includeReference) span?.setAttributes(referenceAttributes(message));
          if ('error' in message) span?.setStatus(failed());
        });
        valueOf(() => span?.end(endTime));
        recordMetrics(message, (endTime - startTime) / 1000, active);
      },
    };
  };
}
