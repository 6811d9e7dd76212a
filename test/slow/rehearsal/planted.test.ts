import { describe, expect, test } from 'vitest';
import { scenarios } from '../../../src/entries/mock.js';
import { findingRules } from '../../../src/workbench/findings/all-rules.js';
import { wrongMerchants } from '../../workbench/rehearsal/merchants/merchants.js';
import { expectMistake, expectNoErrors } from '../../workbench/rehearsal/rehearse-merchant.js';
import { rehearseShop } from '../../workbench/rehearsal/rehearse-shop.js';
import { wrongShops } from '../../workbench/rehearsal/checkout-shop.js';
import { forgetfulShop } from '../../workbench/rehearsal/rehearse-restarted.js';

const rulesOfShops = new Set(wrongShops.map(([, rule]) => rule));
/** The first backend for each rule that no wrong shop of `checkout.test.ts` breaks. All others are rehearsed each night. */
const wrong = wrongMerchants.filter(
  (merchant, index) =>
    !rulesOfShops.has(merchant.rule) &&
    wrongMerchants.findIndex(({ rule }) => rule === merchant.rule) === index,
);

// These two come first, because they need the most time: a command and, below, a shop with a checkout.
test.concurrent(
  "a rehearsal finds no error in a correct merchant's command in any scenario",
  { timeout: 600_000 },
  async () => {
    await expectNoErrors({ file: 'right/plain.mjs', isServer: false });
  },
);

test.concurrent(
  'a rehearsal finds no error in a correct shop whose checkout it calls, in any scenario',
  { timeout: 600_000 },
  async () => {
    const { code, report } = await rehearseShop(undefined);
    expect(report).toMatchObject({ ok: true, findings: [] });
    expect(report.scenarios.filter(({ notJudged }) => notJudged !== undefined)).toMatchObject([
      { name: 'uploads-recognised', notJudged: { flag: 'an upload in the baseline' } },
      { name: 'restarted', notJudged: { flag: '--restart' } },
    ]);
    expect(code).toBe(0);
  },
);

describe.concurrent('a rehearsal of a backend with one mistake', () => {
  test.each(wrong)('finds $rule in $file', { timeout: 240_000 }, expectMistake);
});

test('each rule and each default scenario has a planted merchant with a mistake', () => {
  const rulesSeen = [...wrongMerchants.map(({ rule }) => rule), ...wrongShops.map(([, rule]) => rule)];
  expect(new Set(rulesSeen)).toEqual(new Set(Object.keys(findingRules)));
  const scenariosSeen = new Set<string>([
    ...wrongMerchants.flatMap((each) => each.scenarios),
    ...wrongShops.map(([, , scenario]) => scenario),
    forgetfulShop[1],
  ]);
  expect(scenarios.filter(({ name, isDefault }) => isDefault && !scenariosSeen.has(name))).toEqual([]);
});
