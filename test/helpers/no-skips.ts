import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** A reporter that fails a run in which a test was skipped or is still to be written. */
export class NoSkips implements Reporter {
  #isWhole = true;

  onInit({ config }: Vitest): void {
    // What a filter by name leaves out counts as skipped, too.
    this.#isWhole = config.testNamePattern === undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (!this.#isWhole) return;
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        console.error(`Skipped, which fails the run: ${module.relativeModuleId} > ${test.fullName}`);
        process.exitCode = 1;
      }
    }
  }
}
