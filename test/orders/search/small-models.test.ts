import { expect, test } from 'vitest';
import { smallModels } from './models.js';
import { search } from './search.js';

test.each(smallModels)('no state of the model $name breaks a rule', { timeout: 120_000 }, (model) => {
  const found = search(model);
  console.log(`${model.name}: ${found.states} states`);
  expect(found).toEqual({ states: model.states });
});
