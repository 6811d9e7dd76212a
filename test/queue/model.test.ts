import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InstallmentClient } from '../../src/index.js';
import { systemRuntime, type Runtime } from '../../src/http/runtime.js';
import { createMockService, samplePaymentRequest, type MockService } from '../../src/mock/index.js';
import { senderWith } from '../../src/queue/create-sender.js';
import {
  createJob,
  JobFailure,
  jobOutcome,
  type JobHistory,
  type JobStore,
  type NewJob,
  type SenderOptions,
} from '../../src/queue/index.js';
import { systemError } from '../faults/detours.js';
import { files } from '../helpers/samples.js';
import { runs } from '../helpers/seed.js';

/** Where a run can be suspended for longer than its claim; for ever, if it was killed. */
const steps = ['claimed', 'marked', 'arrived', 'acted', 'answered', 'kept'] as const;
type Step = (typeof steps)[number];

/** How the network and the service answer a request. */
const answers = ['accepted', 'refused', 'rejected', 'throttled', 'lost'] as const;
type Answer = (typeof answers)[number];

const claimMs = 60_000;

/** A row of a merchant's own, of which a claim gives one run the ownership for a minute. */
class Row {
  history: JobHistory | null = null;
  isEnded = false;
  #claims = 0;

  claim(at: (step: Step) => Promise<void>, clock: { nowMs: number }): JobStore {
    const claim = (this.#claims += 1);
    const store = (known: JobHistory) => {
      if (claim !== this.#claims) return false;
      this.history = JSON.parse(JSON.stringify(known)) as JobHistory;
      return true;
    };
    return {
      history: this.history,
      mark: async (known) => {
        const until = new Date(clock.nowMs + claimMs);
        await at('claimed');
        const isOwner = store(known);
        await at('marked');
        return isOwner && until;
      },
      keep: async (known) => {
        await at('answered');
        store(known);
        await at('kept');
      },
    };
  }
}

/** An order at a service, whose payment or upload is sent by runs that are killed, suspended and woken. */
class Order {
  readonly clock = { nowMs: Date.parse('2026-11-20T03:00:00Z') };
  readonly mock: MockService;
  row = new Row();
  rejected: readonly string[] = [];
  references = ['ORDER-1'];
  #acted: string[] = [];

  constructor(
    private readonly what: 'payment' | 'upload',
    repeat: 'replay' | 'duplicate' | 'invalid',
  ) {
    this.mock = createMockService({ uploads: 'any', world: { repeat } });
  }

  get reference(): string {
    return this.references.at(-1) ?? '';
  }

  get job(): NewJob {
    const referenceId = this.reference;
    return this.what === 'payment'
      ? { operation: 'initiatePayment', request: samplePaymentRequest({ referenceId }) }
      : { operation: 'uploadInvoice', request: { referenceId }, file: 'a.pdf' };
  }

  /** Payments, or files that were stored. */
  get made(): number {
    return this.what === 'payment' ? this.mock.payments.all().length : this.#acted.length;
  }

  #clientWith(answer: Answer, at: (step: Step) => Promise<void>): SenderOptions['client'] {
    const fetch = async (input: string | URL, init?: RequestInit) => {
      if (answer === 'refused')
        throw new TypeError('fetch failed', { cause: systemError('ECONNREFUSED', 'connect') });
      await at('arrived');
      if (answer === 'throttled')
        return new Response('{}', { status: 429, headers: { 'Content-Length': '2' } });
      if (answer === 'rejected')
        return Response.json({ resultStatus: 'INVALID_REQUEST', resultMsg: 'no' }, { status: 400 });
      const response = await this.mock.fetch(input, init);
      const { resultStatus } = (await response.clone().json()) as { resultStatus: string };
      if (resultStatus === 'APPROVED') this.#acted = [...this.#acted, this.reference];
      await at('acted');
      if (answer === 'lost')
        throw new TypeError('fetch failed', { cause: systemError('ECONNRESET', 'read') });
      return response;
    };
    const { clock } = this;
    // Limits are tested elsewhere. A timer of a run that was killed would outlive its test.
    const runtime: Runtime = {
      ...systemRuntime,
      wallMs: () => clock.nowMs,
      monotonicMs: () => clock.nowMs,
      after: () => () => undefined,
    };
    return new InstallmentClient({ ...this.mock.clientOptions(), fetch, maxRetries: 0 }, runtime);
  }

  async #prepareUpload(): Promise<void> {
    if (this.what === 'payment' || this.mock.payments.all().length > 0) return;
    const client = new InstallmentClient(this.mock.clientOptions());
    await client.initiatePayment(samplePaymentRequest({ referenceId: this.reference }));
  }

  /** Runs the job, until it is suspended at a step. Returns what wakes it. */
  async run(answer: Answer, stopAt?: Step): Promise<() => Promise<void>> {
    await this.#prepareUpload();
    const { row } = this;
    let wake: () => void = () => undefined;
    const awake = new Promise<void>((resolve) => (wake = resolve));
    let stop: () => void = () => undefined;
    const stopped = new Promise<void>((resolve) => (stop = resolve));
    const at = async (step: Step) => {
      if (step !== stopAt) return;
      stop();
      await awake;
    };
    const { reference } = this;
    const client = this.#clientWith(answer, at);
    const { id, name, data } = createJob(this.job);
    const send = senderWith({ client, loadFile: () => files.pdf }, systemRuntime);
    const store = row.claim(at, this.clock);
    const run = send({ id, name, data }, store).then(
      () => void (row.isEnded = true),
      (error: unknown) => {
        if (!(error instanceof JobFailure)) throw error;
        if (error.outcome === 'rejected') this.rejected = [...this.rejected, reference];
        if (error.isFinal) row.isEnded = true;
      },
    );
    await Promise.race([stopped, run]);
    // The claim of a run that does not go on ends, so that another run may have the job.
    if (stopAt) this.clock.nowMs += claimMs + 1;
    return () => {
      wake();
      return run;
    };
  }

  /** A person waits, looks the order up, and starts again where the service has nothing. */
  conclude(): void {
    this.clock.nowMs += 3 * claimMs;
    if (this.made > 0) return;
    this.row = new Row();
    if (this.what === 'payment')
      this.references = [...this.references, `ORDER-${String(this.references.length + 1)}`];
  }
}

const event = fc.oneof(
  fc.record({ does: fc.constant('run' as const), answer: fc.constantFrom(...answers) }),
  fc.record({
    does: fc.constant('suspend' as const),
    answer: fc.constantFrom(...answers),
    step: fc.constantFrom(...steps),
  }),
  fc.record({ does: fc.constant('wake' as const) }),
  fc.record({ does: fc.constant('conclude' as const) }),
);

test.each([
  ['payment', 'replay'],
  ['payment', 'duplicate'],
  ['payment', 'invalid'],
  ['upload', 'replay'],
] as const)(
  'whatever happens to its runs, a %s is made once and never falsely rejected, where a repeat is answered by %s',
  { timeout: 60_000 },
  async (what, repeat) => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 8 }), async (events) => {
        const order = new Order(what, repeat);
        const sleepers: (() => Promise<void>)[] = [];
        for (const each of events) {
          if (each.does === 'wake') await sleepers.shift()?.();
          else if (each.does === 'conclude') order.conclude();
          else if (!order.row.isEnded) {
            const wake = await order.run(each.answer, each.does === 'suspend' ? each.step : undefined);
            if (each.does === 'suspend') sleepers.push(wake);
          }
        }
        while (!order.row.isEnded) await order.run('accepted');
        for (const wake of sleepers) await wake();

        expect(order.made).toBeLessThanOrEqual(1);
        if (jobOutcome(order.row.history) === 'accepted') expect(order.made).toBe(1);
        const exists = (reference: string) =>
          what === 'upload' ? order.made > 0 : order.mock.payments.get(reference) !== undefined;
        // A run that was refused before another one was accepted said the truth then.
        const outcome = jobOutcome(order.row.history);
        if (outcome === 'rejected') expect(exists(order.reference)).toBe(false);
      }),
      { numRuns: runs(60) },
    );
  },
);

/** The steps of the guide's table at which a run is killed, in its order, and where the model stops the run. */
const table: readonly Step[] = [
  'claimed',
  'claimed',
  'marked',
  'marked',
  'arrived',
  'acted',
  'answered',
  'kept',
];
const guide = readFileSync(new URL('../../docs/many-machines.md', import.meta.url), 'utf8');
const [, rows = ''] = /\n\| a run is killed when .*\n.*\n((?:\|.*\n)+)/.exec(guide) ?? [];

test('a run that is killed leaves the marker of the guide’s table, and the next run ends as it says', async () => {
  const markers = [...rows.matchAll(/^\|[^|]+\| (\w+)/gm)].map(([, marker]) => marker);
  expect(markers).toHaveLength(table.length);
  for (const [index, step] of table.entries()) {
    for (const what of ['payment', 'upload'] as const) {
      const order = new Order(what, 'replay');
      await order.run('accepted', step);
      const left = jobOutcome(order.row.history);
      expect([step, left]).toEqual([
        step,
        { none: 'pending', new: 'unknown' }[markers[index] ?? ''] ?? 'accepted',
      ]);

      await order.run('accepted');
      const isLookedUp = what === 'upload' && left === 'unknown';
      expect(jobOutcome(order.row.history)).toBe(isLookedUp ? 'unknown' : 'accepted');
      expect(order.made).toBeLessThanOrEqual(1);
    }
  }
});
