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

test('the types are right for ESM, CommonJS and bundlers', async () => {
  const analysis = await checkPackage(createPackageFromTarballData(await readFile(tarball)));

  // node10 is the resolution of Node before version 12: it knows no exports.
  const problems = (analysis.types && analysis.problems) || [];
  expect(analysis.types).toBeTruthy();
  expect(
    problems.filter((problem) => !('resolutionKind' in problem && problem.resolutionKind === 'node10')),
  ).toEqual([]);
});
