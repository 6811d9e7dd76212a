import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seed } from './helpers/seed.js';

test('a property that fails names the seed that repeats it', () => {
  const fail = () => {
    fc.assert(fc.property(fc.nat(), (number) => number < 5));
  };

  expect(fail).toThrow(`TEST_SEED=${seed} repeats this run.`);
  expect(fail).toThrow('Counterexample: [5]');
});

describe('a run of vitest', () => {
  let folder: string;
  beforeAll(async () => {
    // Beside the tests, so that vitest is found.
    folder = await mkdtemp('test/.harness-');
    await writeFile(
      join(folder, 'vitest.config.ts'),
      `import { NoSkips } from '../helpers/no-skips.js';
       import { strictRun } from '../helpers/strict-run.js';
       export default { test: { ...strictRun('harness'), include: ['*.test.ts'], reporters: [new NoSkips()] } };`,
    );
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  /** The exit code and the errors of a run over one test file. */
  async function runOf(code: string, ...filters: string[]): Promise<{ code: number; stderr: string }> {
    await writeFile(
      join(folder, 'a.test.ts'),
      `import { describe, expect, test } from 'vitest';\ntest('passes', () => { expect(1).toBe(1); });\n${code}`,
    );
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--root', folder, ...filters];
    try {
      const { stderr } = await promisify(execFile)(process.execPath, vitest);
      return { code: 0, stderr };
    } catch (error) {
      return error as { code: number; stderr: string };
    }
  }

  // The skips are in the text of a test file that this test writes and runs: the run has to fail.
  test('fails with every test that was skipped or is to be written, and names it', async () => {
    const { code, stderr } = await runOf(`
      test.skip('one', () => {});
      test.todo('two');
      test('three', ({ skip }) => skip());
      describe.skip('of', () => { test('four', () => {}); });`);

    expect(code).toBe(1);
    for (const name of ['one', 'two', 'three', 'of > four'])
      expect(stderr).toContain(`a.test.ts > ${name}\n`);
  });

  test('passes with a filter by name, which leaves tests out on purpose', async () => {
    expect(await runOf(`test('other', () => {});`, '-t', 'passes')).toMatchObject({ code: 0 });
  });

  test('fails with a test that asserts nothing, for which waiting by expect.poll is enough', async () => {
    expect(await runOf(`test('one', () => {});`)).toMatchObject({ code: 1 });
    expect(await runOf(`test('one', async () => { await expect.poll(() => 1).toBe(1); });`)).toMatchObject({
      code: 0,
    });
  });

  test('fails with .only', async () => {
    // In the text of a test file too, whose run has to fail.
    expect(await runOf(`test.only('one', () => {});`)).toMatchObject({ code: 1 });
  });
});
