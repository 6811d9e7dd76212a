import type { WireSwitches } from '../../../src/entries/index.js';
import {
  createMockService,
  samplePaymentRequest,
  type MockOptions,
  type Scenario,
} from '../../../src/entries/mock.js';
import { paymentRequestSchema } from '../../../src/protocol/payment-schema.js';
import {
  observationsOf,
  optionsOf,
  type ObservationId,
} from '../../../src/workbench/probe/judge/observations.js';
import type { Transcript } from '../../../src/workbench/probe/judge/transcript.js';
import type { ProbeTools } from '../../../src/workbench/probe/steps/probe-session.js';
import { probe } from '../../../src/workbench/probe/steps/run-probe.js';
import type { Sandbox } from '../../../src/workbench/probe/steps/requests.js';
import { send } from '../../../src/workbench/probe/steps/send.js';

export const order = paymentRequestSchema.parse({
  ...samplePaymentRequest(),
  merchantId: 'DEMO-MERCHANT',
  storeId: 'STORE-01',
  platformId: 'WEBSHOP',
});

/** A clock on which waiting needs no real time. */
function skippingClock() {
  let skippedMs = 0;
  return {
    now: () => new Date(Date.now() + skippedMs),
    elapsedMs: () => performance.now() + skippedMs,
    wait: (milliseconds: number) => {
      skippedMs += milliseconds;
      return Promise.resolve();
    },
  };
}

/** Probes a service. */
export async function ask(sandbox: Partial<Sandbox>, tools: Partial<ProbeTools> = {}) {
  let transcript: Transcript = [];
  const whole = {
    baseUrl: 'http://127.0.0.1:1',
    clientId: 'demo-client',
    secretKey: 'demo-secret',
    merchantId: 'DEMO-MERCHANT',
    order,
    ...sandbox,
  };
  const why = await probe(whole, {
    send,
    ...skippingClock(),
    signal: new AbortController().signal,
    ...tools,
    onAttempt: async (attempts) => {
      transcript = [...attempts];
      await tools.onAttempt?.(attempts);
    },
  });
  const observations = observationsOf(transcript);
  const values = Object.fromEntries(observations.map(({ id, value }) => [id, value])) as Record<
    ObservationId,
    unknown
  >;
  return { why, transcript, observations, values, options: optionsOf(observations) };
}

/** A clock on which only waiting takes time: a request takes none, however busy the machine is. */
function standingClock() {
  const startMs = Date.now();
  let passedMs = 0;
  return {
    now: () => new Date(startMs + passedMs),
    elapsedMs: () => passedMs,
    wait: (milliseconds: number) => {
      passedMs += milliseconds;
      return Promise.resolve();
    },
  };
}

/** Probes a mock with these options, whose clock is that of the probe. */
export async function askMock(options: MockOptions, tools: Partial<ProbeTools> = {}) {
  const clock = standingClock();
  const mock = createMockService({ ...options, now: clock.now, delay: clock.wait });
  await using server = await mock.listen();
  const { clientId, secretKey, merchantId, storeId } = mock.clientOptions();
  const asked = await ask(
    { baseUrl: server.url, clientId, secretKey, merchantId, storeId },
    { ...clock, ...tools },
  );
  return { ...asked, mock };
}

/** The values that a probe must observe of a mock, if it observes them. */
export function valuesOf({
  wire = {},
  scenario = {},
  uploads = 'paid',
}: {
  readonly wire?: WireSwitches;
  readonly scenario?: Partial<Scenario>;
  readonly uploads?: 'paid' | 'any';
}) {
  const { refusals = 200 } = scenario;
  return {
    'signature-encoding': wire.signatureEncoding ?? 'hex',
    'secret-key-encoding': wire.secretKeyEncoding ?? 'utf8',
    'exact-bytes': true,
    'absent-fields': wire.absentFields ?? 'empty',
    // The mock accepts any offset, because the specification does not limit the age of a request.
    'request-time-offset': 'any',
    repeat: scenario.repeat ?? 'replay',
    'first-response': scenario.firstResponse ?? 'approved',
    refusals: typeof refusals === 'object' ? 'other' : refusals,
    'uploads-before-payment': uploads === 'any' ? 'accepted' : 'refused',
  } satisfies Partial<Record<ObservationId, unknown>>;
}
