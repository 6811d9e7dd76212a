import { dimensionNames, plainWorld, valuesOf } from '../worlds/dimensions.js';
import { worlds, type NamedWorld } from '../worlds/named-worlds.js';
import { resolveWorld, worldName } from '../worlds/resolve-world.js';

/** A world of a rehearsal. */
export interface RehearsedWorld extends Pick<NamedWorld, 'world'> {
  /** Of a named world, or of a pair of values. */
  readonly name: string;
}

/**
 * The plain world, then those with a name, or each pair of values that are not the mock's own.
 *
 * @throws ConfigurationError for an unknown name
 */
export function chooseWorlds(names: readonly string[] | undefined, pairs: boolean): RehearsedWorld[] {
  const [plain, ...others] = worlds;
  if (!plain) return [];
  if (pairs) return [plain, ...pairsOfValues()];
  if (!names) return [plain, ...others.filter(({ isDefault }) => isDefault)];
  const chosen = names.filter((name) => name !== plain.name);
  return [plain, ...chosen.map((name) => ({ name, world: resolveWorld(name) }))];
}

function pairsOfValues(): RehearsedWorld[] {
  const values = dimensionNames.flatMap((name) =>
    valuesOf(name)
      .slice(1)
      .map(([value]) => ({ name, world: { [name]: value } })),
  );
  return values.flatMap((one, index) =>
    values
      .slice(index + 1)
      .filter(({ name }) => name !== one.name)
      .map((other) => ({ ...one.world, ...other.world }))
      .map((world) => ({ name: worldName({ ...plainWorld, ...world }), world })),
  );
}
