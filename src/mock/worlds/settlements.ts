import type { World } from './dimensions.js';

/** The moves of a payment that has ended. */
export interface SettlementRule {
  /** A payment that was declined or has expired may still be paid. */
  readonly mayStillBePaid: boolean;
  /** The longest time that the webhook of such an end waits for the webhook of the payment, in milliseconds. */
  readonly heldMs?: number;
}

export const settlementRules: Readonly<Record<World['settlement'], SettlementRule>> = {
  final: { mayStillBePaid: false },
  late: { mayStillBePaid: true },
  reordered: { mayStillBePaid: true, heldMs: 1000 },
};
