import { createHash } from 'node:crypto';
import { ordersOfEpisode, type Episode } from './episode.js';

/** Episodes are independent: each has a seed of its own, by which it can be run alone. */
export interface PlannedEpisode {
  readonly seed: number;
  readonly orders: number;
}

/** The first episode has the seed itself, so that `--seed` repeats any episode. */
function episodeSeed(seed: number, index: number): number {
  if (index === 0) return seed;
  return createHash('sha256')
    .update(`${String(seed)} ${String(index)}`)
    .digest()
    .readUInt32BE();
}

export function planOf(seed: number, orders: number): PlannedEpisode[] {
  return Array.from({ length: Math.ceil(orders / ordersOfEpisode) }, (_, index) => ({
    seed: episodeSeed(seed, index),
    orders: Math.min(ordersOfEpisode, orders - index * ordersOfEpisode),
  }));
}

/** One hash of all journals, in the order of the plan. */
export function hashOf(episodes: readonly Episode[]): string {
  const hash = createHash('sha256');
  for (const episode of episodes) hash.update(episode.hash);
  return hash.digest('hex').slice(0, 16);
}
