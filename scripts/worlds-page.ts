import prettier from 'prettier';
import { dimensionNames, dimensions, valuesOf } from '../src/mock/worlds/dimensions.js';
import { worlds } from '../src/mock/worlds/named-worlds.js';

const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value));
const shown = (value: unknown) => `\`${literal(value)}\``;

/** The guide to the worlds, as Markdown. `npm run generate -- worlds` writes it. */
export async function worldsPage(): Promise<string> {
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
  const width = Math.max(...worlds.map(({ name }) => name.length)) + 2;
  const named = worlds.map(({ name, world, isDefault }) => {
    const changes = Object.entries(world).map(([dimension, value]) => `${dimension}: ${literal(value)}`);
    const text = `${name.padEnd(width)}${changes.join(', ')}${isDefault ? '' : '  (not tried by default)'}`;
    return text.trimEnd();
  });
  const page = [
    '# Worlds of the mock',
    '',
    'Each value of the option `world` is what a service might do where the specification is silent, or where it does less: a decision',
    'of this package ([open questions](open-questions.md)). The first value in each list is the default.',
    '',
    '## With a name',
    '',
    'Each with what it changes:',
    '',
    '```text',
    ...named,
    '```',
    '',
    '## Values',
    '',
    ...values,
  ].join('\n');
  const options = await prettier.resolveConfig('docs/worlds.md');
  return prettier.format(page, { ...options, parser: 'markdown' });
}
