import fc from 'fast-check';
import { test } from 'vitest';
import { runs } from '../helpers/seed.js';
import { steps } from './fake-queue.js';
import { kinds } from '../queue/jobs.js';
import { createWorld, everyAnswer, finish, startUntil, type StartedRun } from './harness.js';
import { expectPromisesKept } from './invariants.js';

/** The events of a job: a run is answered, killed or held; a held run goes on; a person retries the job. */
const event = fc.oneof(
  fc.record({ does: fc.constant('run' as const), answer: fc.constantFrom(...everyAnswer) }),
  fc.record({
    does: fc.constant('stop' as const),
    answer: fc.constantFrom(...everyAnswer),
    step: fc.constantFrom(...steps),
  }),
  fc.record({ does: fc.constant('resume' as const) }),
  fc.record({ does: fc.constant('retry' as const) }),
);

test(
  'whatever happens to its runs, in whatever order, a job keeps its promises',
  { timeout: 60_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...kinds), fc.array(event, { maxLength: 8 }), async (kind, events) => {
        const world = await createWorld(kind);
        const { queue } = world;
        const held: StartedRun[] = [];
        for (const each of events) {
          if (each.does === 'resume') await held.shift()?.resume();
          else if (each.does === 'retry') {
            if (queue.isFinished) queue.retryByHand();
          } else if (!queue.isFinished) {
            if (each.does === 'run') await world.run(each.answer);
            else {
              const started = await startUntil(world, each.answer, each.step);
              if (started.isStopped) queue.stall();
              if (started.isStopped) held.push(started);
            }
          }
        }
        await finish(world);
        expectPromisesKept(kind, world);
      }),
      { numRuns: runs(60) },
    );
  },
);
