import { dimensionNames, dimensions, valuesOf } from '../src/mock/scenarios/dimensions.js';
import { scenarios } from '../src/mock/scenarios/named-scenarios.js';
import { formatted } from './formatted.js';

const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value));
const shown = (value: unknown) => `\`${literal(value)}\``;

/** The guide to the scenarios, as Markdown. `npm run generate -- scenarios` writes it. */
export async function scenariosPage(): Promise<string> {
  const values = dimensionNames.flatMap((name) => {
    const { about, object } = dimensions[name];
    return [
      `### \`${name}\``,
      '',
      `${about}.`,
      '',
      ...valuesOf(name).map(([value, sentence]) => `- ${shown(value)}: ${sentence}`),
      ...(object ? [`- \`${object.example}\`: ${object.sentence}`] : []),
      '',
    ];
  });
  const width = Math.max(...scenarios.map(({ name }) => name.length)) + 2;
  const named = scenarios.map(({ name, scenario, isDefault }) => {
    const changes = Object.entries(scenario).map(([dimension, value]) => `${dimension}: ${literal(value)}`);
    const text = `${name.padEnd(width)}${changes.join(', ')}${isDefault ? '' : '  (not tried by default)'}`;
    return text.trimEnd();
  });
  const page = [
    '# Scenarios of the mock',
    '',
    'A scenario is one way in which a service might behave. All of them are [assumptions](assumptions.md).',
    '',
    '## Named scenarios',
    '',
    '```text',
    ...named,
    '```',
    '',
    '## Values',
    '',
    'The first value of each property of the option `scenario` is the default.',
    '',

    ...values,
  ].join('\n');
  return formatted('docs/scenarios.md', page);
}
