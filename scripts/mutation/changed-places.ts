import { execFileSync } from 'node:child_process';

/** The lines that a diff without context adds or changes, as Stryker's option `mutate` takes them. */
export function placesOfDiff(diff: string): string[] {
  return diff.split(/^diff --git .*$/m).flatMap((part) => {
    const file = /^\+\+\+ b\/(.+)$/m.exec(part)?.[1] ?? '';
    return [...part.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)].flatMap(([, first = '', size = '1']) =>
      size === '0' ? [] : [`${file}:${first}-${Number(first) + Number(size) - 1}`],
    );
  });
}

/** The places in files that have changed since a commit; a file that was only moved has not. */
export function changedPlaces(revision: string, files: readonly string[]): string[] {
  const format = ['--unified=0', '--no-color', '--no-ext-diff', '--src-prefix=a/', '--dst-prefix=b/'];
  const args = ['diff', ...format, '--find-renames', revision, '--', 'src', 'examples'];
  const diff = execFileSync('git', args, { encoding: 'utf8', maxBuffer: Infinity });
  return placesOfDiff(diff).filter((place) => files.some((file) => place.startsWith(`${file}:`)));
}
