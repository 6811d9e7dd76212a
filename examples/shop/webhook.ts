/** Receives the service's notifications: the only place where an order becomes paid by itself. */
import { createWebhookHandler, type WebhookHandler } from 'installment-payments/webhooks';
import * as z from 'zod';
import type { ShopDatabase } from './database.js';

/** The shape that the mock sends. The specification shows none: yours is in the documents that you agreed on. */
const paymentSettled = z.object({
  event: z.literal('payment.settled'),
  referenceId: z.string(),
  status: z.enum(['paid', 'declined', 'expired']),
  amount: z.object({ value: z.number(), currency: z.literal('VND') }),
});

interface Setup {
  readonly secretKey: string;
  readonly database: ShopDatabase;
  /** Called after the payment of an order is stored. It must not throw, and is not waited for. */
  readonly onPaid: (orderId: string) => void;
}

export function createWebhook({ secretKey, database, onPaid }: Setup): WebhookHandler {
  return createWebhookHandler({
    secretKey,
    schema: paymentSettled,
    async onEvent({ referenceId, status, amount }) {
      const attempt = await database.attempt(referenceId);
      const order = attempt && (await database.order(attempt.orderId));
      // What throws is answered with 500 and written to the log: the service sends it again, and a person sees it.
      if (!order) throw new Error(`a payment is reported for ${referenceId}, which no order has`);
      if (order.request.amount.value !== amount.value)
        throw new Error(`${amount.value} VND are reported for ${referenceId}, which is not its amount`);
      await database.settle(referenceId, status);
      if (status === 'paid') onPaid(order.id);
    },
  });
}
