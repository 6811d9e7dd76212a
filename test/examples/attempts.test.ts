import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { statements } from '../../examples/postgres/attempts.js';

test('the guide shows the statements of examples/postgres/attempts.ts as they are', async () => {
  const guide = await readFile('docs/after-the-redirect.md', 'utf8');
  const [, shown] = /```sql\n(.*?)\n```/s.exec(guide) ?? [];

  expect(shown).toBe(`${Object.values(statements).join(';\n').trim()};`);
});
