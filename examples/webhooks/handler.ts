/** The handler that each recipe in this folder mounts. In production, `payments` uses your own database. */
import { createWebhookHandler } from 'installment-payments/webhooks';
import { mockWebhookEventSchema } from 'installment-payments/mock';
import { payments } from '../demo-shop.js';

// The secret key is INSTALLMENT_SECRET_KEY. It is read for each webhook, because `next build` can load this file
// without it.
export const webhook = createWebhookHandler({
  schema: mockWebhookEventSchema, // in production, the schema from your provider's documentation
  onEvent: async (event) => {
    // Compares merchant, amount and currency with the stored payment request. It rejects for an unknown reference. Then
    // the response is 500, because the webhook can arrive before your own transaction is committed, and can be delivered
    // again.
    await payments.handleEvent(event);
  },
  // Every refusal is reported here. A key that the service has changed shows here first.
  onError: (error) => console.warn(error),
});
