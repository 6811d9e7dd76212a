import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isIdempotent, isRepeated, kinds } from '../queue/jobs.js';
import { createWorld, everyAnswer, finish, startUntil } from './harness.js';
import { steps, type Step } from './fake-queue.js';
import { expectPromisesKept } from './invariants.js';

const guide = readFileSync(new URL('../../docs/many-machines.md', import.meta.url), 'utf8');

/** The states of the guide's table, in its words; a run that is killed in one leaves this behind. */
const states: Readonly<Record<Step, { readonly words: string; readonly mayHaveBeenSent: boolean }>> = {
  'picked up': { words: 'a worker has the job', mayHaveBeenSent: false },
  'file loaded': { words: '`loadFile` resolved', mayHaveBeenSent: false },
  'marker written': { words: 'the marker is written', mayHaveBeenSent: true },
  'lock confirmed': { words: 'the lock is confirmed', mayHaveBeenSent: true },
  'request arrived': { words: 'the request is at the service', mayHaveBeenSent: true },
  'service acted': { words: 'the service has acted', mayHaveBeenSent: true },
  'answer received': { words: 'the answer is at the worker', mayHaveBeenSent: true },
  'answer kept': { words: 'the answer is kept', mayHaveBeenSent: false },
};

/** The kinds that reach a step: only an upload loads a file. */
const reaching = (step: Step) =>
  kinds.filter((kind) => step !== 'file loaded' || kind.startsWith('uploadInvoice'));

describe('a worker that is killed', () => {
  const cases = steps.flatMap((step) =>
    reaching(step).flatMap((kind) => [
      { step, kind, run: 'the first run' },
      { step, kind, run: 'a run after one that was refused for now' },
    ]),
  );

  test.each(cases)('when $step in $run: $kind', async ({ step, kind, run }) => {
    const world = await createWorld(kind);
    if (run !== 'the first run') await world.run('throttled');
    const { isStopped } = await startUntil(world, 'accepted', step);
    world.queue.stall();
    await finish(world);

    const isRefused = states[step].mayHaveBeenSent && !isIdempotent(kind) && !isRepeated(kind);
    expect(isStopped).toBe(true);
    expect(world.queue.outcome).toBe(isRefused ? 'unknown' : 'accepted');
    if (isRefused) expect(world.queue.stored.failedReason).toMatch(/^unknown MAY_HAVE_BEEN_SENT: /);
    expectPromisesKept(kind, world);
  });

  test('a worker is killed in every state of the guide', () => {
    const rows = guide
      .split('\n')
      .filter((line) => line.startsWith('| ') && /\| (?:none|new|answer) /.test(line));
    const described = rows.map((row) => row.split('|').map((cell) => cell.trim()));

    expect(described.map(([, words, marker]) => [words, marker === 'new'])).toEqual(
      steps.map((step) => [states[step].words, states[step].mayHaveBeenSent]),
    );
  });
});

describe.each(kinds)('%s', (kind) => {
  test('a certain end stays certain when all runs before it were', async () => {
    const certain = everyAnswer.filter((answer) => answer !== 'lost');
    for (const first of certain) {
      for (const second of certain) {
        const world = await createWorld(kind);
        await world.run(first);
        if (!world.queue.isFinished) await world.run(second);
        await finish(world);
        expect(world.queue.outcome).not.toBe('unknown');
        expectPromisesKept(kind, world);
      }
    }
  });
});
