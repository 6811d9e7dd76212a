/**
 * A test that controls a mock in another process, for example with Playwright. The shop calls the mock, and the test
 * decides what the mock does.
 *
 *   npm run mock                          in one terminal; in your project: npx installment-payments mock
 *   npx tsx examples/remote-mock.ts       in another, before or after it
 */
import { strict as assert } from 'node:assert';
import { InstallmentClient } from 'installment-payments';
import { DEMO_MERCHANT, sampleInvoice, samplePaymentRequest } from 'installment-payments/mock';
import { connectMock } from 'installment-payments/mock/remote';

const [url = 'http://127.0.0.1:4010'] = process.argv.slice(2);
const remote = connectMock(url, { waitMs: 60_000 });

/** The part of the shop. It would run in its own process, with the address of the mock as its base URL. */
async function shop(referenceId: string): Promise<string> {
  const { clientId, secretKey, merchantId, storeIds } = DEMO_MERCHANT;
  const client = new InstallmentClient({
    baseUrl: url,
    clientId,
    secretKey,
    merchantId,
    storeId: storeIds[0],
    platformId: 'WEBSHOP',
  });
  await client.initiatePayment(samplePaymentRequest({ referenceId }));
  await remote.settle(referenceId, 'paid');
  const { resultStatus } = await client.uploadInvoice(sampleInvoice({ referenceId }));
  return resultStatus;
}

await remote.reset();
console.log(`mock at ${url} is up`);

// The response to the payment is lost. The client retries, and there is one payment.
await remote.injectFault('initiatePayment', 'connection-reset', { phase: 'after' });
const shopping = shop('ORDER-1');

const upload = await remote.journal.waitFor({ operation: 'uploadInvoice', referenceId: 'ORDER-1' });
console.log(`invoice  ${upload.resultStatus ?? 'not answered'}, by the journal of the mock`);
console.log(`invoice  ${await shopping}, by the shop`);

const payments = await remote.payments.all();
assert.equal(payments.length, 1);
console.log(`payments ${payments.length}, ${payments[0]?.status ?? 'none'}`);

// An invalid call is rejected with the message of the mock.
await assert.rejects(remote.settle('ORDER-1', 'declined'), (error: Error) => {
  console.log(`refused  ${error.message}`);
  return true;
});
