import { hmacSha256 } from '../../protocol/signature.js';
import type { World } from './dimensions.js';

/** How often the webhook of a payment is sent, and when: the dimension `notification`. */
export interface WebhookPlan {
  readonly copies: 0 | 1 | 2;
  /** The copies are sent at the same moment, else one after the other. */
  readonly together?: true;
  /** The longest time that a response waits for the webhook, in milliseconds. */
  readonly responseWaitsMs?: number;
  /** A preliminary one, sent once. */
  readonly first?: OddWebhook;
}

export const webhookPlans: Readonly<Record<World['notification'], WebhookPlan>> = {
  after: { copies: 1 },
  early: { copies: 1, responseWaitsMs: 1000 },
  twice: { copies: 2 },
  together: { copies: 2, together: true },
  never: { copies: 0 },
  'pending-first': { copies: 1, first: 'pending' },
  'unknown-status': { copies: 1, first: 'unknown-status' },
};

/** How a forged webhook is signed. Each says that the payment is paid, and none by the key of the merchant. */
export type Forgery = 'unsigned' | 'zeros' | 'other-body' | 'other-key' | 'empty-key';

/** The signature of a forgery: of its own body, or of the genuine webhook that it was taken from. */
export const forgeries: Readonly<
  Record<Forgery, (body: string, genuineSignature: string) => string | undefined>
> = {
  unsigned: () => undefined,
  zeros: () => '0'.repeat(64),
  'other-body': (_body, genuineSignature) => genuineSignature,
  'other-key': (body) => hmacSha256(body, 'the key of somebody else'),
  'empty-key': (body) => hmacSha256(body, ''),
};

/** A signed webhook that is not the announcement of an end. */
export type OddWebhook =
  'pending' | 'unknown-status' | 'lower-amount' | 'other-currency' | 'unknown-reference' | 'other-merchant';

/** Those of the dimension `events`: each says paid. */
export const strangeWebhooks = [
  'lower-amount',
  'other-currency',
  'unknown-reference',
  'other-merchant',
] as const satisfies readonly OddWebhook[];
