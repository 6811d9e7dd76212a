import type { NamedScenario, ScenarioName } from '../../mock/scenarios/named-scenarios.js';
import type { FinishedRun } from './run-scenario.js';

/** A run without a finding in which these scenarios applied at once. */
export interface CleanRun {
  readonly names: readonly string[];
  readonly run: FinishedRun;
}

/**
 * The pairs of independent scenarios: a mistake that shows in either of them also shows if both apply at once. One
 * run without a finding is enough for both. After a finding, each scenario is run alone, and the report names the
 * right scenario.
 */
const pairs: readonly (readonly [ScenarioName, ScenarioName])[] = [
  ['sparse-responses', 'notification-twice'],
  ['extra-fields', 'other-serialization'],
  ['gateway', 'notification-together'],
  ['slow', 'notification-unknown-status'],
  ['notification-pending-first', 'forged'],
  ['processing-first', 'redirect-opened'],
  ['rate-limited', 'reordered'],
];

/** The scenario that can share the run of this scenario. Undefined if there is none. */
export function partnerOf(
  { name }: NamedScenario,
  chosen: readonly NamedScenario[],
): NamedScenario | undefined {
  const pair = pairs.find(([first]) => first === name);
  return chosen.find((each) => each.name === pair?.[1]);
}

/** A run in which this scenario also applied. */
export function sharedRun({ name }: NamedScenario, runs: readonly CleanRun[]): CleanRun | undefined {
  return runs.find(({ names }) => names.includes(name));
}
