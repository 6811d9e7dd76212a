// Mistake: two simultaneous webhooks both find an order without an invoice.
import { setTimeout as sleep } from 'node:timers/promises';
import { InstallmentClient } from 'installment-payments';
import { invoiceOf, listen, newOrder, webhookFor } from '../backend.js';

const client = new InstallmentClient();
/** A database with the latency of a real database. */
const database = new Map<string, string>();
const load = async (reference: string) => {
  await sleep(10);
  return database.get(reference);
};
const store = async (reference: string, state: string) => {
  await sleep(10);
  database.set(reference, state);
};

listen({
  async checkOut(reference) {
    if ((await load(reference)) === undefined) await store(reference, 'open');
    const { paymentUrl } = await client.initiatePayment(newOrder(reference));
    return paymentUrl;
  },
  stateOf: (reference) => database.get(reference),
  webhook: webhookFor(async ({ referenceId, status }) => {
    if ((await load(referenceId)) === 'paid') return;
    await store(referenceId, status);
    if (status === 'paid') client.uploadInvoice(invoiceOf(referenceId)).catch(console.error);
  }),
});
