import type { NamedScenario, ScenarioName } from '../../mock/scenarios/named-scenarios.js';
import type { FinishedRun } from './run-scenario.js';

/** A run in which two scenarios applied together, and which is clean (`isClean`). */
export interface CleanRun {
  readonly names: readonly string[];
  readonly run: FinishedRun;
}

/**
 * The pairs of independent scenarios: a mistake that is visible in one scenario of a pair is also visible if both apply
 * in the same run. So if the shared run is clean (`isClean`), neither scenario needs its own run. If it is not clean,
 * each scenario gets its own run, so that the report names the right scenario.
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

/** Returns the scenario that can share the run of this scenario; undefined if there is none. */
export function partnerOf(
  { name }: NamedScenario,
  chosen: readonly NamedScenario[],
): NamedScenario | undefined {
  const pair = pairs.find(([first]) => first === name);
  return chosen.find((each) => each.name === pair?.[1]);
}

/** Returns the clean run in which this scenario applied; undefined if there is none. */
export function sharedRun({ name }: NamedScenario, runs: readonly CleanRun[]): CleanRun | undefined {
  return runs.find(({ names }) => names.includes(name));
}
