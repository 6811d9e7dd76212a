// Mistake: a webhook that was delivered before gets an error, so the service never stops sending it.
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
    const state = states.get(referenceId);
    if (state === undefined || state === status) throw new Error(`${referenceId} cannot become ${status}`);
    if (state !== 'paid') states.set(referenceId, status);
  }),
});
