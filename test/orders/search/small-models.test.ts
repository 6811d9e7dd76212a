import { expect, test } from 'vitest';
import { smallModels } from './models.js';
import { search } from './search.js';

test.each(smallModels)('no state of the model $name breaks a rule', (model) => {
  const found = search(model);
  console.log(`${model.name}: ${found.states} states`);
  expect(found).toEqual({ states: model.states });
});
