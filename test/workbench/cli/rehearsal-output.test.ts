import { describe, expect, test } from 'vitest';
import { progressLine, reportText } from '../../../src/workbench/cli/rehearsal-output.js';
import type { Finding } from '../../../src/workbench/findings/all-rules.js';
import type { ScenarioReport } from '../../../src/workbench/rehearsal/scenario-report.js';

const finding = (changes: Partial<Finding> = {}): Finding => ({
  rule: 'two-payments',
  level: 'error',
  scenario: 'lost-response',
  message: 'R-1 has two payments.',
  why: 'Charged twice.',
  fix: 'Repeat the request.',
  requests: [1, 2],
  ...changes,
});
const warning = finding({ rule: 'no-key', level: 'warning', message: 'No key.', why: 'W.', fix: 'F.' });

const scenario = (changes: Partial<ScenarioReport> = {}): ScenarioReport => ({
  name: 'slow',
  requests: 2,
  payments: 2,
  durationMs: 1250,
  findings: [],
  ...changes,
});

const report = (...scenarios: ScenarioReport[]) => {
  const findings = scenarios.flatMap((each) => each.findings);
  const isJudged = scenarios.every(
    ({ lateRequests, notJudged }) => !lateRequests && !(notJudged && 'reason' in notJudged),
  );
  return { ok: findings.length === 0 && isJudged, scenarios, findings };
};

describe('the line of a scenario', () => {
  const seen = '2 requests, 2 payments, 1.3 s';

  test.each<[string, Partial<ScenarioReport>, string[]]>([
    ['is ok without a finding', {}, [`[1/2] slow                        ok                   ${seen}`]],
    [
      'counts errors and warnings',
      { findings: [finding(), finding(), warning] },
      [`[1/2] slow                        2 errors, 1 warning  ${seen}`],
    ],
    [
      'says why it was not judged',
      { notJudged: { reason: 'no payment\u001b' } },
      [`[1/2] slow                        inconclusive         ${seen}`, '      no payment\\u{1b}'],
    ],
    [
      'says why it was not judged, then why the command failed',
      { commandFailed: 'the command ended', notJudged: { reason: 'payments created: 0' } },
      [
        `[1/2] slow                        inconclusive         ${seen}`,
        '      payments created: 0',
        '      the command ended',
      ],
    ],
    [
      'names the missing flag if it was not run',
      { durationMs: 0, notJudged: { flag: '--webhook' } },
      ['[1/2] slow                        not judged: needs --webhook'],
    ],
    [
      'was judged if it has an error',
      { notJudged: { reason: 'no payment' }, findings: [finding()] },
      [`[1/2] slow                        1 error              ${seen}`, '      no payment'],
    ],
    [
      'reports a command that failed after it had created its payments',
      { commandFailed: 'ended\n' },
      [
        `[1/2] slow                        ok                   ${seen}`,
        '      not a finding by itself: ended\\u{a}',
      ],
    ],
    [
      'reports a command that failed once',
      { commandFailed: 'the command ended', notJudged: { reason: 'the command ended' } },
      [`[1/2] slow                        inconclusive         ${seen}`, '      the command ended'],
    ],
    [
      'names the first six references of late requests',
      {
        lateRequests: {
          references: ['R-1', 'R-2', 'R-3', 'R-4', 'R-5', 'R-6', 'R-7', 'R-8'],
          settleMs: 4000,
        },
      },
      [
        `[1/2] slow                        ok                   ${seen}`,
        '      requests for R-1, R-2, R-3, R-4, R-5, R-6 and 2 more arrived after their own scenario had ended, and were not judged',
      ],
    ],
    [
      'names the scenario whose run it shared',
      { durationMs: 0, sameRunAs: 'gateway' },
      ['[1/2] slow                        ok                   shared the run of gateway'],
    ],
    [
      'says why it was not run',
      { durationMs: 0, notJudged: { reason: 'the page is wrong' } },
      ['[1/2] slow                        inconclusive: the page is wrong'],
    ],
    [
      'shows the amount of each payment of the baseline',
      { amounts: [12_030_000, 12_030_000] },
      [
        '[1/2] slow                        ok                   2 requests, 2 payments, 12,030,000 đồng each, 1.3 s',
      ],
    ],
    [
      'shows the amounts of payments that differ',
      { payments: 3, amounts: [12_000_000, 500_000, 500_000] },
      [
        '[1/2] slow                        ok                   2 requests, 3 payments, 12,000,000 and 500,000 đồng, 1.3 s',
      ],
    ],
  ])('%s', (_what, changes, lines) => {
    expect(progressLine(scenario(changes), '[1/2]').split('\n')).toEqual(lines);
  });
});

describe('the report as text', () => {
  const withoutOrderPage = 'Without --order-url, rehearse cannot check which orders the shop counts as paid.';

  test('counts the scenarios, and says that the order page was not read', () => {
    expect(reportText(report(scenario()), true)).toBe('\n1 scenario: ok');
    expect(reportText(report(scenario(), scenario()), false)).toBe(`\n2 scenarios: ok\n${withoutOrderPage}`);
  });

  test('lists each rule with its cases, a reason and a fix, then all rules in a table', () => {
    const lost = scenario({ name: 'lost-response', findings: [finding({ message: 'R-1\u001b' }), warning] });
    const slow = scenario({ findings: [finding({ scenario: 'slow', message: 'R-2' })] });
    expect(reportText(report(lost, slow), true).split('\n')).toEqual([
      '',
      'ERROR two-payments, in 2 scenarios',
      '  lost-response: R-1\\u{1b}',
      '  slow: R-2',
      '  Why: Charged twice.',
      '  Do:  Repeat the request.',
      '',
      'WARNING no-key, in 1 scenario',
      '  lost-response: No key.',
      '  Why: W.',
      '  Do:  F.',
      '',
      '  level    rule          scenarios',
      '  error    two-payments  lost-response, slow',
      '  warning  no-key        lost-response',
      '',
      '2 scenarios: 2 errors, 1 warning',
    ]);
  });

  test('lists the most expensive rule first, whichever scenario came first', () => {
    const baseline = scenario({ name: 'baseline', findings: [warning] });
    const slow = scenario({ findings: [finding({ rule: 'counted-twice' }), finding()] });
    const titles = reportText(report(baseline, slow), true).match(/^[A-Z]+ \S+(?=, in)/gm);
    expect(titles).toEqual(['ERROR two-payments', 'ERROR counted-twice', 'WARNING no-key']);
  });

  test('shows six cases of a rule and counts the others', () => {
    const findings = Array.from({ length: 9 }, (_, index) => finding({ message: `R-${index}.` }));
    const lines = reportText(report(scenario({ findings })), true).split('\n');
    expect(lines.slice(7, 10)).toEqual(['  lost-response: R-5.', '  and 3 more', '  Why: Charged twice.']);
  });

  test('lists the scenarios that are inconclusive, then those that were not judged', () => {
    const flagged = scenario({ name: 'forged', durationMs: 0, notJudged: { flag: '--webhook' } });
    const open = scenario({ notJudged: { reason: 'no payment\u001b' } });
    expect(
      reportText(report(scenario(), open, { ...open, name: 'late' }, flagged), true).split('\n'),
    ).toEqual([
      '',
      'INCONCLUSIVE: 2 scenarios',
      '  slow, late: no payment\\u{1b}',
      '',
      'NOT JUDGED, without effect on the exit code: 1 scenario',
      '  forged: needs --webhook',
      '',
      '4 scenarios: 2 inconclusive, 1 not judged',
    ]);
  });

  test('is ok beside a scenario that needs a flag', () => {
    const flagged = scenario({ name: 'forged', durationMs: 0, notJudged: { flag: '--webhook' } });
    expect(reportText(report(scenario(), flagged), true)).toMatch(/\n2 scenarios: ok, 1 not judged$/);
  });

  test('names the scenarios in which late requests arrived, and the longest wait that any of them needs', () => {
    const late = (name: string, settleMs: number) =>
      scenario({ name, lateRequests: { references: ['R-1'], settleMs } });
    expect(
      reportText(report(late('slow', 4000), scenario(), late('gateway', 13_000)), true)
        .split('\n')
        .slice(1),
    ).toEqual([
      'LATE REQUESTS arrived in 2 scenarios: slow, gateway',
      '  Why: These requests are for orders of earlier scenarios that had already ended, so the requests were not judged.',
      '  Do:  Run again with --settle-ms 13000, or run the jobs of the shop more often in the rehearsal.',
      '       After a webhook has said that a payment is paid, declined or expired, the shop should send no more',
      '       requests for that payment, except uploads.',
      '',
      '3 scenarios: 2 with late requests',
    ]);
  });
});
