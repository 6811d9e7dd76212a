import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { strictRun } from '../helpers/strict-run.js';
import base from '../../vitest.config.js';

const tests = 'test/browser/*.browser.ts';
const measured = 'test/browser/scrolling.browser.ts';

/** The tests that need Chromium: `npm run test:browser`. */
export default defineConfig({
  ...(base.resolve && { resolve: base.resolve }),
  test: {
    ...strictRun('browser'),
    root: fileURLToPath(new URL('../..', import.meta.url)),
    maxWorkers: 2,
    projects: [
      // Alone, because it measures what a frame costs.
      { extends: true, test: { name: 'measured', include: [measured], sequence: { groupOrder: 0 } } },
      {
        extends: true,
        test: { name: 'pages', include: [tests], exclude: [measured], sequence: { groupOrder: 1 } },
      },
    ],
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
