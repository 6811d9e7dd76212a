import { metrics } from '@opentelemetry/api';
import { afterEach, expect, test } from 'vitest';
import { instrument } from '../../src/entries/opentelemetry.js';
import { version } from '../../src/version.js';
import { approvedPayment, demoClient, paymentRequest, rejection } from '../helpers/samples.js';
import { answering, scriptedFetch } from '../helpers/scripted-fetch.js';
import { instrumented, memorySdk } from './support.js';

afterEach(() => {
  metrics.disable();
});

test('each call is counted once, by operation and outcome, with its duration and attempts', async () => {
  const { histograms } = instrumented();
  const { fetch } = scriptedFetch((_request, index) => {
    if (index === 0) throw Object.assign(new Error('x'), { code: 'ECONNRESET' });
    return Response.json(index < 6 ? approvedPayment() : { resultStatus: `NEW_${index}` });
  });
  const client = demoClient({ fetch });
  for (let call = 0; call < 2; call++) await client.initiatePayment(paymentRequest());
  for (let call = 0; call < 3; call++) await client.post(`/v2/own/${call}`, { call });
  for (let call = 0; call < 3; call++) await rejection(client.initiatePayment(paymentRequest()));
  await rejection(client.initiatePayment(paymentRequest({ amount: { value: -1 } })));

  const [duration, attempts, ...more] = await histograms();
  expect(more).toEqual([]);
  expect(duration?.descriptor).toMatchObject({ name: 'installment.call.duration', unit: 's' });
  expect(attempts?.descriptor).toMatchObject({ name: 'installment.call.attempts', unit: '{attempt}' });
  const pointsOf = (histogram: typeof duration) =>
    histogram?.dataPoints.map(({ attributes, value }) => [attributes, value.count, value.sum]);
  const labels = (operation: string, outcome: string) => ({
    'installment.operation': operation,
    'installment.outcome': outcome,
  });
  expect(pointsOf(attempts)).toEqual([
    [labels('initiatePayment', 'accepted'), 2, 3],
    [labels('post', 'accepted'), 3, 3],
    [labels('initiatePayment', 'unknown'), 3, 3],
    [labels('initiatePayment', 'not_sent'), 1, 0],
  ]);
  expect(pointsOf(duration)?.map(([, count]) => count)).toEqual([2, 3, 3, 1]);
});

test('durations are in seconds, in buckets that reach the limit of a call', async () => {
  const { histograms } = instrumented();
  const { fetch } = scriptedFetch(async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return Response.json(approvedPayment());
  });
  await demoClient({ fetch }).initiatePayment(paymentRequest());

  const [duration] = await histograms();
  const { sum, buckets } = duration?.dataPoints[0]?.value ?? {};
  expect(sum).toBeGreaterThan(0.015);
  expect(sum).toBeLessThan(5);
  expect(buckets?.boundaries).toEqual([0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 45, 60]);
});

test('instruments have the name and version of the package, a description, and buckets for few attempts', async () => {
  const { histograms, spans } = instrumented();
  const { fetch } = answering(approvedPayment());
  await demoClient({ fetch }).initiatePayment(paymentRequest());

  const [duration, attempts] = await histograms();
  expect(duration?.descriptor.description).toBe(
    'Duration of a call, with all of its attempts and the waits between them',
  );
  expect(attempts?.descriptor.description).toBe('Number of attempts of a call');
  expect(attempts?.dataPoints[0]?.value.buckets.boundaries).toEqual([0, 1, 2, 3, 5, 10]);
  expect(spans().map(({ instrumentationScope }) => instrumentationScope)).toEqual(
    spans().map(() => expect.objectContaining({ name: 'installment-payments', version }) as unknown),
  );
});

test('a global provider that is registered after instrument is used', async () => {
  const { meterProvider, histograms } = memorySdk();
  const undo = instrument();
  const client = demoClient({ fetch: answering(approvedPayment()).fetch });
  await client.initiatePayment(paymentRequest());
  metrics.setGlobalMeterProvider(meterProvider);
  await client.initiatePayment(paymentRequest());
  undo();
  await client.initiatePayment(paymentRequest());

  const [duration] = await histograms();
  expect(duration?.dataPoints.map(({ value }) => value.count)).toEqual([1]);
});

test('metrics come from a meter with the name and version of the package', async () => {
  const { meterProvider } = memorySdk();
  const asked: unknown[] = [];
  instrumented({
    meterProvider: {
      getMeter(...scope) {
        asked.push(scope);
        return meterProvider.getMeter(...scope);
      },
    },
  });
  await demoClient({ fetch: answering(approvedPayment()).fetch }).initiatePayment(paymentRequest());

  expect(asked).toEqual([['installment-payments', version]]);
});
