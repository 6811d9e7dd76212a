/**
 * The possible outcomes of a call, and what a shop does for each.
 *
 *   npx tsx examples/outcomes.ts
 */
import {
  InstallmentClient,
  isInstallmentError,
  type InitiatePaymentOptions,
  type PaymentRequest,
} from 'installment-payments';
import { createMockService, samplePaymentRequest } from 'installment-payments/mock';

// Prerequisites: a service whose faults can be controlled.
const mock = createMockService();
const client = new InstallmentClient({
  ...mock.clientOptions(),
  maxRetries: 0, // one fault is enough to see each outcome
});

// The flow: the text for the customer, and the record that the shop keeps.
async function checkout(request: PaymentRequest, options: InitiatePaymentOptions = {}): Promise<string> {
  try {
    const payment = await client.initiatePayment(request, options);
    return `accepted: send the customer to ${payment.paymentUrl}`;
  } catch (error) {
    if (!isInstallmentError(error)) throw error;
    switch (error.outcome) {
      case 'not_sent':
        return `not_sent (${error.code}): nothing reached the service, correct it and call again`;
      case 'rejected':
        return `rejected (${error.code}): as this package reads the response, nothing was created: offer another way to pay`;
      case 'unknown':
        return error.retryable
          ? `unknown (${error.code}): keep the order open, and send this very request again with mayHaveBeenSent`
          : `unknown (${error.code}): keep the order open, and look the payment up at the service`;
    }
  }
}

console.log(await checkout(samplePaymentRequest({ referenceId: 'ORDER-1' })));
console.log(await checkout(samplePaymentRequest({ referenceId: 'ORDER-2', amount: { value: -1 } })));
console.log(await checkout(samplePaymentRequest({ referenceId: 'trigger:AMOUNT_EXCEEDED_UPPER_LIMIT:3' })));

// The response is lost: the payment exists, but the shop cannot see that.
mock.injectFault('initiatePayment', 'connection-reset', { referenceId: 'ORDER-4', phase: 'after' });
console.log(await checkout(samplePaymentRequest({ referenceId: 'ORDER-4' })));
// The mock returns the stored response for a repeated key: the shop finds the payment again, and there is still only
// one.
const again = { mayHaveBeenSent: true };
console.log(await checkout(samplePaymentRequest({ referenceId: 'ORDER-4' }), again));
// Another service might refuse the repeat. The payment of the first request still exists, so no other payment is
// started.
for (const resultStatus of ['DUPLICATE_REFERENCE_ID', 'INVALID_REQUEST'] as const) {
  mock.respondWith('initiatePayment', { resultStatus });
  console.log(await checkout(samplePaymentRequest({ referenceId: 'ORDER-4' }), again));
}
console.log(
  `payments for ORDER-4: ${mock.payments.all().filter((payment) => payment.referenceId === 'ORDER-4').length}`,
);
