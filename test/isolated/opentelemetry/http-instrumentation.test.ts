import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { propagation, SpanKind, trace } from '@opentelemetry/api';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { InstallmentClient, signPayment } from '../../../src/entries/index.js';
import { createMockService, samplePaymentRequest, type MockServer } from '../../../src/entries/mock.js';
import { instrumented } from '../../opentelemetry/support.js';
import { listening } from '../../helpers/listening.js';

const http = new HttpInstrumentation({ disableIncomingRequestInstrumentation: true });
const mock = createMockService();
let server: MockServer;
beforeAll(async () => {
  // It wraps the module when it is required next.
  createRequire(import.meta.url)('node:http');
  server = await mock.listen();
});
afterAll(async () => {
  http.disable();
  await server.close();
});

it('the requests that http instrumentation shows are children of the call, after a wait too', async () => {
  const { spans, tracerProvider } = instrumented({ attemptSpans: false });
  http.setTracerProvider(tracerProvider);
  const { fetch: _inMemory, ...options } = mock.clientOptions();
  const client = new InstallmentClient({ ...options, baseUrl: server.url });
  mock.injectFault('initiatePayment', 'connection-reset', { phase: 'after' });
  await client.initiatePayment(samplePaymentRequest());

  const [call, ...requests] = spans();
  expect(call).toMatchObject({ name: 'installment.initiatePayment', kind: SpanKind.INTERNAL });
  expect(requests).toHaveLength(2);
  for (const request of requests) {
    expect(request).toMatchObject({ name: 'POST', kind: SpanKind.CLIENT });
    expect(request.instrumentationScope.name).toBe('@opentelemetry/instrumentation-http');
    expect(request.parentSpanContext?.spanId).toBe(call?.spanContext().spanId);
  }
});

it.each([
  ['this package sends no traceparent', false],
  ['http instrumentation adds a traceparent, which is not part of the signature', true],
])('with the propagation of W3C, %s', async (_, isInstrumented) => {
  const { tracerProvider } = instrumented({});
  http.setTracerProvider(tracerProvider);
  if (!isInstrumented) http.disable();
  // Sets the propagation that an application would have.
  new NodeTracerProvider().register({ contextManager: null });
  const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  const service = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body });
      response.end('{"resultStatus":"INVALID_REQUEST"}');
    });
  });
  const { fetch: _inMemory, ...options } = mock.clientOptions();
  const baseUrl = `http://127.0.0.1:${await listening(service)}`;
  const call = new InstallmentClient({ ...options, baseUrl }).initiatePayment(samplePaymentRequest());
  await expect(call).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  http.enable();
  propagation.disable();
  trace.disable();

  const [{ headers, body } = expect.fail('no request')] = received;
  const traceparent: unknown = isInstrumented
    ? expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    : undefined;
  expect(headers['traceparent']).toEqual(traceparent);
  expect(headers['signature']).toBe(signPayment(body, options.secretKey));
});
