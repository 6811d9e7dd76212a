import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scenario } from '../../../src/entries/mock.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { createdIn, type Created } from '../../../src/workbench/probe/judge/created.js';
import type { ObservationId } from '../../../src/workbench/probe/judge/observations.js';
import { ask, askMock, valuesOf } from '../../workbench/probe/ask-service.js';
import { runs, seed } from '../../helpers/seed.js';
import { knownSecrets } from '../../helpers/request-watch.js';
import {
  serverNames,
  startServer,
  type Combination,
  type Server,
  type ServerName,
} from './servers/start-server.js';

const seeds = 200;
const secrets = { utf8: 'khoá-bí-mật', hex: '00ff6b6579', base64: 'AP9rZXkh+/8=' };
for (const secret of Object.values(secrets)) knownSecrets.add(secret);

const repeats = ['replay', 'duplicate', 'invalid', 'conflict', 'processing', 'busy', 'another'] as const;
const wire = {
  signatureEncoding: fc.constantFrom('hex', 'hex-upper', 'base64', 'base64url'),
  secretKeyEncoding: fc.constantFrom('utf8', 'hex', 'base64'),
  absentFields: fc.constantFrom('empty', 'omit'),
} as const;
const answers = {
  repeat: fc.constantFrom(...repeats),
  firstResponse: fc.constantFrom('approved', 'processing'),
  // The kinds are those that a probe gets. An object with only other kinds looks like 200.
  refusals: fc.constantFrom<Scenario['refusals'][]>(
    200,
    'by-kind',
    { INVALID_SIGNATURE: 418 },
    { INVALID_REQUEST: 299, INVALID_CLIENT_ID: 401 },
    { INVALID_SIGNATURE: 401, INVALID_REQUEST: 400, INVALID_CLIENT_ID: 200, DUPLICATE_REFERENCE_ID: 400 },
  ),
} as const;

/** The values that were seen and differ from those of the service. */
function wrongIn(values: Readonly<Record<string, unknown>>, own: Readonly<Record<string, unknown>>) {
  return Object.entries(own).flatMap(([id, value]) => {
    const found = values[id];
    return found === undefined || found === value
      ? []
      : [`${id}: ${JSON.stringify(found)}, and it is ${JSON.stringify(value)}`];
  });
}

/** The observations that cannot be seen in a scenario without network faults. */
function hiddenFactsOf(
  { repeat, firstResponse }: Pick<Scenario, 'repeat' | 'firstResponse'>,
  uploads: string,
): string[] {
  // If each repeat creates a payment, no second payment is requested with another offset.
  const hidden = repeat === 'another' ? ['request-time-offset'] : [];
  if (firstResponse === 'approved' || repeat === 'replay' || repeat === 'busy') return hidden;
  // The link of a payment is never returned. Without a duplicate, a refused upload shows nothing.
  if (uploads !== 'any' && repeat !== 'duplicate') hidden.push('uploads-before-payment');
  // If every response is REQUEST_PROCESSING, each can belong to another payment.
  const isEquivalent = repeat === 'processing' || repeat === 'another';
  return [...hidden, ...(isEquivalent ? ['repeat', 'request-time-offset'] : [])];
}

test('a mock with random values is recognised, or not seen behind network faults, and the observations make a mock that is recognised in the same way', async () => {
  const scenario = {
    ...answers,
    responses: fc.constantFrom('full', 'sparse', 'extra'),
    network: fc.constantFrom(
      'ok',
      'ok',
      'slow',
      'lost-response',
      'gateway',
      'rate-limited',
      'outage',
      'redirect',
    ),
  } as const;
  const options = fc.record({
    wire: fc.record(wire),
    scenario: fc.record(scenario),
    uploads: fc.constantFrom('paid' as const, 'any' as const),
  });
  await fc.assert(
    fc.asyncProperty(options, async (given) => {
      const first = await askMock(given);
      const expected = valuesOf(given);
      expect(wrongIn(first.values, expected)).toEqual([]);
      if (!['ok', 'slow'].includes(given.scenario.network)) return;
      const hidden = hiddenFactsOf(given.scenario, given.uploads);
      const shown = Object.entries(expected).filter(([id]) => !hidden.includes(id));
      expect(first.values).toMatchObject(Object.fromEntries(shown));
      const second = await askMock(first.options.mock);
      expect(second.options).toEqual(first.options);
    }),
    { numRuns: runs(seeds) },
  );
}, 120_000);

const wordsInFlight = {
  replay: 'APPROVED, the same link',
  duplicate: 'DUPLICATE_REFERENCE_ID',
  invalid: 'INVALID_REQUEST',
  conflict: 'HTTP 409',
  processing: 'REQUEST_PROCESSING',
  busy: 'REQUEST_PROCESSING',
  another: 'APPROVED, another link',
} as const;

const combinations: fc.Arbitrary<Combination> = fc
  .record({
    ...wire,
    ...answers,
    clientId: fc.constant('PROBE-CLIENT'),
    exactBytes: fc.boolean(),
    requestTimeOffset: fc.constantFrom('any', '+07:00', '+00:00', '+08:00', '-03:30'),
    repeatInFlight: fc.constantFrom(...repeats),
    uploadsBeforePayment: fc.constantFrom('refused', 'accepted'),
    contentEncoding: fc.constantFrom('identity', 'gzip', 'br', 'deflate'),
    duplicatesFirst: fc.boolean(),
    seed: fc.nat(1_000_000),
    workMs: fc.constant(800),
  })
  .map((each) => ({ ...each, secretKey: secrets[each.secretKeyEncoding] }));

// Several of each run at the same time, because they mostly wait for a busy service.
const copies = 4;
const servers: { readonly name: string; readonly server: Server }[] = [];

beforeAll(async () => {
  const [first] = fc.sample(combinations, { seed, numRuns: 1 });
  if (!first) throw new Error('no combination');
  // Each server is recorded as soon as it runs, so that it is stopped whatever happens to the other servers.
  const begin = async (name: ServerName) => servers.push({ name, server: await startServer(name, first) });
  await Promise.all(Array.from({ length: copies }, () => serverNames.map(begin)).flat());
}, 60_000);
afterAll(() => Promise.all(servers.map(({ server }) => server.stop())));

function ownValues(given: Combination): Record<ObservationId, unknown> {
  return {
    'signature-encoding': given.signatureEncoding,
    'secret-key-encoding': given.secretKeyEncoding,
    'exact-bytes': given.exactBytes,
    'absent-fields': given.absentFields,
    'request-time-offset': given.requestTimeOffset,
    repeat: given.repeat,
    'repeat-in-flight': wordsInFlight[given.repeatInFlight],
    'first-response': given.firstResponse,
    refusals: typeof given.refusals === 'object' ? 'other' : given.refusals,
    'uploads-before-payment': given.uploadsBeforePayment,
  };
}

test('no value of three independent services with random behaviour is recognised wrongly, and everything that they create is listed', async () => {
  const left = fc.sample(combinations, { seed, numRuns: runs(seeds) }).entries();
  const seen: ObservationId[] = [];
  /** The network faults of the server that has them. */
  const faults = new Set<unknown>();
  await Promise.all(
    servers.map(async ({ name, server }) => {
      for (const [number, given] of left) {
        await server.configure(given);
        const { clientId, secretKey } = given;
        // Waits are real here, because the clocks of the services are real.
        const clock = { now: () => new Date(), elapsedMs: () => performance.now(), wait: sleep };
        const { values, transcript, why } = await ask({ baseUrl: server.url, clientId, secretKey }, clock);
        const about = `TEST_SEED=${seed}, combination ${number}, ${name}, ${String(why)}: ${JSON.stringify(given)}`;
        expect(wrongIn(values, ownValues(given)), about).toEqual([]);
        if (name === 'rough')
          for (const { lost, response } of transcript)
            faults.add(lost === undefined ? response?.httpStatus : 'lost');
        seen.push(...(Object.keys(values) as ObservationId[]).filter((id) => values[id] !== undefined));
        const count = await server.count();
        const { payments, invoices } = createdIn(transcript);
        const certain = (all: readonly Created[]) => all.filter(({ isCertain }) => isCertain).length;
        expect(count.payments, about).toBeGreaterThanOrEqual(certain(payments));
        expect(payments.length, about).toBeGreaterThanOrEqual(Math.min(count.payments, 1));
        expect(invoices.length, about).toBeGreaterThanOrEqual(Math.min(count.invoices, 1));
        expect(count.invoices, about).toBeGreaterThanOrEqual(certain(invoices));
        expect(count.followed ?? 0, about).toBe(0);
      }
    }),
  );
  // A probe must not pass by seeing nothing, so this counts how many probes have seen each value.
  const ids = [...new Set(seen)];
  const counts = ids.map((id) => `${id} ${seen.filter((each) => each === id).length}`);
  expect(ids, counts.join(', ')).toHaveLength(10);
  expect(seen.length, counts.join(', ')).toBeGreaterThan(5 * runs(seeds));
}, 300_000);
