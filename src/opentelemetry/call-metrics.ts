import { metrics, type Context, type MeterProvider } from '@opentelemetry/api';
import type { CallMessage } from '../http/diagnostics.js';
import { version } from '../version.js';
import { attemptsOf, outcomeOf } from './attributes.js';

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
export function callMetrics(
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
