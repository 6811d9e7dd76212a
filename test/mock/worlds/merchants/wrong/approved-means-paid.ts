// Mistake: APPROVED is read as "paid"; it says that the customer may pay.
import { InstallmentClient } from 'installment-payments';
import { createWebhookHandler } from 'installment-payments/webhooks';
import { listen, newOrder, notification, secretKey } from '../backend.js';

const client = new InstallmentClient();
const states = new Map<string, string>();

listen({
  async checkOut(reference) {
    const { paymentUrl } = await client.initiatePayment(newOrder(reference));
    states.set(reference, 'paid'); // it did not throw, so the service said APPROVED
    return paymentUrl;
  },
  stateOf: (reference) => states.get(reference),
  webhook: createWebhookHandler({
    secretKey,
    schema: notification,
    onEvent({ referenceId, status }) {
      console.log(`${referenceId}: ${status}`);
    },
  }),
});
