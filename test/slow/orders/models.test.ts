import { expect, test } from 'vitest';
import { largerModels } from '../../orders/search/models.js';
import { search } from '../../orders/search/search.js';

test.each(largerModels)('no state of the model $name breaks a rule', { timeout: 600_000 }, (model) => {
  const found = search(model, { mostStates: 2 * model.states });
  console.log(`${model.name}: ${found.states} states`);
  expect(found).toEqual({ states: model.states });
});
