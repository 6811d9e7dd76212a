/**
 * The shop that fastify.ts, hono.ts, next-route.ts and the recipes in webhooks/ serve. Replace it with your own
 * client and database. It pays at INSTALLMENT_BASE_URL, or by default with a mock. With Next.js, create the client at
 * its first use, because `next build` loads every route without your secrets.
 */
import { InstallmentClient } from 'installment-payments';
import { createMockService, samplePaymentRequest } from 'installment-payments/mock';
import { createOrderPayments } from 'installment-payments/orders';
import Database from 'libsql';
import type { Shop } from './checkout.js';

const { INSTALLMENT_BASE_URL, SHOP_URL = 'https://shop.example', SWEEP_EVERY_MS = '60000' } = process.env;
const options = createMockService({ uploads: 'any' }).clientOptions();
const client = new InstallmentClient(INSTALLMENT_BASE_URL === undefined ? options : {});
const database = new Database(':memory:');

export const payments = createOrderPayments({
  client,
  dialect: 'sqlite',
  query: (sql, values) => {
    const statement = database.prepare(sql);
    return Promise.resolve(statement.reader ? statement.all(values) : statement.run(values));
  },
  onPaid: ({ orderId }) => console.log(`ship ${orderId}`),
  repeatAfterMs: Number(SWEEP_EVERY_MS),
});
for (const statement of payments.schema) database.exec(statement);
setInterval(() => void payments.sweep().catch(console.error), Number(SWEEP_EVERY_MS)).unref();

export const shop: Shop = {
  client,
  payments,
  requestOf(orderId) {
    // Every ID that begins with ORDER- is a valid order.
    if (!orderId.startsWith('ORDER-') && orderId !== 'FREE-OF-CHARGE') return undefined;
    const page = `${SHOP_URL}/orders/${orderId}`;
    const { referenceId: _referenceId, ...request } = samplePaymentRequest({
      successRedirectUrl: page,
      unSuccessRedirectUrl: page,
      transExpiredTime: 15 * 60_000,
      amount: { value: orderId === 'FREE-OF-CHARGE' ? 0 : 12_000_000 },
    });
    return request;
  },
};
