import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { strictRun } from '../helpers/strict-run.js';
import base from '../../vitest.config.js';

/** The tests of pages and of the site, most of which need Chromium: `npm run test:browser`. */
export default defineConfig({
  ...(base.resolve && { resolve: base.resolve }),
  test: {
    ...strictRun('browser'),
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/browser/*.browser.ts'],
    // Two files read the site: it is built once, before them.
    globalSetup: 'test/browser/build-site.ts',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
