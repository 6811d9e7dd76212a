import { keyOf, simplified } from './fingerprint.js';
import { search } from './search.js';
import { steps } from './steps.js';
import type { Model, World } from './world.js';

function futureOf(world: World, model: Model): Map<number, string> {
  return new Map(
    [...steps(world, model)].map((step) => [keyOf(simplified(step.world, model), model), step.name]),
  );
}

/**
 * The steps that only one of two states with the same fingerprint has, among the first 3,000 states of a model. Without
 * any, a fingerprint contains everything that matters, so that the search can visit only one of these states.
 */
export function differentFutures(model: Model): string[] {
  const first = new Map<number, World>();
  const different: string[] = [];
  search(model, {
    mostStates: 3_000,
    onWorld: (world, key) => {
      const alike = first.get(key);
      if (!alike) {
        first.set(key, world);
        return;
      }
      const [future, other] = [futureOf(alike, model), futureOf(world, model)];
      for (const [next, name] of other) if (!future.has(next)) different.push(name);
      if (future.size !== other.size) different.push('fewer steps');
    },
  });
  return different;
}
