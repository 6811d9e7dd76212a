import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { NoSkips } from '../helpers/no-skips.js';
import base from '../../vitest.config.js';

/** The tests that need Chromium: `npm run test:browser`. */
export default defineConfig({
  ...(base.resolve && { resolve: base.resolve }),
  test: {
    allowOnly: false,
    reporters: ['default', new NoSkips(), ['json', { outputFile: 'coverage/reports/browser.json' }]],
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/browser/*.browser.ts'],
    // One browser at a time: what is measured should not be that of its neighbour.
    fileParallelism: false,
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
