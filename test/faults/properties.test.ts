import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  InstallmentClient,
  isInstallmentError,
  type AnyInstallmentError,
  type Fetch,
  type PaymentResult,
} from '../../src/index.js';
import { LenderClient } from '../../src/lender/index.js';
import { createMockService, type MockService } from '../../src/mock/index.js';
import { instantRuntime, type ManualRuntime } from '../helpers/runtime.js';
import { demo, files, paymentRequest } from '../helpers/samples.js';
import { systemError } from './detours.js';

/** The network's faults for one request. `acts` says whether the service gets it. */
type Weather = (act: () => Promise<Response>, surroundings: Surroundings) => Promise<Response>;

interface Surroundings {
  readonly runtime: ManualRuntime;
  readonly controller: AbortController;
  /** The request has left, whether or not the service acts on it: its body is read. */
  readonly left: () => Promise<void>;
}

const broken = (cause: Error): Promise<never> => Promise.reject(new TypeError('fetch failed', { cause }));
const stalled = () => new Promise<never>(() => undefined);
const html = '<html></html>';
// With its length, so that the refusal is provably whole.
const page = (status: number, headers: Record<string, string> = {}) =>
  new Response(html, { status, headers: { ...headers, 'Content-Length': String(html.length) } });

/** The answer, of which only the first part arrives. */
async function cut(response: Response, share: number, clean: boolean): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const part = bytes.subarray(0, Math.floor(bytes.length * share));
  let sent = false;
  const body = new ReadableStream<Uint8Array>({
    pull(stream) {
      if (!sent && part.length > 0) stream.enqueue(part);
      else if (clean) stream.close();
      else stream.error(new TypeError('terminated', { cause: systemError('UND_ERR_SOCKET') }));
      sent = true;
    },
  });
  return new Response(body, { status: response.status });
}

/** Faults that strike before the service acts: what they say of it is true. */
const before: Readonly<Record<string, Weather>> = {
  refused: () => broken(systemError('ECONNREFUSED', 'connect')),
  'not found': () => broken(systemError('ENOTFOUND', 'getaddrinfo')),
  'forbidden by a proxy': async (_act, { left }) => {
    await left();
    return page(403);
  },
  throttled: async (_act, { left }) => {
    await left();
    return page(429, { 'Retry-After': '1' });
  },
};

/** Faults that may strike on either side of the service's acting, and do not tell on which. */
const around: Readonly<
  Record<string, (share: number) => (response: Response, surroundings: Surroundings) => Promise<Response>>
> = {
  reset: () => () => broken(systemError('ECONNRESET', 'read')),
  'bad gateway': () => () => Promise.resolve(page(502)),
  unavailable: () => () => Promise.resolve(page(503, { 'Retry-After': '2' })),
  redirect: () => () => Promise.resolve(page(307, { Location: 'https://other.example/' })),
  empty: () => () => Promise.resolve(new Response(null, { status: 204 })),
  cut: (share) => (response) => cut(response, share, false),
  'cut in good order': (share) => (response) => cut(response, share, true),
  'time-out':
    () =>
    (_response, { runtime }) => {
      setImmediate(() => {
        runtime.advance(15_000);
      });
      return stalled();
    },
  abort:
    () =>
    (_response, { controller }) => {
      setImmediate(() => {
        controller.abort();
      });
      return stalled();
    },
};

/** Its name tells what it was in the report of a counterexample. */
interface Struck {
  readonly name: string;
  readonly weather: Weather;
}

const clear: Struck = { name: 'clear', weather: (act, { left }) => left().then(act) };

const struckAround = fc
  .record({
    name: fc.constantFrom(...Object.keys(around)),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    acts: fc.boolean(),
  })
  .map(({ name, share, acts }): Struck => ({
    name: `${name} ${acts ? 'after' : 'before'} (${share.toFixed(2)})`,
    weather: async (act, surroundings) => {
      await surroundings.left();
      const answer = acts
        ? await act()
        : Response.json({ resultMsg: 'never completed, and approves of nothing' });
      return (around[name]?.(share) ?? stalled)(answer, surroundings);
    },
  }));
const struckBefore = fc
  .constantFrom(...Object.entries(before))
  .map(([name, weather]): Struck => ({ name, weather }));
const anyWeather = fc.oneof(
  { weight: 2, arbitrary: fc.constant(clear) },
  { weight: 2, arbitrary: struckBefore },
  { weight: 4, arbitrary: struckAround },
);
const forecast: fc.Arbitrary<readonly Struck[]> = fc.oneof(
  { weight: 3, arbitrary: fc.array(anyWeather, { maxLength: 4 }) },
  { weight: 1, arbitrary: anyWeather.map((struck) => [struck, struck, struck]) },
);

/** One call of a merchant or lender, what it was met with, and which order it is about. */
const aCall = fc.record({
  operation: fc.constantFrom(
    'initiatePayment',
    'initiatePayment',
    'uploadInvoice',
    'paymentReceipt',
    'repaymentAllocation',
  ),
  order: fc.nat(2),
  edition: fc.nat(1),
  forecast,
});
type ACall = typeof aCall extends fc.Arbitrary<infer T> ? T : never;

/** The result of one call, and the observations on the way. */
interface Outcome {
  readonly error?: AnyInstallmentError;
  readonly result?: unknown;
  readonly bodies: readonly string[];
  /** How many requests were made, with or without their body. */
  readonly requests: number;
}

async function make(call: ACall, mock: MockService): Promise<Outcome> {
  const runtime = instantRuntime();
  const controller = new AbortController();
  const bodies: string[] = [];
  let requests = 0;
  const queue = [...call.forecast];
  const fetch: Fetch = (input, init) => {
    requests++;
    const { signal: _signal, ...sent } = init ?? {};
    let body = Buffer.alloc(0);
    const left = async () => {
      const headers = { ...(init?.headers as Record<string, string>), 'Request-Time': '(fresh)' };
      body = Buffer.from(await new Response(init?.body).arrayBuffer());
      bodies.push(JSON.stringify(headers) + body.toString('latin1'));
    };
    const { weather } = queue.shift() ?? clear;
    return weather(() => mock.fetch(input, { ...sent, body }), { runtime, controller, left });
  };
  const { signal } = controller;
  try {
    const result = await perform(call, fetch, runtime, signal);
    return { result, bodies, requests };
  } catch (error) {
    if (!isInstallmentError(error)) throw error;
    return { error, bodies, requests };
  } finally {
    await nextTurn(); // an abort that was on its way belongs to this call
    expect(runtime.pending()).toEqual([]);
  }
}

const timestamp = '2026-11-20T10:04:05+0700';

function perform(
  { operation, order, edition }: ACall,
  fetch: Fetch,
  runtime: ManualRuntime,
  signal: AbortSignal,
): Promise<unknown> {
  const referenceId = `ORDER-${String(order)}`;
  // The last attempt has its whole limit too: a shorter one would pass at once here.
  const totalTimeoutMs = 60_000;
  const client = () => new InstallmentClient({ ...demo, fetch, totalTimeoutMs }, runtime);
  const lender = () =>
    new LenderClient(
      { baseUrl: demo.baseUrl, lenderCode: 'L', serviceApplicationId: 'A', fetch, totalTimeoutMs },
      runtime,
    );
  switch (operation) {
    case 'initiatePayment':
      return client().initiatePayment(
        paymentRequest({ referenceId, description: `Edition ${String(edition)}` }),
        { signal },
      );
    case 'uploadInvoice':
      return client().uploadInvoice({ referenceId, file: files.pdf }, { signal });
    case 'paymentReceipt':
      return lender().notifyPaymentReceipt(
        {
          contractNumber: 'C',
          lenderTransactionCode: referenceId,
          receivedAmount: 1 + edition,
          receivedDatetime: timestamp,
          receivedStatus: 'SUCCESS',
        },
        { signal },
      );
    default:
      return lender().notifyRepaymentAllocation(
        {
          contractNumber: 'C',
          requestId: `${referenceId}-${String(edition)}`,
          requestingDatetime: timestamp,
          repaymentTransactions: [
            {
              lenderTransactionCode: referenceId,
              allocationDatetime: timestamp,
              installmentNumber: 1,
              allocatedPrincipal: 1,
            },
          ],
        },
        { signal },
      );
  }
}

/** How much the service holds: nothing of it may come from a call that says it came to nothing. */
function holdings({ payments, invoices, receipts, allocations }: MockService): number {
  return [payments, invoices, receipts, allocations].reduce((sum, store) => sum + store.all().length, 0);
}

test('random faults in random order: an honest outcome, one payment for an order, and replays byte for byte', async () => {
  const seen = { result: 0, unknown: 0, rejected: 0, not_sent: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(aCall, { minLength: 1, maxLength: 4 }), async (calls) => {
      const mock = createMockService({ uploads: 'any' });
      for (const call of calls) {
        const held = holdings(mock);
        const { error, result, bodies, requests } = await make(call, mock);
        const gained = holdings(mock) - held;
        seen[error?.outcome ?? 'result']++;

        expect(new Set(bodies).size).toBeLessThanOrEqual(1);
        expect(gained).toBeLessThanOrEqual(1);
        if (error?.outcome === 'not_sent') expect(bodies).toEqual([]);
        if (error && error.outcome !== 'unknown') expect(gained).toBe(0);
        if (error) expect(requests).toBe(error.$metadata?.attempts.length);

        if (call.operation === 'initiatePayment') {
          const payment = mock.payments.get(`ORDER-${String(call.order)}`);
          if (result) expect((result as PaymentResult).paymentUrl).toBe(payment?.paymentUrl);
          // The answer does not tell whose payment it is.
          if (error?.code === 'DUPLICATE_REFERENCE_ID') expect(error.outcome).toBe('unknown');
        }
      }
      const references = mock.payments.all().map(({ referenceId }) => referenceId);
      expect(new Set(references).size).toBe(references.length);
    }),
    { numRuns: 700 },
  );
  // Every ending was reached, or the property would say little.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
}, 120_000);

test('whatever happened, the same request sent once more finds the payment', async () => {
  await fc.assert(
    fc.asyncProperty(forecast, async (struck) => {
      const mock = createMockService();
      const call: ACall = { operation: 'initiatePayment', order: 0, edition: 0, forecast: struck };
      const first = await make(call, mock);
      const stored = mock.payments.get('ORDER-0')?.paymentUrl;
      const again = await make({ ...call, forecast: [] }, mock);
      const { paymentUrl } = again.result as PaymentResult;
      expect(paymentUrl).toBe(stored ?? mock.payments.get('ORDER-0')?.paymentUrl);
      if (first.bodies.length > 0) expect(again.bodies).toEqual(first.bodies.slice(0, 1));
      expect(mock.payments.all()).toHaveLength(1);
    }),
    { numRuns: 200 },
  );
}, 60_000);
