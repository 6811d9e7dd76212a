import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { worldsPage } from '../../../scripts/worlds-page.js';

it('docs/worlds.md has every world and value in the words of the table (npm run worlds writes it)', async () => {
  expect(await readFile('docs/worlds.md', 'utf8')).toBe(await worldsPage());
});
