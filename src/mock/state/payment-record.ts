import * as z from 'zod/mini';
import { objectError, text, oneOf } from '../../validation/rules.js';
import type { PaymentRequestWire } from '../../protocol/payment-types.js';

/** The ways in which a payment can end. */
export const settlements = ['paid', 'declined', 'expired'] as const;

/** How a payment ended. */
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

/** A payment as the mock has it. */
export interface MockPayment {
  /** The merchant's own reference. */
  readonly referenceId: string;
  /** The merchant that created it. */
  readonly merchantId: string;
  /** The client that created it: a merchant may have several. */
  readonly clientId: string;
  /** `'pending'` until it is settled or its time is over. */
  readonly status: 'pending' | Settlement;
  /** Where the customer pays: a page of the mock. */
  readonly paymentUrl: string;
  /** The service's ID of the transaction; present once the payment is paid. */
  readonly paymentTransId?: string;
  /** The Idempotency-Key of the request that created it. */
  readonly idempotencyKey?: string;
  /** When it was created, by the mock's clock. */
  readonly createdAt: Date;
  /** When the time of the customer is over: its `transExpiredTime`, else 15 minutes. */
  readonly expiresAt: Date;
  /** When it was paid or declined, or expired; absent while it is pending. */
  readonly settledAt?: Date;
  /** The request as received. */
  readonly request: PaymentRequestWire;
}

/** What tells a payment from all others: two merchants may have the same reference. */
export type PaymentReference = Pick<MockPayment, 'referenceId' | 'merchantId'>;

// A referenceId has no space, so no two payments have the same key.
export function paymentKey({ referenceId, merchantId }: PaymentReference): string {
  return `${referenceId} ${merchantId}`;
}
