/**
 * The shop that fastify.ts, hono.ts and next-route.ts serve: a mock, and two orders. Replace it by your own client and
 * database. With Next.js, make the client at its first use: `next build` loads every route without your secrets.
 */
import { InstallmentClient } from 'installment-payments';
import { createMockService, samplePaymentRequest } from 'installment-payments/mock';
import type { Shop } from './checkout.js';
import { newAttempt, type Attempt } from './start-payment.js';

const mock = createMockService({ uploads: 'any' });
const options = mock.clientOptions();
const { merchantId, storeId, platformId } = options;
const merchant = { merchantId, storeId, platformId };
const attempts = new Map<string, Attempt>(
  [
    samplePaymentRequest({ ...merchant, referenceId: 'ORDER-1' }),
    samplePaymentRequest({ ...merchant, referenceId: 'FREE-OF-CHARGE', amount: { value: 0 } }),
  ].map((request) => [request.referenceId, newAttempt(request)]),
);

export const shop: Shop = {
  client: new InstallmentClient(options),
  attemptOf: (referenceId) => attempts.get(referenceId),
};
