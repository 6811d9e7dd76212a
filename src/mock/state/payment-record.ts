import * as z from 'zod/mini';
import { objectError, text, oneOf } from '../../validation/rules.js';
import type { PaymentRequestWire } from '../../protocol/payment-types.js';

/** The ways in which a payment can end. */
export const settlements = ['paid', 'declined', 'expired'] as const;

/** The way in which a payment ended. */
export type Settlement = (typeof settlements)[number];

/** The arguments of `settle`, as one object. */
export const settleSchema = z.strictObject(
  {
    referenceId: text,
    status: oneOf(settlements),
    merchantId: z.optional(text),
  },
  objectError(),
);

/** A payment in the mock. */
export interface MockPayment {
  /** The merchant's `referenceId`. */
  readonly referenceId: string;
  /** The merchant that created the payment. */
  readonly merchantId: string;
  /** The client ID that created the payment. A merchant can have several client IDs. */
  readonly clientId: string;
  /** The status: `'pending'` until the payment is settled or its time to pay has passed. */
  readonly status: 'pending' | Settlement;
  /** The URL at which the customer pays: a page of the mock. */
  readonly paymentUrl: string;
  /** The service's transaction ID; present once the payment is paid. */
  readonly paymentTransId?: string;
  /** The Idempotency-Key of the request that created the payment. */
  readonly idempotencyKey?: string;
  /** The time of creation, by the mock's clock. */
  readonly createdAt: Date;
  /** The time until which the customer can pay: `transExpiredTime` after the creation, by default 15 minutes. */
  readonly expiresAt: Date;
  /** The time when the payment was paid or declined, or expired; absent while the payment is pending. */
  readonly settledAt?: Date;
  /** The initiate request as received. */
  readonly request: PaymentRequestWire;
}

/** The fields that identify a payment. Two merchants can use the same `referenceId`. */
export type PaymentReference = Pick<MockPayment, 'referenceId' | 'merchantId'>;

// A referenceId has no space, so no two payments have the same key.
export function paymentKey({ referenceId, merchantId }: PaymentReference): string {
  return `${referenceId} ${merchantId}`;
}
