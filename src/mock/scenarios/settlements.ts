import type { Scenario } from './scenario.js';

/** What can happen to a payment that has ended. */
export interface SettlementRule {
  /** True if a payment that was declined or has expired can be paid later. */
  readonly mayStillBePaid: boolean;
  /**
   * The time in milliseconds for which the webhook of such an end waits, so that the webhook that says paid arrives
   * first.
   */
  readonly heldMs?: number;
}

export const settlementRules: Readonly<Record<Scenario['settlement'], SettlementRule>> = {
  final: { mayStillBePaid: false },
  late: { mayStillBePaid: true },
  reordered: { mayStillBePaid: true, heldMs: 1000 },
};
