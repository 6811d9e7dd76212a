/** The entries, by the names in package.json's exports. */
export const entries = {
  index: 'src/index.ts',
  bullmq: 'src/bullmq/index.ts',
  lender: 'src/lender/index.ts',
  'mock/index': 'src/mock/index.ts',
  'mock/msw': 'src/mock/adapters/msw.ts',
  'mock/remote': 'src/workbench/remote/index.ts',
  opentelemetry: 'src/opentelemetry/index.ts',
  queue: 'src/queue/index.ts',
  webhooks: 'src/webhooks/index.ts',
};
