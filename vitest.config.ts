import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/**/*-types.ts'],
      reporter: ['text-summary', 'json-summary', 'html'],
      thresholds: { lines: 95, branches: 95 },
    },
  },
});
