import { dimensionNames, type DimensionName } from '../../mock/worlds/dimensions.js';
import { resolveWorld } from '../../mock/worlds/resolve-world.js';
import type { NamedWorld, WorldName } from '../../mock/worlds/named-worlds.js';
import type { WorldRun } from './run-world.js';

/** A run that has ended without a finding, in these worlds at once. */
export interface CleanRun {
  readonly names: readonly string[];
  readonly world: NamedWorld['world'];
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

/** The parts of a world that a shop cannot see in some runs. */
const isUnseen: Partial<Record<DimensionName, (run: WorldRun) => boolean>> = {
  uploads: ({ requests }) => !requests.some(({ operation }) => operation === 'uploadInvoice'),
  refusals: ({ requests }) => requests.every(({ resultStatus }) => resultStatus === 'APPROVED'),
};

/** A run that was in this world too, or in one that the shop cannot have told from it. */
export function sharedRun(named: NamedWorld, runs: readonly CleanRun[]): CleanRun | undefined {
  const wanted = resolveWorld(named.world);
  return runs.find(({ names, world, run }) => {
    if (names.includes(named.name)) return true;
    const other = resolveWorld(world);
    const different = dimensionNames.filter((name) => wanted[name] !== other[name]);
    return different.every((name) => isUnseen[name]?.(run));
  });
}
