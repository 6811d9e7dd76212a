import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { memoryStorage } from './memory-storage.js';
import { storageContract } from './storage.contract.js';

storageContract('the example in memory', memoryStorage);

test('the guide links to the storage in memory that is tested here', async () => {
  expect(await readFile('docs/databases.md', 'utf8')).toContain('](../examples/orders/memory-storage.ts)');
});
