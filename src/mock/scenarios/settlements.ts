import type { Scenario } from './dimensions.js';

/** The moves of a payment that has ended. */
export interface SettlementRule {
  /** A payment that was declined or has expired may still be paid. */
  readonly mayStillBePaid: boolean;
  /** The webhook of such an end waits so many milliseconds for the webhook that says paid, which is to come first. */
  readonly heldMs?: number;
}

export const settlementRules: Readonly<Record<Scenario['settlement'], SettlementRule>> = {
  final: { mayStillBePaid: false },
  late: { mayStillBePaid: true },
  reordered: { mayStillBePaid: true, heldMs: 1000 },
};
