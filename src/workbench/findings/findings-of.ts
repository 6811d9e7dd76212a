import type { ObservedMock } from '../../mock/observation.js';
import { scenarioName } from '../../mock/scenarios/resolve-scenario.js';
import { recordOf } from './record.js';
import { judge, type Finding } from './all-rules.js';

/** Judges everything that a mock has recorded as one run, without a comparison with the baseline. */
export function findingsOf(mock: ObservedMock): Finding[] {
  return judge(scenarioName(mock.scenario()), recordOf(mock, mock));
}
