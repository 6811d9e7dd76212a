import { afterEach, describe, expect, test } from 'vitest';
import { takeProblems } from '../../helpers/request-watch.js';
import type { ScenarioName } from '../../../src/entries/mock.js';
import type { RuleName } from '../../../src/workbench/findings/all-rules.js';
import { wrongShops, type Habit } from '../../workbench/rehearsal/checkout-shop.js';
import { rehearseShop } from '../../workbench/rehearsal/rehearse-shop.js';

// The second reader of the wire records forgeries, because they are wrongly signed on purpose.
afterEach(() => void takeProblems());

describe.concurrent('A rehearsal that clicks in the shop', () => {
  test.each([
    // It returns no link for a changed basket while a payment is open, and lets staff check that payment.
    [undefined, []],
    ['refuses-changes', []],
    // It acknowledges whatever it stores, before it has read it.
    ['works-later', ['unknown-acknowledged']],
  ] as const)('finds no error in a correct shop that %s, and warns of %j', async (habit, warnings) => {
    const scenarios = [...new Set(wrongShops.map(([, , scenario]) => scenario)), 'settled-late'];
    const { code, report, output } = await rehearseShop(habit, '--scenarios', scenarios.join(','));
    expect(
      report.findings.map(({ rule }) => rule),
      output,
    ).toEqual(warnings);
    const notJudged = report.scenarios.filter((scenario) => scenario.notJudged !== undefined);
    expect(notJudged, output).toEqual([]);
    expect([code, report.ok]).toEqual([0, true]);
  });

  test.each(['declines', 'expires'])(
    'finds nothing in a correct shop whose customer %s',
    async (customer) => {
      const scenarios = ['repeat-duplicate', 'settled-late', 'reordered', 'older-link', 'clicked-later'];
      const args = ['--customer', customer, '--scenarios', scenarios.join(',')];
      const { code, report, output } = await rehearseShop(undefined, ...args);
      expect(
        report.findings.filter(({ level }) => level === 'error'),
        output,
      ).toEqual([]);
      expect(code, output).toBe(0);
    },
  );

  test.each<[Habit, RuleName, ScenarioName, ScenarioName]>([
    ['ships-at-each-notification', 'counted-twice', 'notification-twice', 'sparse-responses'],
    ['signs-rewritten-json', 'notification-refused', 'other-serialization', 'extra-fields'],
    ['looks-for-paid-in-any-word', 'unpaid-counted', 'notification-unknown-status', 'slow'],
    ['verifies-nothing', 'forged-accepted', 'forged', 'notification-pending-first'],
    ['takes-pending-for-the-end', 'paid-not-counted', 'notification-pending-first', 'forged'],
    ['believes-the-redirect', 'redirect-believed', 'redirect-opened', 'processing-first'],
    ['believes-the-last-word', 'paid-not-counted', 'reordered', 'rate-limited'],
  ])('finds that a shop %s, by %s in %s only, although it shares its run with %s', async (...row) => {
    const [habit, rule, scenario, other] = row;
    const { report, output } = await rehearseShop(habit, '--scenarios', `${scenario},${other}`);
    expect(
      report.findings.map((finding) => finding.rule),
      output,
    ).toContain(rule);
    expect(new Set(report.findings.map((finding) => finding.scenario))).toEqual(new Set([scenario]));
    expect(report.scenarios.map(({ sameRunAs }) => sameRunAs)).toEqual([undefined, undefined, undefined]);
  });

  test('places an additional order that is refused in refusals-by-kind', async () => {
    const { code, report, output } = await rehearseShop(undefined, '--scenarios', 'refusals-by-kind');
    expect(report.scenarios[1], output).toMatchObject({ payments: 2, findings: [] });
    expect(report.scenarios[1]?.requests).toBeGreaterThan(2);
    expect([report.scenarios[1]?.notJudged, code]).toEqual([undefined, 0]);
  });

  test('does not judge older-link if the shop offers no second payment', async () => {
    const { code, report } = await rehearseShop('offers-one-payment', '--scenarios', 'older-link');
    expect(report.scenarios[1]?.notJudged).toEqual({ flag: 'a second payment of an order' });
    expect(code).toBe(0);
  });

  test('judges older-link also if the shop takes longer for its response to a webhook than a customer waits', async () => {
    const { code, report, output } = await rehearseShop('responds-late', '--scenarios', 'older-link');
    expect(report.scenarios.map(({ notJudged }) => notJudged)).toEqual([undefined, undefined]);
    expect(code, output).toBe(0);
  });

  test('lets scenarios share a run without a finding', async () => {
    const { report } = await rehearseShop(undefined, '--scenarios', 'sparse-responses,notification-twice');
    expect(report.scenarios.map(({ name, sameRunAs }) => [name, sameRunAs])).toEqual([
      ['baseline', undefined],
      ['sparse-responses', undefined],
      ['notification-twice', 'sparse-responses'],
    ]);
    expect(report).toMatchObject({ ok: true, findings: [] });
  });

  test('compares nothing if --once captures no number in the page of a paid order', async ({ expect }) => {
    const rehearsal = rehearseShop(undefined, '--scenarios', 'notification-twice', '--once', 'shipd: (\\d+)');
    await expect(rehearsal).rejects.toThrow(
      '--once captures no number on the page of a paid order (the page contains: ',
    );
  });

  test.each(wrongShops)('finds that a shop %s: %s in %s', async (habit, rule, scenario) => {
    const { code, report, output } = await rehearseShop(habit, '--scenarios', scenario);
    expect(
      report.findings.map((finding) => `${finding.rule} in ${finding.scenario}`),
      output,
    ).toContain(`${rule} in ${scenario}`);
    expect(code).toBe(1);
  });
});
