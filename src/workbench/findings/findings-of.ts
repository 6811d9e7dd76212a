import type { ObservedMock } from '../../mock/observation.js';
import { scenarioName } from '../../mock/scenarios/resolve-scenario.js';
import { recordOf } from './record.js';
import { judge, type Finding } from './all-rules.js';

/** Returns the findings of the requests that a mock keeps, judged as one run. */
export function findingsOf(mock: ObservedMock): Finding[] {
  return judge(scenarioName(mock.scenario()), recordOf(mock, mock));
}
