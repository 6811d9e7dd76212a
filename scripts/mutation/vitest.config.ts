import { statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { defineConfig } from 'vitest/config';
import all from '../../vitest.config.js';
import { modules } from './modules.js';

/**
 * Sorts small files first, because the first test that fails decides about a mutant. The file that loads
 * all modules of a module comes last.
 */
class SmallFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const size = ({ moduleId }: TestSpecification) =>
      moduleId.endsWith('.module.ts') ? Infinity : statSync(moduleId).size;
    return Promise.resolve(files.sort((a, b) => size(a) - size(b)));
  }
}

const { MUTATION_STEP = '', MUTATION_MODULE = '' } = process.env;
const module = modules[MUTATION_MODULE];
const isOfCallers = MUTATION_STEP.startsWith('callers');
// Code that runs while a module loads is checked in a separate step, in which each test file loads all modules again.
const freshModules = MUTATION_STEP.endsWith('modules');

/** The tests of a module, or of its callers, in this process. Each runs once for every mutant that it reaches. */
export default defineConfig({
  ...(all.resolve && { resolve: all.resolve }),
  test: {
    // Stryker's --testFiles is not used, because it would not check the code that runs while a module loads.
    include: [
      ...((isOfCallers ? module?.callers : module?.tests) ?? []),
      ...(freshModules ? ['scripts/mutation/loads.module.ts'] : []),
      ...(freshModules && module?.callers ? ['test/isolated/fresh-modules.test.ts'] : []),
    ],
    exclude: [
      // These tests ran in an earlier step.
      ...(isOfCallers ? (module?.tests ?? []) : []),
      // These tests start processes that do not contain a change, or repeat an action thousands of times.
      'test/workbench/cli/{large-files,process.slow}.test.ts',
      'test/http/{descriptors.slow,limits-on-the-wire}.test.ts',
      'test/operations/{file-handover,idempotency-key,unreadable-file}.test.ts',
      'test/protocol/urls.test.ts',
    ],
    setupFiles: ['test/helpers/seed.ts', ...(freshModules ? [] : ['scripts/mutation/load-modules.ts'])],
    env: { TEST_SEED: '1', TEST_RUNS_SHARE: '0.02' },
    isolate: freshModules,
    // Without this, code that one test reaches counts as reached by another test.
    maxConcurrency: 1,
    sequence: { sequencer: SmallFirst },
    // Stryker ends mutants that hang. A busy machine needs a long time for the first run.
    testTimeout: 120_000,
  },
});
