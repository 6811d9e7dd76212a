import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { publicApi } from '../../scripts/public-api.js';

const packed = join(inject('packed').consumer, 'node_modules/installment-payments');

test('the public types of all entries are as public-api.txt lists them; after a change, `npm run api` writes it again', async () => {
  const written = await readFile('test/package/public-api.txt', 'utf8');
  expect(await publicApi(packed)).toBe(written);
});

test('all entries together export at most 150 names', async () => {
  const written = await readFile('test/package/public-api.txt', 'utf8');
  const exported = written.matchAll(/^ {2}(?:type )?(\w+)$/gm);
  const names = new Set(Array.from(exported, ([, name]) => name));

  expect(names).toContain('InstallmentClient');
  expect(names.size).toBeLessThanOrEqual(150);
});
