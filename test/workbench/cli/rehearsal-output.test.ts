import { describe, expect, test } from 'vitest';
import { progressLine, reportText } from '../../../src/workbench/cli/rehearsal-output.js';
import type { Finding } from '../../../src/workbench/findings/rules.js';
import type { WorldReport } from '../../../src/workbench/rehearsal/rehearse.js';

const finding = (changes: Partial<Finding> = {}): Finding => ({
  rule: 'two-payments',
  level: 'error',
  world: 'lost-answer',
  message: 'R-1 has two payments.',
  why: 'Charged twice.',
  fix: 'Repeat the request.',
  requests: [1, 2],
  ...changes,
});
const warning = finding({ rule: 'no-key', level: 'warning', message: 'No key.', why: 'W.', fix: 'F.' });

const world = (changes: Partial<WorldReport> = {}): WorldReport => ({
  name: 'slow',
  requests: 2,
  payments: 2,
  durationMs: 1250,
  findings: [],
  ...changes,
});

const report = (...worlds: WorldReport[]) => {
  const findings = worlds.flatMap((each) => each.findings);
  const isJudged = worlds.every(({ late, notJudged }) => !late && !(notJudged && 'reason' in notJudged));
  return { ok: findings.length === 0 && isJudged, worlds, findings };
};

describe('the line of a world', () => {
  const seen = '2 requests, 2 payments, 1.3 s';

  test.each<[string, Partial<WorldReport>, string[]]>([
    ['is ok without a finding', {}, [`[1/2] slow                        ok                   ${seen}`]],
    [
      'counts errors and warnings',
      { findings: [finding(), finding(), warning] },
      [`[1/2] slow                        2 errors, 1 warning  ${seen}`],
    ],
    [
      'says why it was not judged',
      { notJudged: { reason: 'no payment\u001b' } },
      [`[1/2] slow                        not judged           ${seen}`, '      no payment\\u{1b}'],
    ],
    [
      'says why it was not judged, then why the command failed',
      { commandFailed: 'the command ended', notJudged: { reason: 'payments created: 0' } },
      [
        `[1/2] slow                        not judged           ${seen}`,
        '      payments created: 0',
        '      the command ended',
      ],
    ],
    [
      'names the flag without which it was not run',
      { durationMs: 0, notJudged: { flag: '--webhook' } },
      ['[1/2] slow                        not judged without --webhook'],
    ],
    [
      'was judged where it has an error',
      { notJudged: { reason: 'no payment' }, findings: [finding()] },
      [`[1/2] slow                        1 error              ${seen}`, '      no payment'],
    ],
    [
      'tells a command that failed but created its payments',
      { commandFailed: 'ended\n' },
      [
        `[1/2] slow                        ok                   ${seen}`,
        '      no finding by itself: ended\\u{a}',
      ],
    ],
    [
      'tells a command that failed once',
      { commandFailed: 'the command ended', notJudged: { reason: 'the command ended' } },
      [`[1/2] slow                        not judged           ${seen}`, '      the command ended'],
    ],
    [
      'tells late requests, the first six of many',
      { late: { references: ['R-1', 'R-2', 'R-3', 'R-4', 'R-5', 'R-6', 'R-7', 'R-8'], settleMs: 4000 } },
      [
        `[1/2] slow                        ok                   ${seen}`,
        '      the shop works longer than a run waits: requests for R-1, R-2, R-3, R-4, R-5, R-6 and 2 more of an earlier world came only now, and were not judged',
      ],
    ],
    [
      'names the world whose run it has shared',
      { durationMs: 0, sameRunAs: 'gateway' },
      ['[1/2] slow                        ok                   in the run of gateway'],
    ],
    [
      'tells why it was not run',
      { durationMs: 0, notJudged: { reason: 'because the page is wrong' } },
      ['[1/2] slow                        not judged because the page is wrong'],
    ],
    [
      'has the sum of each payment of the plain world',
      { amounts: [12_030_000, 12_030_000] },
      [
        '[1/2] slow                        ok                   2 requests, 2 payments, 12,030,000 đồng each, 1.3 s',
      ],
    ],
    [
      'has the sums of payments that differ',
      { payments: 3, amounts: [12_000_000, 500_000, 500_000] },
      [
        '[1/2] slow                        ok                   2 requests, 3 payments, 12,000,000 and 500,000 đồng, 1.3 s',
      ],
    ],
  ])('%s', (_what, changes, lines) => {
    expect(progressLine(world(changes), '[1/2]').split('\n')).toEqual(lines);
  });
});

describe('the report as text', () => {
  const unprobed =
    'Without --order-url, the orders that the merchant counts as paid are not known, and were not judged.';

  test('counts the worlds, and says what was not asked', () => {
    expect(reportText(report(world()), true)).toBe('\n1 world: ok');
    expect(reportText(report(world(), world()), false)).toBe(`\n2 worlds: ok\n${unprobed}`);
  });

  test('has each rule with its cases, a reason and a step, then all as a table', () => {
    const lost = world({ name: 'lost-answer', findings: [finding({ message: 'R-1\u001b' }), warning] });
    const slow = world({ findings: [finding({ world: 'slow', message: 'R-2' })] });
    expect(reportText(report(lost, slow), true).split('\n')).toEqual([
      '',
      'ERROR two-payments, in 2 worlds',
      '  lost-answer: R-1\\u{1b}',
      '  slow: R-2',
      '  Why: Charged twice.',
      '  Do:  Repeat the request.',
      '',
      'WARNING no-key, in 1 world',
      '  lost-answer: No key.',
      '  Why: W.',
      '  Do:  F.',
      '',
      '  level    rule                         worlds',
      '  error    two-payments                 lost-answer, slow',
      '  warning  no-key                       lost-answer',
      '',
      '2 worlds: 2 errors, 1 warning',
    ]);
  });

  test('has the most expensive rule first, whichever world came first', () => {
    const plain = world({ name: 'plain', findings: [warning] });
    const slow = world({ findings: [finding({ rule: 'counted-twice' }), finding()] });
    const titles = reportText(report(plain, slow), true).match(/^[A-Z]+ \S+(?=, in)/gm);
    expect(titles).toEqual(['ERROR two-payments', 'ERROR counted-twice', 'WARNING no-key']);
  });

  test('shows six cases of a rule and counts the others', () => {
    const findings = Array.from({ length: 9 }, (_, index) => finding({ message: `R-${index}.` }));
    const lines = reportText(report(world({ findings })), true).split('\n');
    expect(lines.slice(7, 10)).toEqual(['  lost-answer: R-5.', '  and 3 more', '  Why: Charged twice.']);
  });

  test('lists the worlds that were not judged', () => {
    const flagged = world({ name: 'forged', durationMs: 0, notJudged: { flag: '--webhook' } });
    const open = world({ notJudged: { reason: 'no payment\u001b' } });
    expect(reportText(report(world(), open, { ...open, name: 'late' }, flagged), true).split('\n')).toEqual([
      '',
      'NOT JUDGED: 3 worlds',
      '  slow, late: no payment\\u{1b}',
      '  forged: without --webhook',
      '',
      '4 worlds: 3 not judged',
    ]);
  });

  test('is ok beside a world that wants a flag', () => {
    const flagged = world({ name: 'forged', durationMs: 0, notJudged: { flag: '--webhook' } });
    expect(reportText(report(world(), flagged), true)).toMatch(/\n2 worlds: ok, 1 not judged$/);
  });

  test('ends with the longest wait that the late requests of any world need', () => {
    const late = (settleMs: number) => world({ late: { references: ['R-1'], settleMs } });
    expect(
      reportText(report(late(4000), world(), late(13_000)), true)
        .split('\n')
        .slice(1),
    ).toEqual([
      'TOO FAST: in 2 worlds requests of an earlier one came only after its end, and were not judged.',
      '  Why: What the shop does so late may be right or wrong.',
      '  Do:  Rehearse again with --settle-ms 13000, or let the jobs of the shop run more often here.',
      '       If the shop was told how an order ended, it should not ask again.',
      '',
      '3 worlds: too fast',
    ]);
  });
});
