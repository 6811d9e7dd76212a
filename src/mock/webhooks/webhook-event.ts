import * as z from 'zod/mini';
import { settlements } from '../state/payment-record.js';

/**
 * The event in a webhook of the mock, unless `webhook.template` or `webhook.body` replaces it. The specification shows
 * no event, so this shape is assumed. The events of the service will have a different shape.
 */
export interface MockWebhookEvent {
  /** The ID, such as `WH-00000001`. It is the same for each delivery of the event. */
  id: string;
  /** The kind of event. `'payment.settled'` means that the payment was paid or declined, or has expired. */
  event: 'payment.settled' | 'payment.pending';
  /** The merchant of the payment. */
  merchantId: string;
  /** The merchant's `referenceId` of the payment. */
  referenceId: string;
  /**
   * The status of the payment. `'pending'` occurs only in scenarios that send webhooks with a status that is not final.
   */
  status: 'paid' | 'declined' | 'expired' | 'pending';
  /** The amount to pay. */
  amount: {
    /** The amount in units of the currency. */
    value: number;
    /** The currency: `VND`, except in a scenario that sends a wrong currency. Compare the currency with your order. */
    currency: string;
  };
  /** The description of the order. */
  description: string;
  /** The ID of a payment that was paid. */
  paymentTransId?: string | undefined;
  /** The time when the payment was settled, in ISO 8601, by the mock's clock; absent while the payment is pending. */
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

/** The names of the fields, in order. */
export const eventFields: readonly string[] = Object.keys(event.shape);

/**
 * The schema of {@link MockWebhookEvent}, for a handler that you test with the mock.
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
