import { hmacSha256 } from '../../protocol/signature.js';
import { unknownStatuses, type Scenario } from './dimensions.js';

/** How often the webhook of a payment is sent, and when: the dimension `notification`. */
export interface WebhookPlan {
  readonly copies: 0 | 1 | 2;
  /** The copies are sent at the same moment, else one after the other. */
  readonly together?: true;
  /** The longest time that a response waits for the webhook, in milliseconds. */
  readonly responseWaitsMs?: number;
  /** Each is tried once, whatever the response. */
  readonly once?: true;
  /** Sent before the copies, once each. */
  readonly decoys?: readonly DecoyWebhook[];
}

export const webhookPlans: Readonly<Record<Scenario['notification'], WebhookPlan>> = {
  after: { copies: 1 },
  early: { copies: 1, responseWaitsMs: 1000 },
  twice: { copies: 2 },
  together: { copies: 2, together: true },
  never: { copies: 0 },
  'pending-first': { copies: 1, decoys: ['pending'] },
  'unknown-status': { copies: 1, decoys: unknownStatuses },
  once: { copies: 1, once: true, responseWaitsMs: 1000 },
};

/** How a forged webhook is signed. Each claims that the payment is paid, and none has a valid signature for its own body. */
export type Forgery = 'unsigned' | 'zeros' | 'other-body' | 'other-key' | 'empty-key' | 'beyond-ascii';

const zeros = '0'.repeat(64);

/** What a forgery is signed with. Signatures are digests in hex; `write` gives one the form that it has in the header. */
interface ForgedText {
  /** The text that a genuine one is signed over. */
  readonly body: string;
  /** Of the genuine webhook that the forgery was taken from. */
  readonly genuineSignature: string;
  readonly write: (signature: string) => string;
}

/** The text of the signature header of a forgery; undefined for one without the header. */
export const forgeries: Readonly<Record<Forgery, (text: ForgedText) => string | undefined>> = {
  unsigned: () => undefined,
  zeros: ({ write }) => write(zeros),
  'other-body': ({ genuineSignature, write }) => write(genuineSignature),
  'other-key': ({ body, write }) => write(hmacSha256(body, 'the key of somebody else')),
  'empty-key': ({ body, write }) => write(hmacSha256(body, '')),
  // As long as a valid signature, but with a letter of Latin-1 that is not ASCII. Some comparisons throw on it.
  'beyond-ascii': ({ write }) => write(zeros).replace(/.$/, 'é'),
};

/** The reference of an order that no merchant has sent. */
export const unknownReference = 'NO-SUCH-ORDER';

/**
 * A decoy: a signed webhook that must not change the order. It reports no end of the payment (`pending`, or a status that nobody
 * documented), or says `paid` with one wrong fact.
 */
export type DecoyWebhook =
  | 'pending'
  | 'AWAITING_REVIEW'
  | 'UNPAID'
  | 'PARTIALLY_PAID'
  | 'lower-amount'
  | 'other-currency'
  | 'unknown-reference'
  | 'other-merchant';

/** The decoys of the scenario `events: 'decoys'`: each says `paid`. */
export const paidDecoys = [
  'lower-amount',
  'other-currency',
  'unknown-reference',
  'other-merchant',
] as const satisfies readonly DecoyWebhook[];
