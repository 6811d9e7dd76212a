import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { strictRun } from '../helpers/strict-run.js';
import base from '../../vitest.config.js';

/** The tests that need Chromium: `npm run test:browser`. */
export default defineConfig({
  ...(base.resolve && { resolve: base.resolve }),
  test: {
    ...strictRun('browser'),
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/browser/*.browser.ts'],
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
