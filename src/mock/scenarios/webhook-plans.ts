import { hmacSha256 } from '../../protocol/signature.js';
import { unknownStatuses, type Scenario } from './scenario.js';

/** The time and the number of the webhooks of a payment, for a value of the dimension `notification`. */
export interface WebhookPlan {
  readonly copies: 0 | 1 | 2;
  /** True if the copies are sent at the same moment. If not, they are sent one after another. */
  readonly together?: true;
  /**
   * The mock holds back its response to the initiate request, or to the customer on the payment page, until the webhook
   * has been sent once, but for at most this number of milliseconds.
   */
  readonly responseWaitsMs?: number;
  /** True if each copy is sent once, whatever the response is. */
  readonly once?: true;
  /** The decoys that are sent before the copies, once each. */
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

/**
 * The signature of a forged webhook. Each forgery claims that the payment is paid, and none has a valid signature for
 * its own body.
 */
export type Forgery = 'unsigned' | 'zeros' | 'other-body' | 'other-key' | 'empty-key' | 'beyond-ascii';

const zeros = '0'.repeat(64);

/**
 * The data with which a forgery is signed. Signatures are digests in hex; `write` converts a signature to its form in
 * the header.
 */
interface ForgedText {
  /** The text of the forgery that a valid signature would cover. */
  readonly signedText: string;
  /** The signature of the genuine webhook from which the forgery was made. */
  readonly genuineSignature: string;
  readonly write: (signature: string) => string;
}

/** The signature header of each forgery; undefined if the forgery has no such header. */
export const forgeries: Readonly<Record<Forgery, (text: ForgedText) => string | undefined>> = {
  unsigned: () => undefined,
  zeros: ({ write }) => write(zeros),
  'other-body': ({ genuineSignature, write }) => write(genuineSignature),
  'other-key': ({ signedText, write }) => write(hmacSha256(signedText, 'the key of another merchant')),
  'empty-key': ({ signedText, write }) => write(hmacSha256(signedText, '')),
  // This text is as long as a valid signature, but its last letter is not ASCII. Some comparisons throw on such a text.
  'beyond-ascii': ({ write }) => write(zeros).replace(/.$/, 'é'),
};

/** The `referenceId` of a decoy for an order that no merchant has sent. */
export const unknownReference = 'NO-SUCH-ORDER';

/**
 * A decoy: a signed webhook that must not change the order. A decoy has the status `pending` or an undocumented status,
 * or says `paid` with one wrong fact.
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

/** The decoys of the scenario `events: 'decoys'`. Each says `paid`. */
export const paidDecoys = [
  'lower-amount',
  'other-currency',
  'unknown-reference',
  'other-merchant',
] as const satisfies readonly DecoyWebhook[];
