import { afterEach, describe, expect, it } from 'vitest';
import type { WorldName } from '../../../src/mock/index.js';
import type { RuleName } from '../../../src/mock/findings/rules.js';
import { takeProblems } from '../../helpers/request-watch.js';
import type { Habit } from './checkout-shop.js';
import { rehearseShop } from './rehearse-shop.js';

// The second reader of the wire notes forgeries: they are wrongly signed on purpose.
afterEach(() => void takeProblems());

const wrong: readonly (readonly [Habit, RuleName, WorldName])[] = [
  ['believes-the-redirect', 'redirect-believed', 'redirect-opened'],
  ['cancels-by-redirect', 'paid-not-counted', 'redirect-opened'],
  ['takes-pending-for-the-end', 'paid-not-counted', 'notification-pending-first'],
  ['takes-unknown-words-for-paid', 'unpaid-counted', 'notification-unknown-status'],
  ['verifies-nothing', 'forged-accepted', 'forged'],
  ['verifies-by-an-empty-key', 'forged-accepted', 'forged'],
  ['works-later-on-anything', 'forged-accepted', 'forged'],
  ['signs-rewritten-json', 'notification-refused', 'written-otherwise'],
  ['compares-no-amount', 'unpaid-counted', 'strange'],
  ['compares-no-merchant', 'unpaid-counted', 'strange'],
  ['knows-the-last-attempt-alone', 'paid-not-counted', 'older-link'],
  ['pays-at-each-click', 'two-payments', 'clicked-twice'],
  ['pays-at-each-click', 'two-links-paid', 'clicked-twice'],
  ['ships-at-each-notification', 'counted-twice', 'notification-twice'],
  ['takes-busy-for-refused', 'two-payments', 'repeat-busy'],
];

describe.concurrent('A rehearsal that clicks in the shop', { timeout: 120_000 }, () => {
  it.each([undefined, 'works-later'] as const)('finds nothing in a right shop (habit: %s)', async (habit) => {
    const worlds = [...new Set(wrong.map(([, , world]) => world)), 'settled-late'];
    const { code, report, output } = await rehearseShop(habit, '--worlds', worlds.join(','));
    expect(report.findings, output).toEqual([]);
    expect(report.worlds.filter(({ notJudged }) => notJudged !== undefined)).toEqual([]);
    expect([code, report.ok]).toEqual([0, true]);
  });

  it.each(wrong)('finds that a shop %s: %s in %s', async (habit, rule, world) => {
    const { code, report, output } = await rehearseShop(habit, '--worlds', world);
    expect(
      report.findings.map((finding) => `${finding.rule} in ${finding.world}`),
      output,
    ).toContain(`${rule} in ${world}`);
    expect(code).toBe(1);
  });
});
