import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string) => fileURLToPath(new URL(`src/${path}`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^installment-payments$/, replacement: source('index.ts') },
      { find: /^installment-payments\/lender$/, replacement: source('lender/index.ts') },
      { find: /^installment-payments\/mock$/, replacement: source('mock/index.ts') },
      { find: /^installment-payments\/mock\/msw$/, replacement: source('mock/adapters/msw.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/**/*-types.ts'],
      reporter: ['text-summary', 'json-summary', 'html'],
      thresholds: { lines: 95, branches: 95 },
    },
  },
});
