import { statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { defineConfig } from 'vitest/config';
import all from '../../vitest.config.js';
import { modules } from './modules.js';

/**
 * Small files first: a mutant is judged by the first test that fails, and theirs come soonest. Last the one that loads
 * all modules of a module.
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
// Code that runs while a module loads is judged in a step of its own, where each test file loads all modules again.
const freshModules = MUTATION_STEP.endsWith('modules');

/** The tests of a module, or of its callers, in this process: each runs once for every mutant that it reaches. */
export default defineConfig({
  ...(all.resolve && { resolve: all.resolve }),
  test: {
    // Not by Stryker's --testFiles, which would not judge the code that runs while a module loads.
    include: [
      ...((isOfCallers ? module?.callers : module?.tests) ?? []),
      ...(freshModules ? ['scripts/mutation/loads.module.ts'] : []),
      ...(freshModules && module?.callers ? ['test/isolated/fresh-modules.test.ts'] : []),
    ],
    exclude: [
      // Those have judged before.
      ...(isOfCallers ? (module?.tests ?? []) : []),
      // They start processes that do not see a change, or repeat one thing many thousand times.
      'test/workbench/cli/{large-files,process}.test.ts',
      'test/http/{descriptors,limits-on-the-wire}.test.ts',
      'test/operations/{file-handover,idempotency-key,unreadable-file}.test.ts',
      'test/protocol/urls.test.ts',
    ],
    setupFiles: ['test/helpers/seed.ts', ...(freshModules ? [] : ['scripts/mutation/load-modules.ts'])],
    env: { TEST_SEED: '1', TEST_RUNS_SHARE: '0.02' },
    isolate: freshModules,
    // Else what one test reaches counts as reached by another one.
    maxConcurrency: 1,
    sequence: { sequencer: SmallFirst },
    // Mutants that hang are ended by Stryker; a busy machine needs long for its first run.
    testTimeout: 120_000,
  },
});
