import prettier from 'prettier';
import { rules, type RuleName } from '../src/workbench/findings/rules.js';
import { wrongShops } from './wrong-shops.js';

/** The guide to the rules of the rehearsal, as Markdown. `npm run generate -- rules` writes it. */
export async function rulesPage(): Promise<string> {
  const names = Object.keys(rules) as RuleName[];
  const sectionOf = (name: RuleName) => {
    const { means, code, said } = wrongShops[name];
    const { level, why, fix } = rules[name];
    return [
      `## ${name}`,
      '',
      `**${level === 'error' ? 'Error' : 'Warning'}:** ${means}. ${why}`,
      '',
      '```',
      ...code,
      '',
      `${level.toUpperCase()} ${name}`,
      `  ${said}`,
      '```',
      '',
      `**Do.** ${fix}`,
      '',
    ];
  };
  const page = [
    '# Rules of the rehearsal',
    '',
    'The [rehearsal](rehearsal.md) judges what a service can see: requests, keys, bodies, times, your responses to notifications, and',
    'your order page. A finding is evidence. Its absence proves nothing about code that the command does not reach.',
    '',
    'Each rule has a shop that breaks it, as shops really do: `pay` sends an order, `orders` is the database. Below it are the words of',
    'the report.',
    '',
    ...names.flatMap(sectionOf),
  ].join('\n');
  const options = await prettier.resolveConfig('docs/rules.md');
  return prettier.format(page, { ...options, parser: 'markdown' });
}
