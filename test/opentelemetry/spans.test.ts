import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { describe, expect, test } from 'vitest';
import { LenderClient } from '../../src/entries/lender.js';
import { createMockService, samplePaymentRequest } from '../../src/entries/mock.js';
import { ConfigurationError, InstallmentClient, type Fetch } from '../../src/entries/index.js';
import { instrument } from '../../src/entries/opentelemetry.js';
import type { InstrumentOptions } from '../../src/opentelemetry/instrument.js';
import { receipt } from '../helpers/lender-samples.js';
import { instantRuntime } from '../helpers/runtime.js';
import {
  approvedPayment,
  demo,
  demoClient,
  invoiceUpload,
  paymentRequest,
  rejection,
  thrownBy,
} from '../helpers/samples.js';
import { inTurn, reset } from '../helpers/scripted-failures.js';
import { answering, scriptedFetch } from '../helpers/scripted-fetch.js';
import { endOf, exportedText, instrumented, memorySdk, startOf } from './support.js';

/** The first answer is lost, the second one arrives. */
const losingOne = () => inTurn(reset, () => Response.json(approvedPayment())).fetch;

const clientOf = { 'http.request.method': 'POST', 'server.address': 'pay.example', 'server.port': 443 };

describe('the spans of a payment whose first response is lost', () => {
  test('are one span for the call and one for each attempt below it', async () => {
    const { spans } = instrumented();
    await demoClient({ fetch: losingOne() }).initiatePayment(paymentRequest());

    const [call, first, second, ...more] = spans();
    expect(more).toEqual([]);
    expect(call).toMatchObject({ name: 'installment.initiatePayment', kind: SpanKind.INTERNAL });
    expect(call?.status).toEqual({ code: SpanStatusCode.UNSET });
    expect(call?.attributes).toEqual({
      'installment.operation': 'initiatePayment',
      'installment.outcome': 'accepted',
      'installment.result_status': 'APPROVED',
    });
    for (const attempt of [first, second]) {
      expect(attempt).toMatchObject({ name: 'POST', kind: SpanKind.CLIENT });
      expect(attempt?.parentSpanContext?.spanId).toBe(call?.spanContext().spanId);
    }
    const url = { 'url.full': 'https://pay.example/v2/payments' };
    const operation = { 'installment.operation': 'initiatePayment' };
    expect(first?.attributes).toEqual({
      ...clientOf,
      ...url,
      ...operation,
      'error.type': 'CONNECTION',
      'installment.outcome': 'unknown',
    });
    expect(first?.status).toEqual({ code: SpanStatusCode.ERROR, message: 'ECONNRESET (read)' });
    expect(second?.attributes).toEqual({
      ...clientOf,
      ...url,
      ...operation,
      'http.response.status_code': 200,
      'http.request.resend_count': 1,
      'installment.outcome': 'accepted',
      'installment.result_status': 'APPROVED',
    });
    expect(second?.status).toEqual({ code: SpanStatusCode.UNSET });
  });

  test("have times that fit into each other, whatever the client's clock returns", async () => {
    const { spans } = instrumented();
    const mock = createMockService();
    mock.injectFault('initiatePayment', 'html-502');
    mock.injectFault('initiatePayment', { delayMs: 20 });
    const client = new InstallmentClient({ ...mock.clientOptions(), now: () => new Date(0) });
    const before = Date.now();
    await client.initiatePayment(samplePaymentRequest());

    const [call, ...attempts] = spans();
    if (!call) throw new Error('there is no span');
    expect(startOf(call)).toBeGreaterThanOrEqual(before);
    let previous = startOf(call);
    for (const attempt of attempts) {
      expect(startOf(attempt)).toBeGreaterThanOrEqual(previous);
      previous = endOf(attempt);
    }
    expect(attempts).toHaveLength(2);
    expect(previous).toBeLessThanOrEqual(endOf(call));
    expect(endOf(call)).toBeLessThanOrEqual(Date.now() + 1);
  });

  test('do not include attempts if they are switched off', async () => {
    const { spans } = instrumented({ attemptSpans: false });
    await demoClient({ fetch: losingOne() }).initiatePayment(paymentRequest());
    expect(spans().map(({ name }) => name)).toEqual(['installment.initiatePayment']);
  });
});

describe('the span of a call that fails', () => {
  test("contains the code, the outcome and the service's status", async () => {
    const { spans } = instrumented();
    const { fetch } = answering({ resultStatus: 'INVALID_AMOUNT' });
    await rejection(demoClient({ fetch }).initiatePayment(paymentRequest()));

    const [call, attempt] = spans();
    const failure = {
      'error.type': 'INVALID_AMOUNT',
      'installment.outcome': 'rejected',
      'installment.result_status': 'INVALID_AMOUNT',
    };
    expect(call?.attributes).toEqual({ 'installment.operation': 'initiatePayment', ...failure });
    expect(call?.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(attempt?.attributes).toMatchObject({ ...failure, 'http.response.status_code': 200 });
    expect(attempt?.status.code).toBe(SpanStatusCode.ERROR);
  });

  test('does not quote a status that is not documented', async () => {
    const { spans } = instrumented();
    const { fetch } = answering({ resultStatus: 'STATUS_OF_NGUYEN' });
    await rejection(demoClient({ fetch }).initiatePayment(paymentRequest()));

    expect(exportedText(spans())).not.toContain('NGUYEN');
    const shown = { 'error.type': 'UNKNOWN_RESULT', 'installment.result_status': '_OTHER' };
    expect(spans().map(({ attributes }) => attributes)).toEqual([
      expect.objectContaining(shown),
      expect.objectContaining(shown),
    ]);
  });
});

describe('every operation', () => {
  test('has a span: upload and lender’s notification', async () => {
    const { spans } = instrumented();
    const { fetch } = answering({ resultStatus: 'APPROVED' });
    await demoClient({ fetch }).uploadInvoice(invoiceUpload());
    const lender = new LenderClient(
      { baseUrl: 'http://[::1]:8080/in', lenderCode: 'L', serviceApplicationId: 'A', fetch },
      instantRuntime(),
    );
    await lender.notifyPaymentReceipt(receipt());

    const [upload, uploaded, notification, notified] = spans();
    expect(upload?.name).toBe('installment.uploadInvoice');
    expect(uploaded?.attributes['url.full']).toBe('https://pay.example/v2/payments/upload-invoice');
    expect(notification?.attributes).toEqual({
      'installment.operation': 'paymentReceipt',
      'installment.outcome': 'accepted',
    });
    expect(notified?.attributes).toMatchObject({ 'server.address': '::1', 'server.port': 8080 });
  });

  test('has a span: post, without its path', async () => {
    const { spans } = instrumented();
    const { fetch } = answering({ state: 'paid' });
    const path = '/v2/orders/of-nguyen?phone=0901234567';
    await demoClient({ fetch }).post(path, { referenceId: 'O-1' }, { referenceId: 'O-1' });

    expect(spans().map(({ name }) => name)).toEqual(['installment.post', 'POST']);
    expect(spans()[1]?.attributes).toEqual({
      ...clientOf,
      'http.response.status_code': 200,
      'installment.operation': 'post',
      'installment.outcome': 'accepted',
    });
    expect(exportedText(spans())).not.toMatch(/nguyen|0901234567|O-1/);
  });
});

describe('includeReference', () => {
  test('adds the merchant’s reference to the span of the call', async () => {
    const { spans } = instrumented({ includeReference: true });
    const { fetch } = answering(approvedPayment());
    await demoClient({ fetch }).initiatePayment(paymentRequest());
    const [call, attempt] = spans();
    expect(call?.attributes['installment.reference_id']).toBe('ORDER:2026-0001');
    expect(JSON.stringify(attempt?.attributes)).not.toContain('ORDER');
  });

  test('adds the identifiers of the lender', async () => {
    const { spans } = instrumented({ includeReference: true });
    const { fetch } = answering({});
    const lender = new LenderClient({
      baseUrl: 'https://pay.example',
      lenderCode: 'L',
      serviceApplicationId: 'A',
      fetch,
    });
    await lender.notifyPaymentReceipt(receipt({ requestId: 'R-1', lenderTransactionCode: 'LTC-9' }));
    expect(spans()[0]?.attributes).toMatchObject({
      'installment.lender_transaction_code': 'LTC-9',
      'installment.request_id': 'R-1',
    });
  });
});

describe('the context', () => {
  test("is active wherever the caller's code runs, before and after a wait", async () => {
    const { spans, tracerProvider } = instrumented();
    const seen: [where: string, span: string | undefined][] = [];
    const see = (where: string) => {
      seen.push([where, trace.getActiveSpan()?.spanContext().spanId]);
    };
    const fetch = losingOne();
    const client = demoClient({
      fetch: (...request) => {
        see('fetch');
        return fetch(...request);
      },
      hooks: { beforeSend: () => see('beforeSend'), onAttempt: () => see('onAttempt') },
      logger: {
        debug: () => see('log'),
        info: () => see('log'),
        warn: () => see('log'),
        error: () => see('log'),
      },
      logLevel: 'debug',
    });
    const tracer = tracerProvider.getTracer('shop');
    await tracer.startActiveSpan('checkout', async (checkout) => {
      await client.initiatePayment(paymentRequest());
      expect(trace.getActiveSpan()).toBe(checkout);
      checkout.end();
    });

    const checkout = spans().find(({ name }) => name === 'checkout');
    const call = spans().find(({ name }) => name === 'installment.initiatePayment');
    expect(call?.parentSpanContext?.spanId).toBe(checkout?.spanContext().spanId);
    expect(seen.map(([where]) => where)).toEqual(expect.arrayContaining(['beforeSend', 'onAttempt', 'log']));
    expect(seen.filter(([where]) => where === 'fetch')).toHaveLength(2);
    expect(new Set(seen.map(([, span]) => span))).toEqual(new Set([call?.spanContext().spanId]));
  });

  test('is separate for simultaneous calls', async () => {
    const { spans } = instrumented();
    const active = new Map<string, string | undefined>();
    const { fetch } = scriptedFetch(async ({ headers }) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      active.set(headers.get('idempotency-key') ?? '', trace.getActiveSpan()?.spanContext().spanId);
      return Response.json(approvedPayment());
    });
    const client = new InstallmentClient({ ...demo, fetch });
    const keys = Array.from({ length: 20 }, (_, index) => `k${index}`);
    await Promise.all(
      keys.map((idempotencyKey) => client.initiatePayment(paymentRequest(), { idempotencyKey })),
    );

    expect(new Set(active.values()).size).toBe(20);
    expect(spans()).toHaveLength(40);
    expect(trace.getActiveSpan()).toBeUndefined();
  });
});

describe('instrument', () => {
  const pay = () => demoClient({ fetch: losingOne() }).initiatePayment(paymentRequest());

  test('called twice records once, and the first returned function has no effect', async () => {
    const { spans, undo } = instrumented();
    const later = memorySdk();
    const undoLater = instrument({ tracerProvider: later.tracerProvider });
    await pay();
    undo();
    await pay();
    expect(spans()).toHaveLength(0);
    expect(later.spans()).toHaveLength(6);
    undoLater();
    undoLater();
    await pay();
    expect(later.spans()).toHaveLength(6);
  });

  test('that is undone during a call ends the spans of that call', async () => {
    const { spans, undo } = instrumented();
    const answers = inTurn(reset, () => Response.json(approvedPayment()));
    const fetch: Fetch = (...request) => {
      undo();
      return answers.fetch(...request);
    };
    const client = demoClient({ fetch });
    await client.initiatePayment(paymentRequest());
    await client.initiatePayment(paymentRequest());
    expect(spans().map(({ name }) => name)).toEqual(['installment.initiatePayment', 'POST', 'POST']);
  });

  test('uses the global providers, even if they are registered later', async () => {
    const { spans, tracerProvider } = instrumented({ tracerProvider: undefined, meterProvider: undefined });
    await pay();
    expect(spans()).toHaveLength(0);
    trace.setGlobalTracerProvider(tracerProvider);
    await pay();
    expect(spans()).toHaveLength(3);
  });

  test.each<readonly [unknown, string]>([
    [{ attemptSpan: false }, 'attemptSpan is an unknown option: did you mean attemptSpans?'],
    [{ attemptSpans: 'no' }, 'attemptSpans must be true or false; got a string'],
    [{ includeReference: 1 }, 'includeReference must be true or false; got a number'],
    [{ tracerProvider: {} }, 'tracerProvider must be a provider with the method getTracer'],
    [{ meterProvider: null }, 'meterProvider must be a provider with the method getMeter'],
    [null, 'options must be an object'],
  ])('refuses the options %j by name', (options, message) => {
    const error = thrownBy(() => instrument(options as InstrumentOptions));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ message });
  });
});
