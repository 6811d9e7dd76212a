import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeReport, writeReport } from './helpers/run-report.js';

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'summary-'));
  writeReport('good', { passed: 5, failed: [] }, root);
  writeReport('bad', { passed: 2, failed: ['a.test.ts: no server', 'a.test.ts > one: skipped'] }, root);
  writeReport('empty', { passed: 0, failed: [] }, root);
  writeReport('removed', { passed: 1, failed: [] }, root);
  removeReport('removed', root);
  await writeFile(join(root, 'coverage/reports/cut.json'), '{"passed":');
});
afterAll(async () => {
  await rm(root, { recursive: true });
});

function summaryOf(steps: readonly string[]): Promise<{ failed: boolean; lines: string[] }> {
  const args = ['.ci/summary.mjs', join(root, 'coverage/reports'), ...steps];
  return new Promise((resolve) => {
    execFile(process.execPath, args, (error, stdout) => {
      resolve({ failed: error !== null, lines: stdout.trimEnd().split('\n') });
    });
  });
}

describe('the summary of a run', () => {
  test('adds up the reports of steps that passed', async () => {
    expect(await summaryOf(['0:good:vitest', '0::npm run build', '0:good,good:vitest'])).toEqual({
      failed: false,
      lines: ['15 passed, 0 failed'],
    });
  });

  test.each([
    ['a report with failures, by each of them', ['1:bad:vitest'], 2, ['bad: a.test.ts: no server']],
    ['failures of a command that passed', ['0:bad:vitest'], 2, ['bad: a.test.ts > one: skipped']],
    ['a missing report', ['0:redis:vitest'], 0, ['redis: left no report']],
    ['a report that was removed at the start of a run', ['1:removed:vitest'], 0, ['removed: left no report']],
    ['half a report', ['1:cut:vitest'], 0, ['cut: left no report']],
    ['a run without a test', ['0:empty:vitest'], 0, ['empty: no test ran']],
    ['a command that leaves no report', ['2::npm run lint'], 0, ['npm run lint ended with code 2']],
    ['a command whose tests all passed', ['1:good:npm run check'], 5, ['npm run check ended with code 1']],
  ])('counts as failed %s', async (_what, steps, passed, [failure = '']) => {
    const { failed, lines } = await summaryOf(['0:good:vitest', ...steps]);
    const count = steps.some((step) => step.includes(':bad:')) ? 2 : 1;

    expect(failed).toBe(true);
    expect(lines).toContain(`failed  ${failure}`);
    expect(lines.at(-1)).toBe(`${5 + passed} passed, ${count} failed`);
  });

  test('counts a command once that failed because of its tests', async () => {
    expect((await summaryOf(['1:bad:vitest'])).lines.at(-1)).toBe('2 passed, 2 failed');
  });
});

test('every suite that CI starts must leave its report', async () => {
  const script = await readFile('.ci/run', 'utf8');
  const steps = [...script.matchAll(/^ *step (\S+) (.+)$/gm)].map(([, reports = '', command = '']) => ({
    reports,
    command,
  }));
  const suites = steps.filter(({ command }) => command.startsWith('npm run test:'));

  expect(suites.map(({ reports }) => reports)).toEqual([
    'unit',
    'browser',
    'slow',
    'redis',
    'runtimes',
    'package',
  ]);
});

test('a step that fails beside others is counted, and its output is shown', async () => {
  const script = await readFile('.ci/run', 'utf8');
  const functions = script.slice(0, script.indexOf('rm -rf coverage'));
  const steps = `beside step one sh -c 'echo late; exit 3'\nstep two true\ntogether\ncat "$results"`;
  const { stdout } = await promisify(execFile)('bash', ['-c', `${functions}\n${steps}`]);

  expect(stdout).toContain('late\n');
  expect(stdout).toMatch(/^3:one:sh -c echo late; exit 3$/m);
  expect(stdout).toMatch(/^0:two:true$/m);
});
