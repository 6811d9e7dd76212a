/** Run by `npm run release` before anything else: what would stop it at its end is said at once. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { releaseProblems, type Release } from './release-problems.js';
import { root } from './support.js';

const read = (path: string) => readFile(join(root, path), 'utf8');
const problems = releaseProblems(
  JSON.parse(await read('package.json')) as Release,
  await read('CHANGELOG.md'),
);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
