import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The result of one run, which `.ci/summary.mjs` adds to the others. */
export interface RunReport {
  /** How many tests passed. */
  readonly passed: number;
  /** Everything that failed: tests, hooks, files that could not be loaded, skipped tests, unhandled errors. */
  readonly failed: readonly string[];
}

const pathOf = (name: string, root: string) => join(root, 'coverage/reports', `${name}.json`);

export function writeReport(name: string, report: RunReport, root = '.'): void {
  const path = pathOf(name, root);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(report, null, 2));
}

/** Removes the report of an earlier run, so that a run that is killed leaves none. */
export function removeReport(name: string, root = '.'): void {
  rmSync(pathOf(name, root), { force: true });
}
