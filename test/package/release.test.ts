import { expect, test } from 'vitest';
import { releaseProblems } from './release-problems.js';

const repository = { url: 'git+https://code.example/installment-payments.git' };
const changelog = '# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-11-21\n';

test('a release goes out with a repository and its section of the changelog', () => {
  expect(releaseProblems({ version: '1.2.0', repository }, changelog)).toEqual([]);
});

test.each([
  ['without a repository', { version: '1.2.0' }, 'repository.url'],
  ['with an empty repository', { version: '1.2.0', repository: {} }, 'repository.url'],
  ['of a version that the changelog does not have', { version: '1.2', repository }, '## [1.2]'],
])('a release %s is stopped, and told why', (_name, release, problem) => {
  expect(releaseProblems(release, changelog)).toEqual([expect.stringContaining(problem)]);
});
