import { expect, test } from 'vitest';
import { smallModels } from './models.js';
import { search } from './search.js';

test.each(smallModels)('no state of the model $name breaks a rule', (model) => {
  // Rules under which it grows without end fail, too.
  const found = search(model, { mostStates: 2 * model.states });
  console.log(`${model.name}: ${found.states} states`);
  expect(found).toEqual({ states: model.states });
});
