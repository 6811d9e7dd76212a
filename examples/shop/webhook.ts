/** Receives the service's notifications: the only place where an order becomes paid by itself. */
import { createWebhookHandler, type WebhookHandler } from 'installment-payments/webhooks';
import * as z from 'zod';
import type { ShopDatabase } from './database.js';

/** The shape that the mock sends. The specification shows none: yours is in the documents that you agreed on. */
const notification = z.object({
  event: z.string(),
  merchantId: z.string(),
  referenceId: z.string(),
  status: z.string(),
  amount: z.object({ value: z.number(), currency: z.string() }),
});
const settled = z.enum(['paid', 'declined', 'expired']);

interface Setup {
  readonly secretKey: string;
  readonly database: ShopDatabase;
  /** Called after the payment of an order is stored. It must not throw, and is not waited for. */
  readonly onPaid: (orderId: string) => void;
}

export function createWebhook({ secretKey, database, onPaid }: Setup): WebhookHandler {
  return createWebhookHandler({
    secretKey,
    schema: notification,
    // An error thrown here, such as the error of a locked database, is answered with 500. The event may come again.
    async onEvent({ event, merchantId, referenceId, status, amount }) {
      const attempt = await database.attempt(referenceId);
      const order = attempt && (await database.order(attempt.orderId));
      if (!order) throw new Error(`a payment is reported for ${referenceId}, which no order has`);
      const { value, currency } = order.request.amount;
      const isOurs = merchantId === order.request.merchantId;
      const state = settled.safeParse(status).data;
      const isExpected =
        event === 'payment.settled' && isOurs && amount.value === value && amount.currency === currency;
      if (!state || !isExpected) {
        // Sent again it would say the same, so it is stored for staff and acknowledged.
        await database.notice(`${referenceId}: ${event} ${status}, ${amount.value} ${amount.currency}`);
        return;
      }
      await database.settle(referenceId, state);
      if (state === 'paid') onPaid(order.id);
    },
  });
}
