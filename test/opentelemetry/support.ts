import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { MeterProvider, MetricReader, type HistogramMetricData } from '@opentelemetry/sdk-metrics';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-node';
import { onTestFinished } from 'vitest';
import { instrument } from '../../src/entries/opentelemetry.js';
import type { InstrumentOptions } from '../../src/opentelemetry/instrument.js';

/** Returns what was recorded, when the test asks for it. */
class OnDemandReader extends MetricReader {
  protected override onForceFlush(): Promise<void> {
    return Promise.resolve();
  }
  protected override onShutdown(): Promise<void> {
    return Promise.resolve();
  }
}

function parentsFirst(ended: readonly ReadableSpan[]): ReadableSpan[] {
  const ids = new Set(ended.map((span) => span.spanContext().spanId));
  const parentOf = ({ parentSpanContext }: ReadableSpan) =>
    parentSpanContext && ids.has(parentSpanContext.spanId) ? parentSpanContext.spanId : undefined;
  const below = (parent: string | undefined): ReadableSpan[] =>
    ended
      .filter((span) => parentOf(span) === parent)
      .flatMap((span) => [span, ...below(span.spanContext().spanId)]);
  return below(undefined);
}

/** The real SDK, with memory instead of a collector. */
export function memorySdk() {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const reader = new OnDemandReader();
  const meterProvider = new MeterProvider({ readers: [reader] });
  return {
    exporter,
    tracerProvider,
    meterProvider,
    /** Finished spans: each parent before its children, in the order of their ends. Two starts can be equal. */
    spans: () => parentsFirst(exporter.getFinishedSpans()),
    histograms: async () => {
      const { resourceMetrics } = await reader.collect();
      return resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics as HistogramMetricData[]);
    },
  };
}

/** The package instrumented with the real SDK until the test ends; the context of spans follows asynchronous work. */
export function instrumented(options: InstrumentOptions = {}) {
  const sdk = memorySdk();
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const undo = instrument({
    tracerProvider: sdk.tracerProvider,
    meterProvider: sdk.meterProvider,
    ...options,
  });
  onTestFinished(() => {
    undo();
    context.disable();
    trace.disable();
  });
  return { ...sdk, undo };
}

const milliseconds = ([seconds, nanoseconds]: readonly [number, number]) =>
  seconds * 1000 + nanoseconds / 1e6;

/** Milliseconds since 1970. */
export function startOf({ startTime }: ReadableSpan): number {
  return milliseconds(startTime);
}

/** Milliseconds since 1970. */
export function endOf({ endTime }: ReadableSpan): number {
  return milliseconds(endTime);
}

/** The output of an exporter, as text. */
export function exportedText(spans: readonly ReadableSpan[]): string {
  return JSON.stringify(
    spans.map(({ name, attributes, status, events, links, resource }) => ({
      name,
      attributes,
      status,
      events,
      links,
      resource: resource.attributes,
    })),
  );
}
