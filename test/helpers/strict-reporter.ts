import type { SerializedError } from 'vitest';
import type { Reporter, TestModule, TestRunEndReason, Vitest } from 'vitest/node';
import { removeReport, writeReport } from './run-report.js';

interface Failure {
  readonly name: string;
  readonly isSkip?: boolean;
}

/** Everything of a file that did not pass: itself, its hooks, its tests. */
function failuresOf(module: TestModule): Failure[] {
  const file = module.relativeModuleId;
  const within = (name: string) => `${file} > ${name}`;
  // The errors of a file come from loading it and from its hooks; the errors of a suite come from its hooks.
  return [
    ...module.errors().map(({ message }) => ({ name: `${file}: ${message}` })),
    ...[...module.children.allSuites()].flatMap((suite) =>
      suite.errors().map(({ message }) => ({ name: `${within(suite.fullName)}: ${message}` })),
    ),
    ...[...module.children.allTests()].flatMap((test): Failure[] => {
      const { state } = test.result();
      if (state === 'passed') return [];
      const name = `${within(test.fullName)}: ${state === 'pending' ? 'never ran' : state}`;
      return [{ name, isSkip: state === 'skipped' }];
    }),
  ];
}

/** A reporter that fails a run in which a test was skipped or is still to be written, and leaves a report for CI. */
export class StrictReporter implements Reporter {
  readonly #report: string;
  #root = '.';
  #isWhole = true;

  constructor(report: string) {
    this.#report = report;
  }

  onInit({ config }: Vitest): void {
    // Tests that a filter by name leaves out count as skipped, too.
    this.#isWhole = config.testNamePattern === undefined;
    this.#root = config.root;
    removeReport(this.#report, this.#root);
  }

  onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    const failures = modules.flatMap(failuresOf).filter(({ isSkip }) => !isSkip || this.#isWhole);
    for (const { name } of failures.filter(({ isSkip }) => isSkip)) {
      console.error(`Skipped, which fails the run: ${name}`);
      process.exitCode = 1;
    }
    const passed = modules.flatMap((module) => [...module.children.allTests('passed')]).length;
    const failed = [
      ...failures.map(({ name }) => name),
      ...unhandled.map(({ message }) => `unhandled error: ${message}`),
      ...(reason === 'interrupted' ? ['the run was interrupted'] : []),
    ];
    writeReport(this.#report, { passed, failed }, this.#root);
  }
}
