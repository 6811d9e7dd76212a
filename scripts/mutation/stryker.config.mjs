// One step of `npm run test:mutation`. The environment selects the code that it checks.
import { addMoreMutators } from './more-mutators.mjs';

const step = process.env.MUTATION_STEP ?? 'calls';
if (process.env.MUTATION_MODULE === 'orders/shell') await addMoreMutators();

export default {
  testRunner: 'vitest',
  vitest: { configFile: 'scripts/mutation/vitest.config.ts', related: false },
  plugins: ['@stryker-mutator/vitest-runner'],
  ignorePatterns: ['/dist', '/site', '/coverage', '/scripts/bench', '/test/browser'],
  coverageAnalysis: 'perTest',
  ignoreStatic: !step.endsWith('modules'),
  reporters: ['json', 'progress-append-only'],
  jsonReporter: { fileName: process.env.MUTATION_REPORT ?? 'coverage/mutation/report.json' },
  tempDirName: 'coverage/mutation/sandbox',
  concurrency: Number(process.env.MUTATION_CONCURRENCY ?? 2),
  // Stryker adds its own start, about 6 s, and one and a half times the duration of the mutant's tests.
  timeoutMS: 3000,
  // Code that runs while a module loads needs a long time, and is included here.
  warnings: { slow: false },
  // The script checks the score over all steps.
  thresholds: { break: null },
};
