import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { publicApi } from '../../scripts/public-api.js';

const packed = join(inject('packed').consumer, 'node_modules/installment-payments');

test('the public types of all entries are as public-api.txt lists them; after a change, `npm run api` writes it again', async () => {
  const written = await readFile('test/package/public-api.txt', 'utf8');
  expect(await publicApi(packed)).toBe(written);
});
