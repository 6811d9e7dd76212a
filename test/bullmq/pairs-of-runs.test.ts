import { describe, test } from 'vitest';
import { steps, type Step } from './fake-queue.js';
import { kinds, type Kind } from '../queue/jobs.js';
import { createWorld, everyAnswer, finish, startUntil, type Answer } from './harness.js';
import { expectPromisesKept } from './invariants.js';

/** A step at which a run is stopped, or the end. */
const stops = [...steps, undefined] as const;

/** Answers that make a difference for a run that is stopped at a step. */
const answersUntil = (stop: Step | undefined): readonly Answer[] =>
  stop === undefined || stop === 'answer received'
    ? everyAnswer
    : stop === 'service acted'
      ? ['accepted', 'lost']
      : ['accepted'];

/** One run: how it is answered, and where it stops. */
const plans = stops.flatMap((stop) => answersUntil(stop).map((answer) => ({ stop, answer })));

describe.each(kinds)('%s keeps its promises', (kind: Kind) => {
  test('when two runs in a row are killed anywhere, or answered anyhow', async () => {
    for (const first of plans) {
      for (const second of plans) {
        const world = await createWorld(kind);
        for (const { answer, stop } of [first, second]) {
          if (world.queue.isFinished) break;
          if (stop === undefined) await world.run(answer);
          else if ((await startUntil(world, answer, stop)).isStopped) world.queue.stall();
        }
        await finish(world);
        expectPromisesKept(kind, world);
      }
    }
  });

  test('when a run that lost its lock goes on beside the next one, which ends or is killed', async () => {
    for (const first of plans) {
      if (first.stop === undefined) continue;
      for (const second of plans) {
        for (const end of ['ends', 'is killed'] as const) {
          const world = await createWorld(kind);
          const overtaken = await startUntil(world, first.answer, first.stop);
          if (!overtaken.isStopped) continue;
          world.queue.stall();
          const next = second.stop && (await startUntil(world, second.answer, second.stop));
          if (!next) await world.run(second.answer);
          await overtaken.resume();
          if (next?.isStopped && end === 'ends') await next.resume();
          else if (next?.isStopped) world.queue.stall();
          await finish(world);
          expectPromisesKept(kind, world);
        }
      }
    }
  });
});
