/**
 * Every way a call can end, and what a shop does about it.
 *
 *   npx tsx examples/outcomes.ts
 */
import { readFile } from 'node:fs/promises';
import { InstallmentClient, isInstallmentError, type PaymentRequest } from 'installment-payments';
import { createMockService, DEMO_MERCHANT } from 'installment-payments/mock';

// Prerequisites: a service that can be told to misbehave, and an order.
const mock = createMockService();
const { clientId, secretKey, merchantId, storeIds } = DEMO_MERCHANT;
const client = new InstallmentClient({
  baseUrl: 'https://sandbox.example',
  clientId,
  secretKey,
  merchantId,
  storeId: storeIds[0],
  platformId: 'WEBSHOP',
  maxRetries: 0, // so that one fault is enough to see each outcome
  fetch: mock.fetch,
});
const order = JSON.parse(await readFile(new URL('order.json', import.meta.url), 'utf8')) as PaymentRequest;

// The flow: what the shop shows, and what it keeps.
async function checkout(request: PaymentRequest): Promise<string> {
  try {
    const payment = await client.initiatePayment(request);
    return `accepted: send the customer to ${payment.paymentUrl}`;
  } catch (error) {
    if (!isInstallmentError(error)) throw error;
    switch (error.outcome) {
      case 'not_sent':
        return `not_sent (${error.code}): nothing reached the service, correct it and call again`;
      case 'rejected':
        return `rejected (${error.code}): nothing was created, offer another way to pay`;
      case 'unknown':
        return `unknown (${error.code}): keep the order open and repeat this very request`;
    }
  }
}

console.log(await checkout({ ...order, referenceId: 'ORDER-1' }));
console.log(await checkout({ ...order, referenceId: 'ORDER-2', amount: { value: -1 } }));
console.log(await checkout({ ...order, referenceId: 'trigger:AMOUNT_EXCEEDED_UPPER_LIMIT:3' }));

// The answer is lost on its way back: the payment exists, and the shop cannot know.
mock.injectFault('initiatePayment', 'connection-reset', { referenceId: 'ORDER-4', phase: 'after' });
console.log(await checkout({ ...order, referenceId: 'ORDER-4' }));
// The same request carries the same idempotency key: the payment is found again, and there is still one.
console.log(await checkout({ ...order, referenceId: 'ORDER-4' }));
console.log(
  `payments for ORDER-4: ${mock.payments.all().filter((payment) => payment.referenceId === 'ORDER-4').length}`,
);
