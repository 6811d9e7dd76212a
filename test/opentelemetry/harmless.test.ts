import type { Meter, MeterProvider, Tracer, TracerProvider } from '@opentelemetry/api';
import { NodeTracerProvider, SimpleSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-node';
import { describe, expect, test } from 'vitest';
import { approvedPayment, demoClient, paymentRequest, rejection } from '../helpers/samples.js';
import { inTurn, reset } from '../helpers/scripted-failures.js';
import { instrumented, memorySdk } from './support.js';

/** A copy of an object with one method that throws. */
function failingAt<T extends object>(target: T, method: keyof T): T {
  return new Proxy(target, {
    get(_target, name) {
      if (name === method) {
        return () => {
          throw new Error(`${String(method)} is broken`);
        };
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function tracerOf(tracer: Tracer): TracerProvider {
  return { getTracer: () => tracer };
}

function meterOf(meter: Meter): MeterProvider {
  return { getMeter: () => meter };
}

const sdk = memorySdk();
const tracer = sdk.tracerProvider.getTracer('x');
const meter = sdk.meterProvider.getMeter('x');

/** A tracer whose spans fail at one method. */
function spansFailingAt(method: 'setAttributes' | 'setStatus' | 'end' | 'spanContext'): TracerProvider {
  const broken = failingAt(tracer, 'startSpan');
  return tracerOf(
    new Proxy(broken, {
      get: () => (name: string) => failingAt(tracer.startSpan(name), method),
    }),
  );
}

/** A payment with a lost response, and a payment that is refused; returns how often each was sent. */
async function outcomes() {
  const { fetch, requests } = inTurn(
    reset,
    () => Response.json(approvedPayment()),
    () => Response.json({ resultStatus: 'INVALID_AMOUNT' }),
  );
  const client = demoClient({ fetch });
  const payment = await client.initiatePayment(paymentRequest());
  const error = await rejection(client.initiatePayment(paymentRequest()));
  return [payment.paymentUrl, payment.$metadata.attempts.length, String(error), requests.length];
}

const expected = await outcomes();

describe('a call is the same', () => {
  test.each<readonly [string, TracerProvider]>([
    ['getTracer', failingAt(sdk.tracerProvider as TracerProvider, 'getTracer')],
    ['startSpan', tracerOf(failingAt(tracer, 'startSpan'))],
    ['setAttributes', spansFailingAt('setAttributes')],
    ['setStatus', spansFailingAt('setStatus')],
    ['spanContext', spansFailingAt('spanContext')],
    ['end', spansFailingAt('end')],
  ])('if %s of a tracer throws, and metrics are still recorded', async (_method, tracerProvider) => {
    const { histograms } = instrumented({ tracerProvider });
    expect(await outcomes()).toEqual(expected);
    const [duration] = await histograms();
    expect(duration?.dataPoints.map(({ value }) => value.count)).toEqual([1, 1]);
  });

  test('if an exporter throws', async () => {
    const broken = failingAt(sdk.exporter as SpanExporter, 'export');
    const spanProcessors = [new SimpleSpanProcessor(broken)];
    const { histograms } = instrumented({ tracerProvider: new NodeTracerProvider({ spanProcessors }) });
    expect(await outcomes()).toEqual(expected);
    expect(await histograms()).toHaveLength(2);
  });

  test.each<readonly [string, MeterProvider]>([
    ['getMeter', failingAt(sdk.meterProvider as MeterProvider, 'getMeter')],
    ['createHistogram', meterOf(failingAt(meter, 'createHistogram'))],
    [
      'record',
      meterOf(
        new Proxy(meter, {
          get: () => (name: string) => failingAt(meter.createHistogram(name), 'record'),
        }),
      ),
    ],
  ])('if %s of a meter throws, and spans are still made', async (_method, meterProvider) => {
    const { spans } = instrumented({ meterProvider });
    expect(await outcomes()).toEqual(expected);
    expect(spans()).toHaveLength(5);
  });
});
