import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { memoryStorage } from './memory-storage.js';
import { storageContract } from './storage.contract.js';

storageContract('the example in memory', memoryStorage);

test('the guide shows the example in memory as it is tested', async () => {
  const guide = await readFile('docs/orders.md', 'utf8');
  expect(guide).toContain(await readFile('test/orders/memory-storage.ts', 'utf8'));
});
