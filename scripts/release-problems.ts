/** The parts of a release. */
export interface Release {
  readonly version: string;
  readonly repository?: { readonly url?: string };
}

/** The problems of a release, in words; empty if it may go out. */
export function releaseProblems({ version, repository }: Release, changelog: string): string[] {
  const problems: string[] = [];
  if (!repository?.url) {
    problems.push(
      'package.json has no repository.url: npm attests provenance only for the repository that is named there',
    );
  }
  if (!changelog.includes(`\n## [${version}] - `)) {
    problems.push(
      `CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD": move there what is unreleased`,
    );
  }
  return problems;
}

/** A variable with which a job proves what it is (OIDC), for each kind of CI that npm trusts. */
const identityVariables = ['ACTIONS_ID_TOKEN_REQUEST_URL', 'NPM_ID_TOKEN', 'CIRCLE_OIDC_TOKEN_V2'];
const tokenVariables = ['NODE_AUTH_TOKEN', 'NPM_TOKEN'];
const oldestNpm = [11, 5, 1];

function isOlder(version: string, least: readonly number[]): boolean {
  const parts = version.split('.').map(Number);
  const differing = least.findIndex((number, index) => parts[index] !== number);
  return differing !== -1 && !((parts[differing] ?? NaN) > (least[differing] ?? 0));
}

/** The reasons for which npm would publish with a token, or not at all, in words. */
export function publishingProblems(
  variables: Readonly<Record<string, string | undefined>>,
  npmVersion: string,
): string[] {
  const problems = tokenVariables
    .filter((name) => variables[name])
    .map((name) => `${name} is set: a release is published without a token, by npm's trusted publishing`);
  if (!identityVariables.some((name) => variables[name])) {
    problems.push(
      `none of ${identityVariables.join(', ')} is set: publish from the CI job that npm trusts, with permission to ` +
        'ask for an identity token (id-token: write)',
    );
  }
  if (isOlder(npmVersion, oldestNpm)) {
    problems.push(`npm ${npmVersion} is too old for trusted publishing: use ${oldestNpm.join('.')} or newer`);
  }
  return problems;
}
