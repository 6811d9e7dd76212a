import prettier from 'prettier';
import { openQuestions } from './open-questions.js';
import { dimensionNames, dimensions, valuesOf } from '../src/mock/worlds/dimensions.js';
import { worlds } from '../src/mock/worlds/named-worlds.js';

const shown = (value: unknown) => `\`${typeof value === 'string' ? `'${value}'` : String(value)}\``;

/** The guide to the worlds, as Markdown. `npm run generate -- worlds` writes it. */
export async function worldsPage(): Promise<string> {
  const values = dimensionNames.flatMap((name) => {
    const { about, question, object } = dimensions[name];
    return [
      `### \`${name}\``,
      '',
      `${about}. The specification leaves open: ${openQuestions[question].question}.`,
      '',
      '| value | behaviour |',
      '| --- | --- |',
      ...valuesOf(name).map(([value, sentence]) => `| ${shown(value)} | ${sentence} |`),
      ...(object ? [`| \`${object.example}\` | ${object.sentence} |`] : []),
      '',
    ];
  });
  const named = worlds.map(({ name, world, isDefault }) => {
    const changes = Object.entries(world).map(([dimension, value]) => `\`${dimension}\`: ${shown(value)}`);
    return `| \`${name}\` | ${changes.join(', ') || 'nothing'}${isDefault ? '' : ' (not tried by default)'} |`;
  });
  const page = [
    '# Worlds of the mock',
    '',
    'Each value of the option `world` is a decision of this package about what a service might do where the',
    'specification is silent, or where a service does less than it says. None is a fact about the service. The first value in each list is the default of the mock.',
    '',
    '## With a name',
    '',
    '| world | differs in |',
    '| --- | --- |',
    ...named,
    '',
    '## Values',
    '',
    ...values,
  ].join('\n');
  const options = await prettier.resolveConfig('docs/worlds.md');
  return prettier.format(page, { ...options, parser: 'markdown' });
}
