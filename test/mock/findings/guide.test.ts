import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { rules } from '../../../src/mock/findings/rules.js';

it('the guide to rehearsals has all rules, in the same words', () => {
  const guide = readFileSync(new URL('../../../docs/rehearsal.md', import.meta.url), 'utf8');
  const rows = [...guide.matchAll(/^\| `([\w-]+)` +\| (error|warning) +\| (.*?) +\|$/gm)];
  expect(rows.map(([, name, level, means]) => [name, level, means?.replaceAll('`', '')])).toEqual(
    Object.entries(rules).map(([name, { level, means }]) => [name, level, means]),
  );
});
