import * as z from 'zod/mini';
import { settlements } from '../state/payment-record.js';

/**
 * The webhook that the mock sends unless `webhook.template` or `webhook.body` makes another. The specification shows no
 * shape: this one is ours, and the service's own will differ.
 */
export interface MockWebhookEvent {
  /** Such as `WH-00000001`; the same for each delivery of the event. */
  id: string;
  /** `'payment.settled'`: the payment has ended. */
  event: 'payment.settled' | 'payment.pending';
  /** The merchant of the payment. */
  merchantId: string;
  /** The merchant's own reference of the order. */
  referenceId: string;
  /** How it ended; `'pending'` only in a scenario that sends notifications which are not final. */
  status: 'paid' | 'declined' | 'expired' | 'pending';
  /** The amount to pay. */
  amount: {
    /** In units of the currency. */
    value: number;
    /** `VND`, except in a scenario that sends a wrong one: compare it with your order. */
    currency: string;
  };
  /** The order's own text. */
  description: string;
  /** ID of a payment that was paid. */
  paymentTransId?: string | undefined;
  /** ISO 8601, by the mock's clock; absent while it is pending. */
  settledAt?: string | undefined;
}

const event = z.object({
  id: z.string(),
  event: z.enum(['payment.settled', 'payment.pending']),
  merchantId: z.string(),
  referenceId: z.string(),
  status: z.enum([...settlements, 'pending']),
  amount: z.object({ value: z.number(), currency: z.string() }),
  description: z.string(),
  paymentTransId: z.optional(z.string()),
  settledAt: z.optional(z.iso.datetime()),
});

/** The names of the fields, in their order. */
export const eventFields: readonly string[] = Object.keys(event.shape);

/**
 * The schema of {@link MockWebhookEvent}, for a handler that is tried against the mock.
 *
 * @example
 * ```ts
 * import { mockWebhookEventSchema } from 'installment-payments/mock';
 * import { createWebhookHandler } from 'installment-payments/webhooks';
 *
 * export const webhook = createWebhookHandler({
 *   secretKey: 'demo-secret',
 *   schema: mockWebhookEventSchema, // in production, the schema from your provider's documentation
 *   onEvent: ({ referenceId, status }) => {
 *     console.log(referenceId, status);
 *   },
 * });
 * ```
 */
export const mockWebhookEventSchema: z.ZodMiniType<MockWebhookEvent> = event;
