import { ConfigurationError } from '../../errors/errors.js';
import { listed, printable } from '../../values/texts.js';
import { documentedStatuses, isErrorStatus } from '../../protocol/result-statuses.js';
import { didYouMean } from '../../values/nearest-word.js';
import { isRecord } from '../../values/untrusted-values.js';
import { dimensionNames, dimensions, baselineScenario, valuesOf } from './dimensions.js';
import type { DimensionName, Scenario } from './scenario.js';
import { scenarios, type ScenarioName } from './named-scenarios.js';

/** The name of a scenario, or the values that differ from the baseline. */
export type ScenarioOption =
  | ScenarioName
  | { readonly [Name in keyof Scenario]?: Scenario[Name] | undefined };

const scenarioNames = scenarios.map(({ name }) => name);

/** The error for an unknown value. */
function unknownValue(
  option: string,
  written: unknown,
  values: readonly unknown[],
  rule = `must be ${listed(values)}`,
) {
  const texts = values.filter((value) => typeof value === 'string');
  const hint = typeof written === 'string' ? didYouMean(written, texts) : '';
  return new ConfigurationError(option, `${rule}${hint}`);
}

function unknownName(option: string, written: string, names: readonly string[]) {
  const hint = didYouMean(written, names);
  return new ConfigurationError(option, `is an unknown option: the name must be ${listed(names)}${hint}`);
}

const refusalStatuses = documentedStatuses.filter(isErrorStatus);

/** Checks an object that maps resultStatus values to HTTP statuses. @throws ConfigurationError */
function checkStatuses(statuses: Readonly<Record<string, unknown>>): void {
  for (const [name, status] of Object.entries(statuses)) {
    const option = `scenario.refusals.${printable(name)}`;
    if (!isErrorStatus(name)) throw unknownName(option, name, refusalStatuses);
    if (!Number.isInteger(status) || Number(status) < 200 || Number(status) > 599)
      throw new ConfigurationError(option, 'must be an integer from 200 to 599');
  }
}

function isDimension(name: string): name is DimensionName {
  return Object.hasOwn(baselineScenario, name);
}

/**
 * Returns the value of every dimension for an option, which can come from a file.
 *
 * @throws ConfigurationError for an unknown scenario, dimension or value; the message lists the known names or values
 */
export function resolveScenario(option: unknown = {}): Scenario {
  if (typeof option === 'string') {
    const named = scenarios.find(({ name }) => name === option);
    if (!named) throw unknownValue('scenario', option, scenarioNames);
    return { ...baselineScenario, ...named.scenario };
  }
  if (!isRecord(option)) {
    throw new ConfigurationError(
      'scenario',
      "must be the name of a scenario, such as 'lost-response', or an object, such as { repeat: 'duplicate' }",
    );
  }
  const given = Object.entries(option).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) checkValue(name, value);
  return { ...baselineScenario, ...structuredClone(Object.fromEntries(given)) };
}

function checkValue(name: string, value: unknown): void {
  if (!isDimension(name)) throw unknownName(`scenario.${printable(name)}`, name, dimensionNames);
  const { object } = dimensions[name];
  if (object && isRecord(value)) {
    checkStatuses(value);
    return;
  }
  const values = valuesOf(name).map(([known]) => known);
  if (values.some((known) => known === value)) return;
  throw unknownValue(`scenario.${name}`, value, values, object?.rule);
}

/** The name of a scenario, or, if the scenario has no name, the values that differ from the baseline. */
export function scenarioName(scenario: Scenario): string {
  const isSame = (other: Scenario) => dimensionNames.every((name) => other[name] === scenario[name]);
  const named = scenarios.find((each) => isSame({ ...baselineScenario, ...each.scenario }));
  const different = dimensionNames.filter((name) => scenario[name] !== baselineScenario[name]);
  return named?.name ?? different.map((name) => `${name}=${valueText(scenario[name])}`).join(' ');
}

function valueText(value: Scenario[DimensionName]): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
