/** Pays for the orders that it is told of, one after the other, and writes a line before and after each. */
import { InstallmentClient } from '../../../src/index.js';
import { demo, paymentRequest } from '../../helpers/samples.js';

const { BASE_URL: baseUrl, ORDERS: orders = '' } = process.env;

const client = new InstallmentClient({
  ...demo,
  baseUrl,
  hooks: {
    beforeSend: ({ idempotencyKey }) => {
      process.stdout.write(`sending ${String(idempotencyKey)}\n`);
    },
  },
});

for (const referenceId of orders.split(',')) {
  const { paymentUrl } = await client.initiatePayment(paymentRequest({ referenceId }));
  process.stdout.write(`paid ${referenceId} ${paymentUrl}\n`);
}
