// Right: the order is stored before it is sent, a payment counts whenever it is reported, and the invoice is uploaded
// once.
import { InstallmentClient } from 'installment-payments';
import { invoiceOf, listen, newOrder, webhookFor } from '../backend.js';

const client = new InstallmentClient();
const states = new Map<string, string>();

listen({
  async checkOut(reference) {
    const isFirst = !states.has(reference);
    if (isFirst) states.set(reference, 'open');
    const { paymentUrl } = await client.initiatePayment(
      newOrder(reference),
      isFirst ? {} : { mayHaveBeenSent: true },
    );
    return paymentUrl;
  },
  stateOf: (reference) => states.get(reference),
  webhook: webhookFor(({ referenceId, merchantId, amount, status }) => {
    if (!states.has(referenceId)) throw new Error(`${referenceId} is unknown: send it again`);
    const isSame = amount.value === newOrder(referenceId).amount.value && amount.currency === 'VND';
    if (!isSame || merchantId !== process.env['INSTALLMENT_MERCHANT_ID']) throw new Error('another payment');
    if (states.get(referenceId) === 'paid') return;
    states.set(referenceId, status);
    if (status === 'paid') client.uploadInvoice(invoiceOf(referenceId)).catch(console.error);
  }),
});
