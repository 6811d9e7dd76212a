/**
 * A checkout with Express: the shop creates the payment, sends the customer to it, and hears how it ended.
 *
 *   npx tsx examples/checkout-express.ts      then POST an order to /checkout, as `curl` below does
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { InstallmentClient, isInstallmentError, type PaymentRequest } from 'installment-payments';
import { createMockService, DEMO_MERCHANT } from 'installment-payments/mock';

// Prerequisites: a service to pay with. In production, the environment names it and the mock goes.
const service = await createMockService().listen();
const { clientId, secretKey, merchantId, storeIds } = DEMO_MERCHANT;
const client = new InstallmentClient({
  baseUrl: service.url,
  clientId,
  secretKey,
  merchantId,
  storeId: storeIds[0],
  platformId: 'WEBSHOP',
});

// The flow.
const shop = express();
shop.use(express.json());

shop.post('/checkout', async (request, response) => {
  try {
    const payment = await client.initiatePayment(request.body as PaymentRequest);
    response.redirect(303, payment.paymentUrl);
  } catch (error) {
    if (!isInstallmentError(error)) throw error;
    switch (error.outcome) {
      case 'not_sent': // the order itself is wrong, or the service could not be reached
        response
          .status(error.code === 'VALIDATION' ? 400 : 503)
          .json({ error: error.code, issues: 'issues' in error ? error.issues : [] });
        break;
      case 'rejected': // nothing was created: offer another way to pay
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
console.log(`curl -i ${url}/checkout -H 'Content-Type: application/json' -d @examples/order.json`);

process.once('SIGTERM', () => {
  server.close();
  void service.close();
});
