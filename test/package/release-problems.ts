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
