import { expect, test } from 'vitest';
import { stepsOf } from '../../../src/workbench/rehearsal/customers.js';
import { plainWorld } from '../../../src/mock/worlds/dimensions.js';

test('customers of the reordered world pay at once, so that the held notification arrives last', () => {
  const acts = stepsOf({ ...plainWorld, settlement: 'reordered' }, 'pays', false);
  expect(acts).toEqual(['declined', 'paid']);
});

test('customers of the settled-late world wait before they pay, so that the first notification arrives first', () => {
  const acts = stepsOf({ ...plainWorld, settlement: 'late' }, 'pays', false);
  expect(acts).toEqual(['declined', 'wait', 'paid']);
});
