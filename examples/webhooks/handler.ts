/** The handler that each recipe in this folder mounts. It marks an order as paid, once. */
import { createWebhookHandler } from 'installment-payments/webhooks';
import * as z from 'zod';

// The mock's shape. That of the service is in the documents that you agreed on with it.
const paymentEvent = z.object({ referenceId: z.string(), status: z.enum(['paid', 'declined', 'expired']) });

/** In production a table with a unique key on the order, and `INSERT ... ON CONFLICT DO NOTHING`. */
export const paidOrders = new Set<string>();

export const webhook = createWebhookHandler({
  secretKey: process.env['INSTALLMENT_SECRET_KEY'] ?? '', // an empty key is refused
  schema: paymentEvent,
  onEvent({ referenceId, status }) {
    if (status === 'paid') paidOrders.add(referenceId);
  },
});
