/**
 * The shop that fastify.ts, hono.ts and next-route.ts serve. Replace it by your own client and database. It pays at
 * INSTALLMENT_BASE_URL, else with a mock. With Next.js, make the client at its first use: `next build` loads every route
 * without your secrets.
 */
import { InstallmentClient } from 'installment-payments';
import { createMockService, mockWebhookEventSchema, samplePaymentRequest } from 'installment-payments/mock';
import { createWebhookHandler } from 'installment-payments/webhooks';
import type { Shop } from './checkout.js';
import { newAttempt, type Attempt } from './start-payment.js';

const { INSTALLMENT_BASE_URL, SHOP_URL = 'https://shop.example' } = process.env;
const options = createMockService({ uploads: 'any' }).clientOptions();
const { merchantId, storeId, platformId, secretKey } = options;

// One row for each order: its attempt to pay, and whether it is paid.
const orders = new Map<string, { readonly attempt: Attempt; paidAt?: Date }>();

function addOrder(referenceId: string, amount = 12_000_000): void {
  const page = `${SHOP_URL}/orders/${referenceId}`;
  const redirects = { successRedirectUrl: page, unSuccessRedirectUrl: page };
  const merchant = { merchantId, storeId, platformId };
  const request = samplePaymentRequest({ ...merchant, ...redirects, referenceId, amount: { value: amount } });
  orders.set(referenceId, { attempt: newAttempt(request) });
}
addOrder('FREE-OF-CHARGE', 0);

export const shop: Shop = {
  client: new InstallmentClient(INSTALLMENT_BASE_URL === undefined ? options : {}),
  attemptOf(referenceId) {
    // Every ORDER- is a good order.
    if (referenceId.startsWith('ORDER-') && !orders.has(referenceId)) addOrder(referenceId);
    return orders.get(referenceId)?.attempt;
  },
};

export const webhook = createWebhookHandler({
  secretKey,
  schema: mockWebhookEventSchema, // in production, the schema of your own documents
  onEvent({ referenceId, status, ...event }) {
    const order = orders.get(referenceId);
    // Answered with 500: the notification may have overtaken your own transaction, and may come again.
    if (!order) throw new Error(`no order has the reference ${referenceId}`);
    const { value } = order.attempt.request.amount;
    const isSame = event.amount.value === value && event.amount.currency === 'VND';
    if (status === 'paid' && isSame && event.merchantId === merchantId) order.paidAt ??= new Date();
  },
  onError: (error) => console.warn(error),
});

/** The page to which the customer returns. It shows what is known and changes nothing. */
export function orderPage(referenceId: string): Response {
  const order = orders.get(referenceId);
  if (!order) return Response.json({ error: 'NO_SUCH_ORDER' }, { status: 404 });
  return Response.json({ state: order.paidAt ? 'paid' : 'open' });
}
