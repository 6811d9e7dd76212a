import { expect, test } from 'vitest';
import { publishingProblems, releaseProblems } from '../../scripts/release-problems.js';

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

const trusted = { ACTIONS_ID_TOKEN_REQUEST_URL: 'https://ci.example/token' };

test.each(['11.5.1', '11.6.0', '12.0.0'])(
  'a job that npm trusts publishes without a token, with npm %s',
  (npm) => {
    expect(publishingProblems(trusted, npm)).toEqual([]);
  },
);

test.each([
  ['with a token', { ...trusted, NODE_AUTH_TOKEN: 'npm_secret' }, '11.5.1', 'NODE_AUTH_TOKEN is set'],
  ['outside of CI', {}, '11.5.1', 'id-token: write'],
  ['with npm 11.5.0', trusted, '11.5.0', 'too old'],
  ['with npm 10', trusted, '10.9.9', 'too old'],
])('publishing %s is stopped, and told why', (_name, variables, npm, problem) => {
  const problems = publishingProblems(variables, npm);
  expect(problems).toEqual([expect.stringContaining(problem)]);
  expect(problems.join()).not.toContain('npm_secret');
});
