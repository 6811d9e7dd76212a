/**
 * A payment whose first response is lost, as a trace and as metrics. In production the SDK of OpenTelemetry sends
 * both to a collector; here they are printed.
 *
 *   npx tsx examples/opentelemetry.ts
 */
import { MeterProvider, MetricReader, type HistogramMetricData } from '@opentelemetry/sdk-metrics';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-node';
import { InstallmentClient } from 'installment-payments';
import { createMockService, samplePaymentRequest } from 'installment-payments/mock';
import { instrument } from 'installment-payments/opentelemetry';

// Prerequisites: the SDK, as a service sets it up once, and the package instrumented.
const exporter = new InMemorySpanExporter();
const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
tracerProvider.register();
class Reader extends MetricReader {
  protected override onForceFlush = () => Promise.resolve();
  protected override onShutdown = () => Promise.resolve();
}
const reader = new Reader();
const meterProvider = new MeterProvider({ readers: [reader] });
const undo = instrument({ meterProvider, includeReference: true });

// A service whose first response is lost: the payment exists, but the shop has no response yet.
const mock = createMockService();
const server = await mock.listen();
const { fetch: _inMemory, ...options } = mock.clientOptions();
const client = new InstallmentClient({ ...options, baseUrl: server.url });
mock.injectFault('initiatePayment', 'connection-reset', { phase: 'after' });

// The flow: a span of the shop, and the payment in it.
await tracerProvider.getTracer('shop').startActiveSpan('checkout', async (span) => {
  await client.initiatePayment(samplePaymentRequest({ referenceId: 'ORDER-1' }));
  span.end();
});

const spans = exporter.getFinishedSpans();
const milliseconds = ([seconds, nanoseconds]: readonly [number, number]) =>
  seconds * 1000 + nanoseconds / 1e6;
const origin = Math.min(...spans.map(({ startTime }) => milliseconds(startTime)));

const shown = {
  'installment.reference_id': 'reference',
  'http.request.resend_count': 'resend',
  'http.response.status_code': 'http',
  'installment.outcome': 'outcome',
  'installment.result_status': 'status',
  'error.type': 'error',
};

/** A span on one line, as in a viewer of traces, and those below it. */
function print(span: ReadableSpan, depth: number): void {
  const { attributes, name, startTime, duration, status } = span;
  const texts = Object.entries(shown).flatMap(([attribute, label]) => {
    const value = attributes[attribute];
    return value === undefined ? [] : [`${label}=${String(value)}`];
  });
  const times = [milliseconds(startTime) - origin, milliseconds(duration)].map((ms) =>
    ms.toFixed(0).padStart(7),
  );
  const indented = `${'  '.repeat(depth)}${name}`.padEnd(32);
  console.log([...times, '', indented, ...texts, status.message].join('  ').trimEnd());
  const { spanId } = span.spanContext();
  for (const child of spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === spanId)) {
    print(child, depth + 1);
  }
}

console.log('  start   took ms    span');
for (const root of spans.filter(({ parentSpanContext }) => parentSpanContext === undefined)) print(root, 0);

const { resourceMetrics } = await reader.collect();
console.log('\nmetric');
for (const { metrics } of resourceMetrics.scopeMetrics) {
  for (const { descriptor, dataPoints } of metrics as HistogramMetricData[]) {
    for (const { attributes, value } of dataPoints) {
      const labels = Object.values(attributes).join(', ');
      console.log(
        `${descriptor.name} {${labels}}: ${value.count} call, sum ${value.sum?.toFixed(1) ?? ''} ${descriptor.unit}`,
      );
    }
  }
}
console.log(`\npayments at the service: ${mock.payments.all().length}`);

undo();
await server.close();
