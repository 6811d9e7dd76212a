import type { KnipConfig } from 'knip';
import { entries } from './scripts/entries.js';

export default {
  entry: [
    ...entries.map(([, source]) => source),
    'src/**/browser/*.ts',
    'docs/.vitepress/{build,config}.ts',
    'docs/.vitepress/theme/index.ts',
    'examples/**/*.{ts,tsx}',
    'test/**/*.{test,test-d}.ts',
    'scripts/mutation/*.{ts,mjs}',
    'test/examples/serve-next-route.ts',
    'test/faults/children/*.ts',
    'test/orders/{mutation,search}/main.ts',
    'test/orders/mutation/shell.ts',
    'test/**/merchants/{right,wrong}/*.ts',
    'test/package/consumer/*.ts',
    'test/runtimes/*.ts',
    'test/databases/*.databases.ts',
    'test/databases/{setup,worker}.ts',
  ],
  project: [
    'src/**/*.{ts,tsx}',
    'test/**/*.ts',
    'scripts/**/*.ts',
    'docs/.vitepress/**/*.ts',
    'examples/**/*.{ts,tsx}',
  ],
  ignore: ['scripts/bench/**'],
  stryker: 'scripts/mutation/stryker.config.mjs',
  typedoc: 'docs/.vitepress/typedoc.mjs',
  ignoreExportsUsedInFile: true,
  ignoreDependencies: ['axe-core'],
} satisfies KnipConfig;
