import { setTimeout as wait } from 'node:timers/promises';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { NodeTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { Queue, Worker } from 'bullmq';
import { BullMQOtel } from 'bullmq-otel';
import { expect, test } from 'vitest';
import { createProcessor, enqueue, workerOptions } from '../../src/bullmq/index.js';
import { InstallmentClient } from '../../src/index.js';
import { createMockService, samplePaymentRequest } from '../../src/mock/index.js';
import { instrument } from '../../src/opentelemetry/index.js';
import { startRedis } from './redis-server.js';

test('the trace of a checkout goes on in the worker’s call with BullMQ’s own telemetry', async () => {
  await using redis = await startRedis();
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  provider.register({ contextManager: new AsyncLocalStorageContextManager() });
  const undo = instrument();
  const connection = { host: '127.0.0.1', port: redis.port };
  const telemetry = new BullMQOtel({});
  const queue = new Queue('payments', { connection, telemetry });
  const client = new InstallmentClient(createMockService().clientOptions());
  const worker = new Worker('payments', createProcessor({ client }), {
    connection,
    telemetry,
    ...workerOptions,
  });

  const traceId = await trace.getTracer('shop').startActiveSpan('checkout', async (span) => {
    await enqueue(queue, { operation: 'initiatePayment', request: samplePaymentRequest() });
    span.end();
    return span.spanContext().traceId;
  });
  while ((await queue.getCompletedCount()) === 0) await wait(20);
  await worker.close();
  await queue.close();
  undo();
  trace.disable();
  context.disable();
  propagation.disable();

  const spans = exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId);
  expect(spans.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['checkout', 'installment.initiatePayment', 'POST']),
  );
});
