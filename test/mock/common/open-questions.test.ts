import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { openQuestionsPage } from '../../../scripts/open-questions-page.js';

it('docs/open-questions.md lists every decision in the words of the table (npm run open-questions writes it)', async () => {
  expect(await readFile('docs/open-questions.md', 'utf8')).toBe(await openQuestionsPage());
});
