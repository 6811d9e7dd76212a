import type { Rule } from './rule.js';
import { paymentRules } from './payment-findings.js';
import type { RunRecord } from './record.js';
import { requestRules } from './request-findings.js';
import { shopRules } from './shop-findings.js';

const table = { ...paymentRules, ...requestRules, ...shopRules };

/** The name of a rule. */
export type RuleName = keyof typeof table;

const rulesWithLevel = Object.entries<Rule>(table).map(
  ([name, rule]) => [name, { level: 'error', ...rule }] as const,
);

/**
 * All rules: first the rules whose level is error, then the rules whose level is warning. Within a level, the rules
 * about payments come first, then the rules about requests, then the rules about the shop. A rule reads only the
 * records of runs.
 */
export const findingRules = Object.fromEntries(
  (['error', 'warning'] as const).flatMap((level) =>
    rulesWithLevel.filter(([, rule]) => rule.level === level),
  ),
) as Readonly<Record<RuleName, Omit<Rule, 'level'> & Pick<Finding, 'level'>>>;

/** A mistake of a merchant that the mock has detected. */
export interface Finding {
  /** The rule that was broken, such as `new-key`. */
  readonly rule: RuleName;
  /** The severity. `'error'`: money or an invoice is at risk. `'warning'`: the case should be checked. */
  readonly level: 'error' | 'warning';
  /** The scenario in which the mistake was detected. */
  readonly scenario: string;
  /** The evidence, such as requests, references and times. */
  readonly message: string;
  /** The possible consequence for the merchant or the customer. */
  readonly why: string;
  /** What the merchant should change. */
  readonly fix: string;
  /** The `referenceId` of the payment; absent if there are several payments. */
  readonly referenceId?: string;
  /** The IDs of the journal entries that show the mistake. */
  readonly requests: readonly number[];
}

/**
 * Returns the findings of one run, in the order of the rules. The baseline shows how many orders there are. Without the
 * baseline, two equal orders cannot be distinguished from one order with two payments. The rules that compare runs then
 * report nothing, so that they do not accuse a correct shop.
 */
export function judge(scenario: string, run: RunRecord, baseline?: RunRecord): Finding[] {
  return Object.entries(findingRules).flatMap(([name, { find, ...texts }]) =>
    find(run, baseline).map(({ referenceId, ...violation }) => {
      const rule = name as RuleName;
      return { rule, scenario, ...texts, ...violation, ...(referenceId !== undefined && { referenceId }) };
    }),
  );
}
