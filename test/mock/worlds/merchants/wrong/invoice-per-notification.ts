// Mistake: a notification that is delivered twice uploads the invoice twice.
import { InstallmentClient } from 'installment-payments';
import { createWebhookHandler } from 'installment-payments/webhooks';
import { invoiceOf, listen, newOrder, notification, secretKey } from '../backend.js';

const client = new InstallmentClient();
const states = new Map<string, string>();

listen({
  async checkOut(reference) {
    states.set(reference, states.get(reference) ?? 'open');
    const { paymentUrl } = await client.initiatePayment(newOrder(reference));
    return paymentUrl;
  },
  stateOf: (reference) => states.get(reference),
  webhook: createWebhookHandler({
    secretKey,
    schema: notification,
    onEvent({ referenceId, status }) {
      if (states.get(referenceId) !== 'paid') states.set(referenceId, status);
      if (status === 'paid') client.uploadInvoice(invoiceOf(referenceId)).catch(console.error);
    },
  }),
});
