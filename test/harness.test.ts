import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunReport } from './helpers/run-report.js';

describe('a run of vitest', () => {
  let folder: string;
  beforeAll(async () => {
    // Beside the tests, so that vitest is found.
    folder = await mkdtemp('test/.harness-');
    await writeFile(
      join(folder, 'vitest.config.ts'),
      `import { StrictReporter } from '../helpers/strict-reporter.js';
       import { strictRun } from '../helpers/strict-run.js';
       const reporters = [new StrictReporter('harness')];
       export default { test: { ...strictRun('harness'), include: ['*.test.ts'], reporters } };`,
    );
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  async function writeTests(file: string, code: string): Promise<void> {
    await writeFile(
      join(folder, file),
      `import { afterAll, beforeAll, describe, expect, test } from 'vitest';
       test('passes', () => { expect(1).toBe(1); });\n${code}`,
    );
  }

  /** The exit code and the errors of a run over one test file. */
  async function runOf(code: string, ...filters: string[]): Promise<{ code: number; stderr: string }> {
    await writeTests('a.test.ts', code);
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--root', folder, ...filters];
    try {
      const { stderr } = await promisify(execFile)(process.execPath, vitest);
      return { code: 0, stderr };
    } catch (error) {
      return error as { code: number; stderr: string };
    }
  }

  test('fails with .only, and with a skipped test alone', async () => {
    // In the text of a test file too, whose run has to fail.
    expect(await runOf(`test.only('one', () => { expect(1).toBe(1); });`)).toMatchObject({ code: 1 });
    expect(await runOf(`test.skip('one', () => {});`)).toMatchObject({ code: 1 });
  });

  test('passes with a filter by name, which leaves tests out on purpose', async () => {
    expect(await runOf(`test('other', () => {});`, '-t', 'passes')).toMatchObject({ code: 0 });
  });

  test('reports everything that did not pass, and its summary counts each', async () => {
    const others = {
      'before.test.ts': `describe('suite', () => {
        beforeAll(() => { throw new Error('no database'); });
        test('one', () => { expect(1).toBe(1); }); });`,
      'before-file.test.ts': `beforeAll(() => { throw new Error('no server'); });`,
      'after.test.ts': `describe('suite', () => {
        afterAll(() => { throw new Error('not closed'); });
        test('one', () => { expect(1).toBe(1); }); });`,
      'after-file.test.ts': `afterAll(() => { throw new Error('not removed'); });`,
      'collected.test.ts': `throw new Error('not collected');`,
      'rejected.test.ts': `test('one', async () => {
        void Promise.reject(new Error('nobody listens'));
        await new Promise(setImmediate);
        expect(1).toBe(1); });`,
    };
    for (const [file, code] of Object.entries(others)) await writeTests(file, code);
    try {
      // The skips are in the text of a test file that this test writes and runs: the run has to fail.
      const { code, stderr } = await runOf(`
        test('fails', () => { expect(1).toBe(2); });
        test('asserts nothing', () => {});
        test.skip('skipped', () => {});
        test.todo('to write');
        test('skips itself', ({ skip }) => skip());
        describe.skip('suite', () => { test('one', () => {}); });`);
      expect(code).toBe(1);
      expect(stderr).toContain('a.test.ts > skipped: skipped\n');
    } finally {
      for (const file of Object.keys(others)) await rm(join(folder, file));
    }
    const reports = join(folder, 'coverage/reports');
    const report = JSON.parse(await readFile(join(reports, 'harness.json'), 'utf8')) as RunReport;

    // `passes` of each file but the one that was not collected, and the one whose hook failed before it.
    expect({ ...report, failed: report.failed.toSorted() }).toEqual({
      passed: 7,
      failed: [
        'a.test.ts > asserts nothing: failed',
        'a.test.ts > fails: failed',
        'a.test.ts > skipped: skipped',
        'a.test.ts > skips itself: skipped',
        'a.test.ts > suite > one: skipped',
        'a.test.ts > to write: skipped',
        'after-file.test.ts: not removed',
        'after.test.ts > suite: not closed',
        'before-file.test.ts > passes: skipped',
        'before-file.test.ts: no server',
        'before.test.ts > suite > one: skipped',
        'before.test.ts > suite: no database',
        'collected.test.ts: not collected',
        'unhandled error: nobody listens',
      ],
    });
    const { stdout } = await promisify(execFile)('node', [
      '.ci/summary.mjs',
      reports,
      '1:harness:vitest',
    ]).catch((error: unknown) => error as { stdout: string });
    expect(stdout).toMatch(/\n7 passed, 14 failed\n$/);
  });
});
