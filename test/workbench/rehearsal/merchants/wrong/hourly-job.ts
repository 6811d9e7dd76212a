// Mistake: an hourly job sends open orders with a different reference. The run has ended by then.
import { InstallmentClient } from 'installment-payments';
import { listen, newOrder, webhookFor } from '../backend.js';

const client = new InstallmentClient();
const states = new Map<string, string>();

async function pay(reference: string): Promise<string | undefined> {
  states.set(reference, 'sent');
  try {
    const { paymentUrl } = await client.initiatePayment(newOrder(reference));
    if (states.get(reference) === 'sent') states.set(reference, 'open');
    return paymentUrl;
  } catch (error) {
    console.error(`${reference} waits for the job:`, error);
    return undefined;
  }
}

listen({
  checkOut: async (reference) => (states.has(reference) ? undefined : pay(reference)),
  stateOf: (reference) => states.get(reference),
  webhook: webhookFor(({ referenceId, status }) => {
    if (!states.has(referenceId)) throw new Error(`${referenceId} is unknown: send it again`);
    if (states.get(referenceId) !== 'paid') states.set(referenceId, status);
  }),
});

setInterval(() => {
  for (const [reference, state] of states) if (state === 'sent') void pay(`${reference}-2`);
}, 3_600_000);
