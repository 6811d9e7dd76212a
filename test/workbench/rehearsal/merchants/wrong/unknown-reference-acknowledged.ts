// Mistake: the order is stored only after its response. A webhook that arrives earlier is acknowledged and dropped.
import { InstallmentClient } from 'installment-payments';
import { listen, newOrder, webhookFor } from '../backend.js';

const client = new InstallmentClient();
const states = new Map<string, string>();

listen({
  async checkOut(reference) {
    const { paymentUrl } = await client.initiatePayment(newOrder(reference));
    if (!states.has(reference)) states.set(reference, 'open');
    return paymentUrl;
  },
  stateOf: (reference) => states.get(reference),
  webhook: webhookFor(({ referenceId, status }) => {
    const state = states.get(referenceId);
    if (state === undefined) return; // the order is unknown
    if (state !== 'paid') states.set(referenceId, status);
  }),
});
