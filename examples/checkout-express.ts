/**
 * A checkout with Express: the shop looks the order up, creates the payment, and sends the customer to it.
 *
 *   npx tsx examples/checkout-express.ts      then POST to /checkout/:reference, as the `curl` that it prints does
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { InstallmentClient, isInstallmentError, type PaymentRequest } from 'installment-payments';
import { createMockService, samplePaymentRequest } from 'installment-payments/mock';

// Prerequisites: a service to pay with. In production, the environment names it and the mock goes.
const mock = createMockService();
const service = await mock.listen();
const client = new InstallmentClient({ ...mock.clientOptions(), baseUrl: service.url });

// The shop's own orders. What is paid for is never taken from the browser: it names an order, and no more.
const orders = new Map<string, PaymentRequest>([
  ['DON-HANG:2026-0001', samplePaymentRequest({ referenceId: 'DON-HANG:2026-0001' })],
  ['FREE-OF-CHARGE', samplePaymentRequest({ referenceId: 'FREE-OF-CHARGE', amount: { value: 0 } })],
]);

// The flow.
const shop = express();

shop.post('/checkout/:reference', async (request, response) => {
  const found = orders.get(request.params.reference);
  if (!found) {
    response.status(404).json({ error: 'NO_SUCH_ORDER' });
    return;
  }
  try {
    const payment = await client.initiatePayment(found);
    response.redirect(303, payment.paymentUrl);
  } catch (error) {
    if (!isInstallmentError(error)) throw error;
    switch (error.outcome) {
      case 'not_sent': // the order itself is wrong, or the service could not be reached
        response
          .status(error.code === 'VALIDATION' ? 400 : 503)
          .json({ error: error.code, issues: 'issues' in error ? error.issues : [] });
        break;
      case 'rejected': // by the documented meaning of the answer nothing was created: offer another way to pay
        response
          .status(422)
          .json({ error: error.code, action: 'action' in error ? error.action : undefined });
        break;
      case 'unknown': // the payment may exist: keep the order, and repeat this very request later
        response.status(202).json({ error: error.code, retryLater: true });
        break;
    }
  }
});

const server = shop.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
console.log(`Shop at ${url}`);
console.log(`curl -i -X POST ${url}/checkout/DON-HANG:2026-0001`);

process.once('SIGTERM', () => {
  server.close();
  void service.close();
});
