import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { strictRun } from './test/helpers/strict-run.js';
import { WaitingFirst } from './test/helpers/waiting-first.js';

const source = (path: string) => fileURLToPath(new URL(`src/${path}`, import.meta.url));
// Long runs of random, of many requests, of vitest itself, and processes that are killed or speak other languages:
// `npm run test:slow`.
const slowTests = [
  'test/examples/containers.test.ts',
  'test/examples/other-languages.test.ts',
  'test/{examples,queue}/rehearsed*.test.ts',
  'test/examples/shop-killed.test.ts',
  'test/faults/{processes,send-before}.test.ts',
  'test/harness.test.ts',
  'test/workbench/diagnosis/random.test.ts',
  'test/workbench/rehearsal/planted.test.ts',
  'test/mock/state/soak.test.ts',
  'test/proxies/*.test.ts',
  'test/simulation/long.test.ts',
];
// The package under other compilers, another test runner, and the SDK of OpenTelemetry.
const compilers = ['compilers', 'jest', 'nestjs', 'opentelemetry'].map(
  (name) => `test/package/${name}.test.ts`,
);
// Tests of the sources that take seconds each: `npm run check` has them, `npm test` has not.
const longTests = [
  'examples/shop/worlds.test.ts',
  'test/{documentation,readme}.test.ts',
  'test/examples/{examples,quickstart}.test.ts',
  'test/faults/{callers,fuzz,network}.test.ts',
  'test/workbench/diagnosis/work.test.ts',
  'test/workbench/rehearsal/{checkout,forged-notifications}.test.ts',
  'test/scripts/generated-files.test.ts',
];
// Tests leave nothing behind, so that most of them run in one context: modules are loaded once. These have one of their own:
// they replace modules, or globals that modules read while they load.
const alone = [
  'examples/checkout-msw.test.ts',
  'test/{examples,webhooks}/frameworks.test.ts',
  'test/fresh-modules.test.ts',
  'test/{http,mock/adapters}/msw.test.ts',
  'test/workbench/diagnosis/when-read.test.ts',
  'test/opentelemetry/http-instrumentation.test.ts',
  'test/simulation/simulation.test.ts',
];
// Each run adds a report of its own to those that CI sums up, named for the script that started it.
const reports = { source: 'unit', types: 'package', slow: 'slow' } as const;
const report = Object.entries(reports).find(([project]) => process.argv.includes(project))?.[1] ?? 'tests';
const isShuffled = process.argv.includes('--sequence.shuffle.files');
const packageTests = ['test/package/**/*.test.ts', 'test/bundlers/*.test.ts'];

export default defineConfig({
  resolve: {
    alias: [
      { find: /^installment-payments$/, replacement: source('index.ts') },
      { find: /^installment-payments\/bullmq$/, replacement: source('bullmq/index.ts') },
      { find: /^installment-payments\/lender$/, replacement: source('lender/index.ts') },
      { find: /^installment-payments\/mock$/, replacement: source('mock/index.ts') },
      { find: /^installment-payments\/mock\/msw$/, replacement: source('mock/adapters/msw.ts') },
      { find: /^installment-payments\/mock\/remote$/, replacement: source('workbench/remote/index.ts') },
      { find: /^installment-payments\/opentelemetry$/, replacement: source('opentelemetry/index.ts') },
      { find: /^installment-payments\/queue$/, replacement: source('queue/index.ts') },
      { find: /^installment-payments\/webhooks$/, replacement: source('webhooks/index.ts') },
    ],
  },
  test: {
    // Much of the work is done by processes that tests start; a worker for each core keeps none idle. The slow suite has one
    // more, because its longest files mostly wait.
    maxWorkers: availableParallelism() + (process.argv.includes('slow') ? 1 : 0),
    // A sequencer of one's own would leave the files in their order: --sequence.shuffle.files --sequence.seed=1
    sequence: isShuffled ? {} : { sequencer: WaitingFirst },
    // Many tests start processes, which take long on a machine that is busy with something else.
    testTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'source',
          include: alone,
        },
      },
      {
        extends: true,
        test: {
          name: 'pure',
          include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: [...packageTests, ...slowTests, ...longTests, ...alone, '**/node_modules/**'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'long', include: longTests, isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: slowTests,
          // Rehearsals mostly wait.
          maxConcurrency: 12,
        },
      },
      {
        extends: true,
        test: {
          // The fault suite once more, over an injected fetch.
          name: 'fetch',
          include: ['test/faults/{network,answers,callers}.test.ts'],
          env: { TRANSPORT: 'fetch' },
        },
      },
      {
        extends: true,
        test: {
          name: 'types',
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            checker: source('../node_modules/typescript7/bin/tsc'),
            include: ['test/types/*.test-d.ts'],
            tsconfig: 'test/types/tsconfig.json',
          },
        },
      },
      {
        extends: true,
        test: {
          name: 'package',
          include: ['test/package/**/*.test.ts'],
          exclude: [...compilers, '**/node_modules/**'],
          globalSetup: 'test/package/setup.ts',
          testTimeout: 120_000,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'compilers',
          include: compilers,
          globalSetup: 'test/package/setup.ts',
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'bundlers',
          include: ['test/bundlers/*.test.ts'],
          globalSetup: 'test/bundlers/setup.ts',
          testTimeout: 120_000,
        },
      },
    ],
    ...strictRun(report),
    setupFiles: ['test/helpers/seed.ts', 'test/helpers/setup-request-watch.ts'],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.{ts,tsx}'],
      // Code for browsers is covered by the tests that run there.
      exclude: ['src/**/*-types.ts', 'src/*/*/browser/**'],
      // Beside it stand the reports of the test runs.
      reportsDirectory: 'coverage/source',
      reporter: ['text-summary', 'json-summary', 'html'],
      thresholds: { lines: 95, branches: 95 },
    },
  },
});
