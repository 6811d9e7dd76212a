import { findingRules, type RuleName } from '../src/workbench/findings/all-rules.js';
import { wrongShops } from './wrong-shops.js';
import { formatted } from './formatted.js';

/** The guide to the rules of the rehearsal, as Markdown. `npm run generate -- rules` writes it. */
export async function rulesPage(): Promise<string> {
  const names = Object.keys(findingRules) as RuleName[];
  const sectionOf = (name: RuleName) => {
    const { means, code } = wrongShops[name];
    const { level, why } = findingRules[name];
    return [
      `## ${name}`,
      '',
      `**${level === 'error' ? 'Error' : 'Warning'}:** ${means}. ${why}`,
      '',
      ...(code ? ['```', ...code, '```', ''] : []),
    ];
  };
  const page = [
    '# Rules of the rehearsal',
    '',
    'The [rehearsal](rehearsal.md) judges what it can see from outside: requests, your responses to webhooks, and your order page. It cannot judge code',
    'that your command does not run. In the wrong code below, `pay` sends an order, and `orders` is the',
    'database of the shop, not the module.',
    '',
    ...names.flatMap(sectionOf),
  ].join('\n');
  return formatted('docs/rules.md', page);
}
