/** The handler that each recipe in this folder mounts. In production `payments` is yours, over your own database. */
import { createWebhookHandler } from 'installment-payments/webhooks';
import { mockWebhookEventSchema } from 'installment-payments/mock';
import { payments } from '../demo-shop.js';

// The secret key is INSTALLMENT_SECRET_KEY, read for each notification: `next build` may load this file without it.
export const webhook = createWebhookHandler({
  schema: mockWebhookEventSchema, // in production, the schema from your provider's documentation
  onEvent: async (event) => {
    // Compares merchant, amount and currency with what was asked. It rejects for an unknown reference: the response is 500,
    // because the notification may have overtaken your own transaction, and it may be delivered again.
    await payments.handleEvent(event);
  },
  // Every refusal: a key that the service has changed shows here first.
  onError: (error) => console.warn(error),
});
