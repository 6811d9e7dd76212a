import { describe, expect, test } from 'vitest';
import { baselineScenario } from '../../../src/mock/scenarios/dimensions.js';
import { stepsOf } from '../../../src/workbench/rehearsal/visit-steps.js';

describe('the steps of a visit', () => {
  test('have no pause in the scenario reordered, so that the webhook that is held back arrives last', () => {
    const steps = stepsOf({ ...baselineScenario, settlement: 'reordered' }, 'pays', false);
    expect(steps).toEqual(['declined', 'paid']);
  });

  test('have a pause in the scenario settled-late, so that the first webhook arrives first', () => {
    const steps = stepsOf({ ...baselineScenario, settlement: 'late' }, 'pays', false);
    expect(steps).toEqual(['declined', 'wait for the webhooks', 'paid']);
  });
});
