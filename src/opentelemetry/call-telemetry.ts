import { context, SpanKind, SpanStatusCode, trace, type SpanStatus } from '@opentelemetry/api';
import { valueOf } from '../protocol/records.js';
import type { CallInstrument, Instrumentation } from '../http/diagnostics.js';
import { version } from '../version.js';
import { attemptAttributes, callAttributes, referenceAttributes } from './attributes.js';
import { callMetrics } from './call-metrics.js';
import type { ResolvedInstrumentOptions } from './instrument-options.js';

function failed(message?: string): SpanStatus {
  return { code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) };
}

/** Spans and metrics of each call. */
export function callTelemetry(options: ResolvedInstrumentOptions): Instrumentation {
  const { tracerProvider = trace, attemptSpans, includeReference } = options;
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
