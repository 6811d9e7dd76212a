import { describe, expect, it } from 'vitest';
import { forgetfulShop, rehearseRestarted, restarts } from '../../workbench/rehearsal/rehearse-restarted.js';

describe('A shop that is restarted between its link and the payment', { timeout: 120_000 }, () => {
  it.each(Object.entries(restarts))(
    'is right where it keeps its orders, by a command %s',
    async (_how, command) => {
      const { code, report, output } = await rehearseRestarted(false, command);
      expect(
        report.worlds.map(({ name, notJudged }) => [name, notJudged]),
        output,
      ).toEqual([
        ['plain', undefined],
        ['restarted', undefined],
      ]);
      expect([code, report.ok], output).toEqual([0, true]);
    },
  );

  it('is found where its orders are only in memory', async () => {
    const { code, report, output } = await rehearseRestarted(true, restarts['that starts the shop and ends']);
    const [rule, world] = forgetfulShop;
    expect(
      report.findings.map((finding) => [finding.rule, finding.world]),
      output,
    ).toContainEqual([rule, world]);
    expect(code).toBe(1);
  });
});
