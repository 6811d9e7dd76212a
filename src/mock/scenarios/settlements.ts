import type { Scenario } from './scenario.js';

/** The changes that are possible after a payment is settled. */
export interface SettlementRule {
  /** True if a payment that was declined or has expired can be paid later. */
  readonly canBePaidLater: boolean;
  /**
   * The time for which the webhook that says declined or expired is held back, in milliseconds. If the payment is
   * paid within this time, the webhook that says paid arrives first.
   */
  readonly heldMs?: number;
}

export const settlementRules: Readonly<Record<Scenario['settlement'], SettlementRule>> = {
  final: { canBePaidLater: false },
  late: { canBePaidLater: true },
  reordered: { canBePaidLater: true, heldMs: 1000 },
};
