import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import type { ProjectConfig } from 'vitest/node';
import { entries } from './scripts/entries.js';

const here = fileURLToPath(new URL('.', import.meta.url));

/** The test files that are not in the project `unit`, by project. */
const files = {
  isolated: ['test/isolated/**/*.test.ts', 'examples/*.test.ts'],
  slow: ['test/{slow,examples,proxies}/**/!(*.nightly).test.ts', 'test/**/*.slow.test.ts'],
  package: ['test/package/*.test.ts'],
  consumers: ['test/consumers/*.test.ts'],
  nightly: ['test/**/*.nightly.test.ts'],
};

function project(name: string, include: string[], options: ProjectConfig = {}): TestProjectConfiguration {
  return { extends: true, test: { name, include, ...options } };
}

export default defineConfig({
  resolve: {
    alias: entries.map(([specifier, source]) => ({
      find: new RegExp(`^${specifier}$`),
      replacement: here + source,
    })),
  },
  test: {
    allowOnly: false,
    expect: { requireAssertions: true },
    // Many tests start processes, which take long on a machine that is busy with something else.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ['test/helpers/seed.ts', 'test/helpers/setup-request-watch.ts'],
    projects: [
      // Each of these tests undoes what it changes, so all tests of a worker share one context, and load modules once.
      project('unit', ['test/**/*.test.ts', 'examples/**/*.test.ts'], {
        exclude: [...Object.values(files).flat(), '**/node_modules/**'],
        isolate: false,
      }),
      // These tests replace modules, or globals that modules read while they load.
      project('isolated', files.isolated),
      // Long runs, and processes that are killed or speak other languages. Most of them wait.
      project('slow', files.slow, { maxConcurrency: 12, isolate: false }),
      // These tests need minutes of processor time, for code that changes seldom. They run each night and before a release.
      project('nightly', files.nightly),
      // The fault suite once more, over an injected fetch.
      project('fetch', ['test/faults/{network,answers,callers}.slow.test.ts'], {
        env: { TRANSPORT: 'fetch' },
      }),
      // The package as it was built last.
      project('package', files.package, {
        globalSetup: 'test/package/setup.ts',
        isolate: false,
      }),
      // The built package with the compilers, test runners, frameworks and bundlers of merchants.
      project('consumers', files.consumers, { globalSetup: 'test/package/setup.ts' }),
      // Pages and the site, most in Chromium. Axe takes long on a busy machine.
      project('browser', ['test/browser/*.browser.ts'], {
        globalSetup: 'test/browser/build-site.ts',
        testTimeout: 180_000,
      }),
      // Orders over real databases, by workers that are killed and suspended: these tests wait for claims to end.
      project('databases', ['test/databases/*.databases.ts'], {
        globalSetup: 'test/databases/setup.ts',
      }),
    ],
    // Many tests wait for processes that they have started, so one worker for each core does not overload the machine.
    maxWorkers: availableParallelism(),
    coverage: {
      provider: 'v8',
      include: ['src/**/*.{ts,tsx}'],
      exclude: [
        'src/**/*-types.ts',
        // Tests in browsers and slow rehearsals cover these files, and are not measured.
        'src/{mock/payment-page,workbench/inspector}/browser/**',
        'src/workbench/{rehearsal/**,cli/rehearse*}',
      ],
      reporter: ['text-summary', 'html'],
      thresholds: { lines: 95, branches: 95 },
    },
  },
});
