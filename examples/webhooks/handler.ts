/** The handler that each recipe in this folder mounts. It marks an order as paid, once. */
import { createWebhookHandler } from 'installment-payments/webhooks';
import * as z from 'zod';

// The mock's shape. That of the service is in the documents that you agreed on with it.
const paymentEvent = z.object({
  merchantId: z.string(),
  referenceId: z.string(),
  status: z.string(),
  amount: z.object({ value: z.number(), currency: z.string() }),
});

interface Order {
  /** Of the request that was sent. */
  readonly merchantId: string;
  readonly amount: number;
  paidAt?: Date;
}

/**
 * In production a table, to which an order is added before its payment is started, and
 * `UPDATE orders SET paid_at = now() WHERE reference_id = $1 AND paid_at IS NULL`. What follows (shipped, refunded) has a
 * column of its own, so that a second notification does not undo it.
 */
export const orders = new Map<string, Order>([
  ['ORDER-1', { merchantId: 'DEMO-MERCHANT', amount: 12_000_000 }],
]);

// The secret key is INSTALLMENT_SECRET_KEY, read for each notification: `next build` may load this file without it.
export const webhook = createWebhookHandler({
  schema: paymentEvent,
  onEvent({ merchantId, referenceId, status, amount }) {
    const order = orders.get(referenceId);
    // Responds with 500: the notification may have overtaken your own transaction, and may be delivered again.
    if (!order) throw new Error(`no order has the reference ${referenceId}`);
    // A signature says who sent it, and not that it is about this order.
    if (merchantId !== order.merchantId || amount.value !== order.amount || amount.currency !== 'VND') {
      throw new Error(`the notification for ${referenceId} is not about the request that was sent`);
    }
    // Another word changes nothing: it may not be final, or not be known yet.
    if (status === 'paid') order.paidAt ??= new Date();
  },
  // Every refusal: a key that the service has changed shows here first.
  onError: (error) => console.warn(error),
});
