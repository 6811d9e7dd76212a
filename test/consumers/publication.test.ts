import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publint } from 'publint';
import { expect, inject, test } from 'vitest';

const { consumer, tarball } = inject('packed');

test('publint finds nothing', async () => {
  const { messages } = await publint({
    pkgDir: join(consumer, 'node_modules', 'installment-payments'),
    strict: true,
  });

  expect(messages).toEqual([]);
});

test('the types are right for ESM, CommonJS, bundlers, and compilers without support for exports', async () => {
  const analysis = await checkPackage(createPackageFromTarballData(await readFile(tarball)));

  expect(analysis.types).toBeTruthy();
  expect(analysis.types && analysis.problems).toEqual([]);
});
