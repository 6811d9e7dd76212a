/**
 * A checkout with Express: the shop looks the order up, creates the payment, and sends the customer to it.
 *
 *   npx tsx examples/checkout-express.ts      then POST to /checkout/:reference, as the `curl` that it prints does
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { InstallmentClient } from 'installment-payments';
import { createMockService, samplePaymentRequest } from 'installment-payments/mock';
import { newAttempt, startPayment, type Attempt } from './start-payment.js';

// Prerequisites: a service to pay with. In production, the environment names it and the mock goes.
const mock = createMockService();
const service = await mock.listen();
const options = mock.clientOptions();
const client = new InstallmentClient({ ...options, baseUrl: service.url });

// The shop's attempts to pay. What is paid for is never taken from the browser: it names an attempt, and no more.
const { merchantId, storeId, platformId } = options;
const merchant = { merchantId, storeId, platformId };
const attempts = new Map<string, Attempt>(
  [
    samplePaymentRequest({ ...merchant, referenceId: 'DON-HANG:2026-0001' }),
    samplePaymentRequest({ ...merchant, referenceId: 'FREE-OF-CHARGE', amount: { value: 0 } }),
  ].map((request) => [request.referenceId, newAttempt(request)]),
);

// The flow.
const shop = express();

shop.post('/checkout/:reference', async (request, response) => {
  const attempt = attempts.get(request.params.reference);
  if (!attempt) {
    response.status(404).json({ error: 'NO_SUCH_ORDER' });
    return;
  }
  const progress = await startPayment(client, attempt);
  switch (progress.state) {
    case 'started': // also for a customer who submits twice
      response.redirect(303, progress.paymentUrl);
      break;
    case 'refused': {
      // The order itself is wrong, or the service refused it: offer another way to pay.
      const { error } = progress;
      const { code } = error;
      if (code === 'VALIDATION') response.status(400).json({ error: code, issues: error.issues });
      else response.status(422).json({ error: code, action: 'action' in error ? error.action : undefined });
      break;
    }
    case 'new': // not sent, or refused for now: the same attempt may succeed later
      response.status(503).json({ error: progress.error?.code });
      break;
    default: // the payment may exist: the customer waits, and starts nothing new for the order
      response.status(202).json({ state: progress.state });
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
