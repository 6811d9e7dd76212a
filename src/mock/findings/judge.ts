import type { Evidence } from './evidence.js';
import type { Finding } from './finding.js';
import { rules, type Rule, type RuleName } from './rules.js';

/**
 * The findings of one run, the most expensive first. Without the run in the plain world, the rules that compare are left
 * out: one run alone takes two equal orders for one that was paid twice.
 */
export function judge(world: string, run: Evidence, plain?: Evidence): Finding[] {
  const all = Object.entries(rules) as [RuleName, Rule][];
  return all.flatMap(([rule, { level, why, fix, look, compare }]) => {
    const seen = plain && compare ? compare(run, plain) : (look?.(run) ?? []);
    return seen.map(({ referenceId, ...sighting }) => {
      return { rule, level, world, why, fix, ...sighting, ...(referenceId !== undefined && { referenceId }) };
    });
  });
}
