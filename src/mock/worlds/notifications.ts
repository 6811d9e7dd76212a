import { hmacSha256 } from '../../protocol/signature.js';
import type { World } from './dimensions.js';

/** How often the notification of a payment is sent, and when. */
export interface NotificationPlan {
  readonly copies: 0 | 1 | 2;
  /** The copies are sent at the same moment, else one after the other. */
  readonly together?: true;
  /** The longest time that an answer waits for the notification, in milliseconds. */
  readonly answerWaitsMs?: number;
}

export const notificationPlans: Readonly<Record<World['notification'], NotificationPlan>> = {
  after: { copies: 1 },
  early: { copies: 1, answerWaitsMs: 1000 },
  twice: { copies: 2 },
  together: { copies: 2, together: true },
  never: { copies: 0 },
};

/** The moves of a payment that has ended. */
export interface SettlementRule {
  /** A payment that was declined or has expired may still be paid. */
  readonly mayStillBePaid: boolean;
  /** The longest time that the notification of such an end waits for the one of the payment, in milliseconds. */
  readonly heldMs?: number;
}

export const settlementRules: Readonly<Record<World['settlement'], SettlementRule>> = {
  final: { mayStillBePaid: false },
  late: { mayStillBePaid: true },
  reordered: { mayStillBePaid: true, heldMs: 1000 },
};

/** How a forged notification is signed. Each says that the payment is paid, and none by the key of the merchant. */
export type Forgery = 'unsigned' | 'zeros' | 'other-body' | 'other-key';

/** The signature of a forgery: of its own text, or of the notification that it accompanies. */
export const forgeries: Readonly<
  Record<Forgery, (text: string, real: { readonly signature: string }) => string | undefined>
> = {
  unsigned: () => undefined,
  zeros: () => '0'.repeat(64),
  'other-body': (_text, { signature }) => signature,
  'other-key': (text) => hmacSha256(text, 'the key of somebody else'),
};
