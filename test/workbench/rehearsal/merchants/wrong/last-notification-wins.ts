// Mistake: the webhook that arrives last decides, even if its event is older.
import { InstallmentClient } from 'installment-payments';
import { listen, newOrder, webhookFor } from '../backend.js';

const client = new InstallmentClient();
const states = new Map<string, string>();

listen({
  async checkOut(reference) {
    if (!states.has(reference)) states.set(reference, 'open');
    const { paymentUrl } = await client.initiatePayment(newOrder(reference));
    return paymentUrl;
  },
  stateOf: (reference) => states.get(reference),
  webhook: webhookFor(({ referenceId, status }) => {
    if (!states.has(referenceId)) throw new Error(`${referenceId} is unknown: send it again`);
    states.set(referenceId, status);
  }),
});
