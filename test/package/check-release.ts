/** Run by `npm run release` before anything else: what would stop it at its end is said at once. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publishingProblems, releaseProblems, type Release } from './release-problems.js';
import { root, succeed } from './support.js';

const read = (path: string) => readFile(join(root, path), 'utf8');
const npmVersion = (await succeed('npm', ['--version'], root)).trim();
const problems = [
  ...releaseProblems(JSON.parse(await read('package.json')) as Release, await read('CHANGELOG.md')),
  ...publishingProblems(process.env, npmVersion),
];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
