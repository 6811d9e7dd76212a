/**
 * Writes committed files that are generated:
 *
 *   npm run generate                    all files that a test compares with their sources
 *   npm run generate -- NAME...         some of them, by the names of `generated-files.ts`
 *   npm run generate -- screenshots     the pictures of the README, with Debian's Chromium
 */
import { writeFile } from 'node:fs/promises';
import { generatedFiles } from './generated-files.js';

const programs: Readonly<Record<string, () => Promise<unknown>>> = {
  screenshots: () => import('./screenshots.js'),
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in generatedFiles) && !(name in programs));
if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}`);

for (const name of names.length > 0 ? names : Object.keys(generatedFiles)) {
  for (const [path, write] of Object.entries(generatedFiles[name] ?? {}))
    await writeFile(path, await write());
  await programs[name]?.();
}
