import { statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { defineConfig } from 'vitest/config';
import all from '../../vitest.config.js';

/** Small files first: a mutant is judged by the first test that fails, and theirs come soonest. */
class SmallFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const size = ({ moduleId }: TestSpecification) => statSync(moduleId).size;
    return Promise.resolve(files.sort((a, b) => size(a) - size(b)));
  }
}

/** The quick tests of the mutated rooms, all in this process: each runs once for every mutant that it reaches. */
export default defineConfig({
  ...(all.resolve && { resolve: all.resolve }),
  test: {
    include: [
      'test/{errors,http,lender,operations,options,protocol}/**/*.test.ts',
      'test/mock/{controls,service,state}/**/*.test.ts',
      'test/mock/{create-mock,samples}.test.ts',
      'test/faults/answers.test.ts',
      'test/client.test.ts',
    ],
    exclude: [
      // They start processes, or repeat one thing many thousand times.
      'test/http/{lean,limits-on-the-wire}.test.ts',
      'test/mock/state/soak.test.ts',
      'test/operations/{file-handover,idempotency-key}.test.ts',
      'test/protocol/urls.test.ts',
    ],
    setupFiles: 'test/helpers/seed.ts',
    env: { TEST_SEED: '1', TEST_RUNS_SHARE: '0.02' },
    // One context for all files: a mutant takes a moment, not seconds. Code that runs while a module loads has run by then,
    // so its mutants cannot be judged here (`ignoreStatic`).
    isolate: false,
    sequence: { sequencer: SmallFirst },
    // Mutants that hang are ended by Stryker; a busy machine needs long for its first run.
    testTimeout: 120_000,
  },
});
