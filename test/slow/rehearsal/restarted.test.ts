import { describe, expect, test } from 'vitest';
import { compiledCommand } from '../../helpers/compiled.js';
import {
  forgetfulShop,
  plainShop,
  rehearseRestarted,
  restarts,
} from '../../workbench/rehearsal/rehearse-restarted.js';
import type { Rehearsed } from '../../workbench/rehearsal/rehearse-command.js';

const oneThatEnds = restarts['that starts the shop and ends'];

function expectClean({ code, report, output }: Rehearsed): void {
  const scenarios = report.scenarios.map(({ name, notJudged }) => [name, notJudged]);
  expect(scenarios, output).toEqual([
    ['baseline', undefined],
    ['restarted', undefined],
  ]);
  expect([code, report.ok, report.findings], output).toEqual([0, true, []]);
}

describe('a shop that is restarted between its link and the payment', () => {
  test.each(Object.entries(restarts))(
    'is correct if it keeps its orders, with a command %s',
    async (_how, command) => {
      expectClean(await rehearseRestarted(plainShop('ORDERS'), command));
    },
  );

  test('is correct if it is the shop of forty lines with a database', async () => {
    const script = await compiledCommand('examples/orders/shop.ts');
    const settleMs = 900;
    const shop = { script, storedIn: 'SHOP_DATABASE', webhook: '/webhooks/installments', settleMs };
    expectClean(await rehearseRestarted(shop, oneThatEnds));
  });

  test('is an error if its orders are only in memory', async () => {
    const { code, report, output } = await rehearseRestarted(plainShop(), oneThatEnds);
    const found = report.findings.map(({ rule, scenario }) => [rule, scenario]);
    expect(found, output).toContainEqual([...forgetfulShop]);
    expect(code).toBe(1);
  });
});
