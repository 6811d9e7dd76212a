/**
 * Every way a call can end, and what a shop does about it.
 *
 *   npx tsx examples/outcomes.ts
 */
import { InstallmentClient, isInstallmentError, type PaymentRequest } from 'installment-payments';
import { createMockService, samplePaymentRequest } from 'installment-payments/mock';

// Prerequisites: a service that can be told to misbehave.
const mock = createMockService();
const client = new InstallmentClient({
  ...mock.clientOptions(),
  maxRetries: 0, // so that one fault is enough to see each outcome
});

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
        return `rejected (${error.code}): by the documented meaning of the answer nothing was created, offer another way to pay`;
      case 'unknown':
        return `unknown (${error.code}): keep the order open and repeat this very request`;
    }
  }
}

console.log(await checkout(samplePaymentRequest({ referenceId: 'ORDER-1' })));
console.log(await checkout(samplePaymentRequest({ referenceId: 'ORDER-2', amount: { value: -1 } })));
console.log(await checkout(samplePaymentRequest({ referenceId: 'trigger:AMOUNT_EXCEEDED_UPPER_LIMIT:3' })));

// The answer is lost on its way back: the payment exists, and the shop cannot know.
mock.injectFault('initiatePayment', 'connection-reset', { referenceId: 'ORDER-4', phase: 'after' });
console.log(await checkout(samplePaymentRequest({ referenceId: 'ORDER-4' })));
// The same request carries the same idempotency key: the payment is found again, and there is still one.
console.log(await checkout(samplePaymentRequest({ referenceId: 'ORDER-4' })));
console.log(
  `payments for ORDER-4: ${mock.payments.all().filter((payment) => payment.referenceId === 'ORDER-4').length}`,
);
