/** The handler that each recipe in this folder mounts. It marks an order as paid, once. */
import { createWebhookHandler } from 'installment-payments/webhooks';
import * as z from 'zod';

// The mock's shape. That of the service is in the documents that you agreed on with it.
const paymentEvent = z.object({ referenceId: z.string(), status: z.enum(['paid', 'declined', 'expired']) });

/**
 * In production a table, to which an order is added before its payment is started, and
 * `UPDATE orders SET paid_at = now() WHERE reference_id = $1 AND paid_at IS NULL`. What follows (shipped, refunded) has a
 * column of its own, so that a second notification does not undo it.
 */
export const orders = new Map<string, { paidAt?: Date }>([['ORDER-1', {}]]);

// The secret key is INSTALLMENT_SECRET_KEY, read for each notification: `next build` may load this file without it.
export const webhook = createWebhookHandler({
  schema: paymentEvent,
  onEvent({ referenceId, status }) {
    const order = orders.get(referenceId);
    // Answered with 500: the notification may have overtaken your own transaction, and may come again.
    if (!order) throw new Error(`no order has the reference ${referenceId}`);
    if (status === 'paid') order.paidAt ??= new Date();
  },
  // Every refusal: a key that the service has changed shows here first.
  onError: (error) => console.warn(error),
});
