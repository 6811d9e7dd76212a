import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { memoryStorage } from './memory-storage.js';
import { storageContract } from './storage.contract.js';

storageContract('the example in memory', memoryStorage);

test('the guide shows the example in memory as it is tested', async () => {
  const guide = await readFile('docs/orders.md', 'utf8');
  const source = await readFile('src/workbench/cli/memory-storage.ts', 'utf8');
  const asShown = source.replace(/^\/\/.*\n/, '').replace('../../orders/storage.js', 'installment-payments/orders');
  expect(guide).toContain(asShown);
});
