// Mistake: each notification starts the upload of the invoice, also one that says "declined".
import { InstallmentClient } from 'installment-payments';
import { createWebhookHandler } from 'installment-payments/webhooks';
import { invoiceOf, listen, newOrder, notification, secretKey } from '../backend.js';

const client = new InstallmentClient();
const states = new Map<string, string>();
const withInvoice = new Set<string>();

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
      if (withInvoice.has(referenceId)) return;
      withInvoice.add(referenceId);
      client.uploadInvoice(invoiceOf(referenceId)).catch(console.error);
    },
  }),
});
