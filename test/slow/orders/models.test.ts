import { expect, test } from 'vitest';
import { keyOf, simplified } from '../../orders/search/fingerprint.js';
import { largerModels, smallModels } from '../../orders/search/models.js';
import { search } from '../../orders/search/search.js';
import { steps } from '../../orders/search/steps.js';
import type { Model, World } from '../../orders/search/world.js';

test.each(largerModels)('no state of the model $name breaks a rule', { timeout: 600_000 }, (model) => {
  const found = search(model, { mostStates: 2 * model.states });
  console.log(`${model.name}: ${found.states} states`);
  expect(found).toEqual({ states: model.states });
});

function futureOf(world: World, model: Model): Map<number, string> {
  return new Map(
    [...steps(world, model)].map((step) => [keyOf(simplified(step.world, model), model), step.name]),
  );
}

// So the search can visit only one of these states: the fingerprint contains everything that matters.
test.each([...smallModels, ...largerModels])(
  'states of the model $name with the same fingerprint have the same future',
  { timeout: 600_000 },
  (model) => {
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
    expect(different).toEqual([]);
  },
);
