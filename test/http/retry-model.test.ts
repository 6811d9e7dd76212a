import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InstallmentClient, type Fetch, type Outcome } from '../../src/index.js';
import type { Runtime } from '../../src/http/runtime.js';
import { approvedPayment, demo, files, paymentRequest } from '../helpers/samples.js';
import { runs } from '../helpers/seed.js';
import { Timeline } from '../simulation/timeline.js';

/** The fate of one attempt. */
interface Met {
  readonly name: 'approved' | 'refused' | 'reset' | 'unavailable' | 'throttled' | 'invalid';
  /** Longer than any limit for an answer that never comes. */
  readonly takesMs: number;
  readonly retryAfterSeconds?: number | undefined;
}

/** The facts about each that the retry loop needs: its outcome, and whether it may pass. */
const facts: Readonly<Record<Met['name'] | 'timeout', readonly [Outcome, passes: boolean]>> = {
  approved: ['accepted', false],
  refused: ['not_sent', true],
  reset: ['unknown', true],
  unavailable: ['unknown', true],
  throttled: ['rejected', true],
  invalid: ['rejected', false],
  timeout: ['unknown', true],
};

const attemptMs = 15_000;
const totalMs = 45_000;
const worst: readonly Outcome[] = ['accepted', 'not_sent', 'rejected', 'unknown'];

interface Model {
  nowMs: number;
}

interface Real {
  readonly client: InstallmentClient;
  readonly timeline: Timeline;
  /** The fates of the next attempts. */
  readonly script: Met[];
  requests: number;
}

const page = '<html></html>';

function answerOf({ name, retryAfterSeconds }: Met, isUpload: boolean): Response {
  const headers: Record<string, string> = { 'content-length': String(page.length) };
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds);
  switch (name) {
    case 'unavailable':
      return new Response(page, { status: 503, headers });
    case 'throttled':
      return new Response(page, { status: 429, headers });
    case 'invalid':
      return Response.json({ resultStatus: 'INVALID_REQUEST' });
    default:
      return Response.json(isUpload ? { resultStatus: 'APPROVED' } : approvedPayment());
  }
}

function start(): Real {
  const timeline = new Timeline(1);
  const runtime: Runtime = {
    now: () => new Date(timeline.nowMs),
    wallMs: () => timeline.nowMs,
    monotonicMs: () => timeline.nowMs,
    after: (ms, work) => timeline.after(ms, work),
    random: () => 0.5,
    boundary: () => '----boundary',
  };
  const fetch: Fetch = async (url, init) => {
    real.requests += 1;
    const met = real.script.shift();
    if (!met) throw new Error('more attempts than were expected');
    if (met.name !== 'refused') await new Response(init?.body).arrayBuffer();
    await timeline.sleep(met.takesMs, init?.signal ?? undefined);
    const lost = { refused: ['ECONNREFUSED', 'connect'], reset: ['ECONNRESET', 'read'] };
    const [code, syscall] = Object.entries(lost).find(([name]) => name === met.name)?.[1] ?? [];
    if (code) throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code, syscall }) });
    return answerOf(met, String(url).endsWith('upload-invoice'));
  };
  const limits = { attemptTimeoutMs: attemptMs, totalTimeoutMs: totalMs };
  const client = new InstallmentClient({ ...demo, fetch, ...limits }, runtime);
  const real: Real = { client, timeline, script: [], requests: 0 };
  return real;
}

/** One call, with whatever its attempts meet. */
class MakeCall implements fc.AsyncCommand<Model, Real> {
  constructor(
    private readonly isUpload: boolean,
    private readonly maxRetries: number,
    private readonly weather: readonly Met[],
  ) {}

  check = () => true;

  /** The fate of an attempt; fair weather after the list. */
  #metBy(attempt: number): Met {
    return this.weather[attempt] ?? { name: 'approved', takesMs: 10 };
  }

  /** The rules of the loop: how many requests, for how long, and what is known then. */
  #expected(): { readonly requests: number; readonly tookMs: number; readonly outcome: Outcome } {
    let tookMs = 0;
    let outcome: Outcome = 'accepted';
    for (let retry = 0; ; retry++) {
      const end = { requests: retry + 1, tookMs, outcome };
      const { name, takesMs, retryAfterSeconds } = this.#metBy(retry);
      const limitMs = Math.min(attemptMs, totalMs - tookMs);
      const isLate = takesMs > limitMs;
      tookMs += isLate ? limitMs : takesMs;
      const [own, passes] = facts[isLate ? 'timeout' : name];
      if (own === 'accepted') return { ...end, tookMs, outcome: own };
      if (worst.indexOf(own) > worst.indexOf(outcome)) outcome = own;
      const over = { ...end, tookMs, outcome };
      if (retry === this.maxRetries || !passes || (this.isUpload && own === 'unknown')) return over;
      const isAnswered = !isLate && (name === 'unavailable' || name === 'throttled');
      const asked = isAnswered ? retryAfterSeconds : undefined;
      const waitMs = Math.max(250, asked === undefined ? 375 * 2 ** retry : asked * 1000);
      if (waitMs >= totalMs - tookMs || waitMs > 30_000) return over;
      tookMs += waitMs;
    }
  }

  async run(model: Model, real: Real): Promise<void> {
    const { client, timeline, script } = real;
    const expected = this.#expected();
    const startedMs = timeline.nowMs;
    real.requests = 0;
    script.splice(0, Infinity, ...Array.from({ length: 10 }, (_, index) => this.#metBy(index))); // prettier-ignore
    const options = { maxRetries: this.maxRetries };
    const call = this.isUpload
      ? client.uploadInvoice({ referenceId: 'ORDER:2026-0001', file: files.pdf }, options)
      : client.initiatePayment(paymentRequest(), options);
    let seen: { readonly outcome: Outcome; readonly tookMs: number } | undefined;
    const ended = (outcome: Outcome) => {
      seen = { outcome, tookMs: timeline.nowMs - startedMs };
    };
    call.then(
      () => ended('accepted'),
      (error: unknown) => ended((error as { outcome: Outcome }).outcome),
    );
    await timeline.runUntil(startedMs + totalMs + 1);
    model.nowMs = timeline.nowMs;
    expect({ requests: real.requests, ...seen }).toEqual(expected);
  }

  toString = () =>
    `${this.isUpload ? 'upload' : 'payment'} ${JSON.stringify([this.maxRetries, this.weather])}`;
}

const met = fc.record({
  name: fc.constantFrom('approved', 'refused', 'reset', 'unavailable', 'throttled', 'invalid'),
  takesMs: fc.constantFrom(10, 10, 10, 7_000, 14_000, 100_000),
  retryAfterSeconds: fc.option(fc.constantFrom(0, 1, 20, 31), { nil: undefined }),
}) satisfies fc.Arbitrary<Met>;

test('attempts, waits and the deadline are as in the model', async () => {
  const calls = fc
    .tuple(fc.boolean(), fc.nat(4), fc.array(met, { minLength: 1, maxLength: 5 }))
    .map((call) => new MakeCall(...call));
  await fc.assert(
    fc.asyncProperty(fc.commands([calls], { maxCommands: 12, size: 'max' }), async (commands) => {
      const real = start();
      await fc.asyncModelRun(() => ({ model: { nowMs: 0 }, real }), commands);
    }),
    { numRuns: runs(200) },
  );
});
