import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { strictRun } from '../helpers/strict-run.js';
import base from '../../vitest.config.js';

/** The tests that need Redis: `npm run test:redis`. */
export default defineConfig({
  ...(base.resolve && { resolve: base.resolve }),
  test: {
    ...strictRun('redis'),
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/redis/*.redis.ts'],
    // Most of the time is spent waiting for locks to end and processes to start.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 30_000,
  },
});
