import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { InstallmentClient } from '../../src/index.js';
import { systemRuntime } from '../../src/http/runtime.js';
import { createMockService, samplePaymentRequest } from '../../src/mock/index.js';
import {
  createJob,
  createSender,
  jobOutcome,
  type JobHistory,
  type JobStore,
  type NewJob,
} from '../../src/queue/index.js';
import { files } from '../helpers/samples.js';

/** Where a run can be killed. */
type Step = 'claimed' | 'marked' | 'arrived' | 'acted' | 'answered' | 'kept';

const request = samplePaymentRequest();
const { referenceId } = request;
const jobs: Readonly<Record<'payment' | 'upload', NewJob>> = {
  payment: { operation: 'initiatePayment', request },
  upload: { operation: 'uploadInvoice', request: { referenceId }, file: 'a.pdf' },
};

// A timer of a run that was killed would outlive its test.
const runtime = { ...systemRuntime, after: () => () => undefined };

/** A job in a row of a merchant's own, and the service that it is sent to. */
class Row {
  history: JobHistory | null = null;
  acted = 0;
  readonly #mock = createMockService({ uploads: 'any' });

  constructor(private readonly what: keyof typeof jobs) {}

  /** Runs the job. A run that is killed at a step goes no further. */
  async run(killedAt?: Step): Promise<void> {
    if (this.what === 'upload')
      await new InstallmentClient(this.#mock.clientOptions()).initiatePayment(request).catch(() => undefined);
    let kill: () => void = () => undefined;
    const killed = new Promise<void>((resolve) => (kill = resolve));
    const at = (step: Step) => {
      if (step !== killedAt) return Promise.resolve();
      kill();
      return new Promise<never>(() => undefined);
    };
    const fetch = async (input: string | URL, init?: RequestInit) => {
      await at('arrived');
      const response = await this.#mock.fetch(input, init);
      if (((await response.clone().json()) as { resultStatus: string }).resultStatus === 'APPROVED')
        this.acted = this.what === 'payment' ? this.#mock.payments.all().length : this.acted + 1;
      await at('acted');
      return response;
    };
    const store: JobStore = {
      history: this.history,
      mark: async (known) => {
        await at('claimed');
        this.history = structuredClone(known);
        await at('marked');
        return true;
      },
      keep: async (known) => {
        await at('answered');
        this.history = structuredClone(known);
        await at('kept');
      },
    };
    const client = new InstallmentClient({ ...this.#mock.clientOptions(), fetch, maxRetries: 0 }, runtime);
    const run = createSender({ client, loadFile: () => files.pdf })(createJob(jobs[this.what]), store);
    await Promise.race([killed, run.catch(() => undefined)]);
  }
}

/** The steps of the guide's table at which a run is killed, in its order. */
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
      const row = new Row(what);
      await row.run(step);
      const left = jobOutcome(row.history);
      expect([step, left]).toEqual([
        step,
        { none: 'pending', new: 'unknown' }[markers[index] ?? ''] ?? 'accepted',
      ]);

      await row.run();
      const isLookedUp = what === 'upload' && left === 'unknown';
      expect(jobOutcome(row.history)).toBe(isLookedUp ? 'unknown' : 'accepted');
      expect(row.acted).toBeLessThanOrEqual(1);
    }
  }
});
