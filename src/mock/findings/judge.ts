import type { Finding } from './finding.js';
import type { RunRecord } from './record.js';
import { rules, type Rule, type RuleName } from './rules.js';

/**
 * The findings of one run, the most expensive first. Without the run in the plain world, the rules that compare find
 * nothing: one run alone takes two equal orders for one that was paid twice.
 */
export function judge(world: string, run: RunRecord, plain?: RunRecord): Finding[] {
  const all = Object.entries(rules) as [RuleName, Rule][];
  return all.flatMap(([rule, { level, why, fix, find }]) =>
    find(run, plain).map(({ referenceId, ...sighting }) => {
      return { rule, level, world, why, fix, ...sighting, ...(referenceId !== undefined && { referenceId }) };
    }),
  );
}
