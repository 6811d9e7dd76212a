import { ConfigurationError } from '../../errors/errors.js';
import { printable } from '../../protocol/issues.js';
import { documentedStatuses, isErrorStatus } from '../../protocol/result-statuses.js';
import { didYouMean } from '../../values/nearest-word.js';
import { isRecord } from '../../values/untrusted-values.js';
import {
  dimensionNames,
  dimensions,
  plainWorld,
  valuesOf,
  type DimensionName,
  type World,
} from './dimensions.js';
import { worlds, type WorldName } from './named-worlds.js';

/** The name of a world, or the values that are not the mock's own. */
export type WorldOption = WorldName | { readonly [Name in keyof World]?: World[Name] | undefined };

const worldNames = worlds.map(({ name }) => name);

/** The refusal of a word that is not one of those that exist. */
function unknownWord(option: string, prefix: string, written: string, words: readonly string[]) {
  const hint = didYouMean(written, words);
  return new ConfigurationError(option, `${prefix}must be one of ${words.join(', ')}${hint}`);
}

const refusalStatuses = documentedStatuses.filter(isErrorStatus);

/** Refuses a wrong object of HTTP statuses by resultStatus. */
function checkStatuses(statuses: Readonly<Record<string, unknown>>): void {
  for (const [name, status] of Object.entries(statuses)) {
    const option = `world.refusals.${printable(name)}`;
    if (!isErrorStatus(name)) throw unknownWord(option, 'is an unknown option: it ', name, refusalStatuses);
    if (!Number.isInteger(status) || Number(status) < 200 || Number(status) > 599)
      throw new ConfigurationError(option, 'must be an integer from 200 to 599');
  }
}

function isDimension(name: string): name is DimensionName {
  return Object.hasOwn(plainWorld, name);
}

/**
 * The value of every dimension for an option, which may come from a file.
 *
 * @throws ConfigurationError for an unknown world, dimension or value; it lists those that exist
 */
export function resolveWorld(option: unknown = {}): World {
  if (typeof option === 'string') {
    const named = worlds.find(({ name }) => name === option);
    if (!named) throw unknownWord('world', '', option, worldNames);
    return { ...plainWorld, ...named.world };
  }
  if (!isRecord(option)) {
    throw new ConfigurationError(
      'world',
      "must be the name of a world, such as 'lost-answer', or an object, such as { repeat: 'duplicate' }",
    );
  }
  const given = Object.entries(option).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) checkValue(name, value);
  return { ...plainWorld, ...structuredClone(Object.fromEntries(given)) };
}

function checkValue(name: string, value: unknown): void {
  if (!isDimension(name))
    throw unknownWord(`world.${printable(name)}`, 'is an unknown option: it ', name, dimensionNames);
  const { object } = dimensions[name];
  if (object && isRecord(value)) {
    checkStatuses(value);
    return;
  }
  const values = valuesOf(name).map(([known]) => known);
  if (values.some((known) => known === value)) return;
  throw unknownWord(`world.${name}`, '', shown(value), [
    ...values.map(shown),
    ...(object ? [object.example] : []),
  ]);
}

/** A value as it is written in code. */
function shown(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

/** The name of a world; without a name, its values that are not the mock's own. */
export function worldName(world: World): string {
  const isSame = (other: World) => dimensionNames.every((name) => other[name] === world[name]);
  const named = worlds.find((each) => isSame({ ...plainWorld, ...each.world }));
  const own = dimensionNames.filter((name) => world[name] !== plainWorld[name]);
  return named?.name ?? own.map((name) => `${name}=${valueText(world[name])}`).join(' ');
}

function valueText(value: World[DimensionName]): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
