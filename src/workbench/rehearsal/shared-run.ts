import type { NamedWorld, WorldName } from '../../mock/worlds/named-worlds.js';
import type { WorldRun } from './run-world.js';

/** A run that has ended without a finding, in these worlds at once. */
export interface CleanRun {
  readonly names: readonly string[];
  readonly run: WorldRun;
}

/**
 * Worlds that do not touch each other: a mistake that shows in one shows in both at once. So one run without a finding is
 * enough for both; after a finding each has a run of its own, and the report says which of them it is.
 */
const pairs: readonly (readonly [WorldName, WorldName])[] = [
  ['sparse-answers', 'notification-twice'],
  ['extra-fields', 'written-otherwise'],
  ['gateway', 'notification-together'],
  ['slow', 'notification-unknown-status'],
  ['notification-pending-first', 'forged'],
  ['processing-first', 'redirect-opened'],
  ['rate-limited', 'reordered'],
];

/** The world that may share the run of this one; undefined if there is none. */
export function partnerOf({ name }: NamedWorld, chosen: readonly NamedWorld[]): NamedWorld | undefined {
  const pair = pairs.find(([first]) => first === name);
  return chosen.find((each) => each.name === pair?.[1]);
}

/** A run that was in this world too. */
export function sharedRun({ name }: NamedWorld, runs: readonly CleanRun[]): CleanRun | undefined {
  return runs.find(({ names }) => names.includes(name));
}
