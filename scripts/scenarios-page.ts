import { dimensionNames, dimensions, valuesOf } from '../src/mock/scenarios/dimensions.js';
import { scenarios } from '../src/mock/scenarios/named-scenarios.js';
import type { DimensionName } from '../src/mock/scenarios/scenario.js';
import { formatted } from './formatted.js';

const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value));
const shown = (value: unknown) => `\`${literal(value)}\``;

/** The scenarios whose first property is this one, with their value of it and the text of their other properties. */
function scenariosOf(dimension: DimensionName) {
  return scenarios.flatMap(({ name, scenario, isDefault }) => {
    const [[first, value] = [], ...others] = Object.entries(scenario);
    const also = others.map(([other, its]) => `\`${other}: ${literal(its)}\``).join(', ');
    return first === dimension ? [{ value, also, shown: `\`${name}\`${isDefault ? '' : '\\*'}` }] : [];
  });
}

/** The guide to the scenarios, as Markdown. `npm run generate -- scenarios` writes it. */
export async function scenariosPage(): Promise<string> {
  const values = dimensionNames.flatMap((name) => {
    const { about, object } = dimensions[name];
    const named = scenariosOf(name);
    const [shared, ...others] = new Set(named.map(({ also }) => also));
    const isShared = shared !== undefined && shared !== '' && others.length === 0;
    const inParentheses = (value: unknown) => {
      const own = named.filter((each) => each.value === value);
      const texts = own.map(
        (each) => each.shown + (each.also && !isShared ? `, which also sets ${each.also}` : ''),
      );
      return texts.length > 0 ? ` (${texts.join(', ')})` : '';
    };
    return [
      `## \`${name}\``,
      '',
      `${about}.${isShared ? `   All scenarios of this section also set ${shared}.` : ''}`,
      '',
      ...valuesOf(name).map(([value, sentence]) => `- ${shown(value)}${inParentheses(value)}: ${sentence}`),
      ...(object ? [`- \`${object.example}\`: ${object.sentence}`] : []),
      '',
    ];
  });
  const page = [
    '# Scenarios of the mock',
    '',
    'A scenario is one way in which a service might behave ([assumed](assumptions.md)). Each section lists the values of one property of the',
    'option `scenario`. `baseline` uses the first value of each property. A name in parentheses is the scenario that sets the value.',
    'A rehearsal runs a scenario with \\* only if you name it in `--scenarios`. A correct shop passes `repeat-another` only with `repeatUnknown: false`,',
    'and `notification-never` only with a [status query](other-operations.md#status-query).',
    '',
    ...values,
  ].join('\n');
  return formatted('docs/scenarios.md', page);
}
