import { expect, test } from 'vitest';
import { seed } from '../helpers/seed.js';
import { hashOf, planOf } from './plan.js';
import { Program } from './program.js';

const threads = 2;

test('three thousand orders break no promise, and have one hash however many threads there are', async () => {
  const plan = planOf(seed, 3_000);
  await using program = await Program.start({ threads });
  const episodes = await program.run(plan);

  expect(episodes.flatMap(({ violations }) => violations)).toEqual([]);
  await using alone = await Program.start({ threads: 1 });
  const first = plan.slice(0, 5);
  expect(hashOf(await alone.run(first))).toBe(hashOf(episodes.slice(0, first.length)));
}, 300_000);
