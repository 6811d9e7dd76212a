import { dimensionNames, type DimensionName } from '../../mock/worlds/dimensions.js';
import { resolveWorld } from '../../mock/worlds/resolve-world.js';
import type { NamedWorld } from '../../mock/worlds/named-worlds.js';
import type { WorldRun } from './run-world.js';

/** A run that has ended without a finding. */
export interface CleanRun {
  readonly named: NamedWorld;
  readonly run: WorldRun;
}

/** The parts of a world that a shop cannot see in some runs. */
const isUnseen: Partial<Record<DimensionName, (run: WorldRun) => boolean>> = {
  uploads: ({ requests }) => !requests.some(({ operation }) => operation === 'uploadInvoice'),
  refusals: ({ requests }) => requests.every(({ resultStatus }) => resultStatus === 'APPROVED'),
};

/** A run in which the shop was answered in all as it would be in this world, so that this world need not be run. */
export function sharedRun(named: NamedWorld, runs: readonly CleanRun[]): CleanRun | undefined {
  const world = resolveWorld(named.world);
  return runs.find((each) => {
    const other = resolveWorld(each.named.world);
    const different = dimensionNames.filter((name) => world[name] !== other[name]);
    return different.every((name) => isUnseen[name]?.(each.run));
  });
}
