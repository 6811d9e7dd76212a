import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { resultStatusesPage } from '../../scripts/result-statuses-page.js';

it('docs/result-statuses.md has every status in the words of the table (npm run result-statuses writes it)', async () => {
  expect(await readFile('docs/result-statuses.md', 'utf8')).toBe(await resultStatusesPage());
});
