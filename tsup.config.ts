import { defineConfig } from 'tsup';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'lender/index': 'src/lender/index.ts',
    'mock/index': 'src/mock/index.ts',
    'mock/msw': 'src/mock/adapters/msw.ts',
    cli: 'src/mock/cli.ts',
  },
  format: ['esm', 'cjs'],
  target: 'node20',
  platform: 'node',
  dts: true,
  sourcemap: true,
  splitting: true,
  clean: true,
});
