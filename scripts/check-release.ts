/** Run by `npm run release` before anything else: what would stop it at its end is said at once. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { publishingProblems, releaseProblems, type Release } from './release-problems.js';

const read = (path: string) => readFileSync(path, 'utf8');
const npmVersion = execFileSync('npm', ['--version'], { encoding: 'utf8' }).trim();
const problems = [
  ...releaseProblems(JSON.parse(read('package.json')) as Release, read('CHANGELOG.md')),
  ...publishingProblems(process.env, npmVersion),
];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
