/** Creates the shop from `installment-payments/orders` and its own parts. */
import { randomUUID } from 'node:crypto';
import type { InvoiceFileInput } from 'installment-payments';
import {
  createOrderPayments,
  orderEventSchema,
  type OrderPaymentsOptions,
} from 'installment-payments/orders';
import { createWebhookHandler } from 'installment-payments/webhooks';
import { createApp } from './app.js';
import type { ShopAddress } from './checkout-form.js';
import type { Order, ShopDatabase } from './database.js';
import { xmlInvoice } from './invoice-file.js';

export interface ShopOptions
  extends ShopAddress, Pick<OrderPaymentsOptions, 'client' | 'now' | 'repeatAfterMs' | 'waitMs'> {
  readonly database: ShopDatabase;
  /** The key with which the service signs its webhooks. */
  readonly secretKey: string;
  readonly staffPassword: string;
  readonly invoiceFor?: (order: Order) => InvoiceFileInput;
}

export function createShop({
  database,
  secretKey,
  staffPassword,
  shopUrl,
  payWithinMs,
  invoiceFor = xmlInvoice,
  ...options
}: ShopOptions) {
  const placed = (id: string): Order => {
    const order = database.order(id);
    if (!order) throw new Error(`there is no order ${id}`);
    return order;
  };
  const payments = createOrderPayments({
    ...options,
    dialect: 'sqlite',
    query: database.query,
    loadFile: (orderId) => invoiceFor(placed(orderId)),
    // It can be called twice, and the same invoice is added once. A real shop notifies its warehouse here.
    onPaid: ({ orderId }) => {
      const invoiceDate = new Date(placed(orderId).placedAt);
      return payments.addInvoice(orderId, { invoiceNumber: orderId, invoiceDate, file: orderId });
    },
    logger: console,
  });
  for (const statement of payments.schema) database.exec(statement);

  const webhook = createWebhookHandler({
    secretKey,
    schema: orderEventSchema, // in production, the schema of your provider's documentation
    // It compares merchant, amount and currency. If it rejects, the response is 500, and the webhook can be delivered
    // again.
    onEvent: async (event) => {
      await payments.handleEvent(event);
    },
    onError: (error) => console.warn(error),
  });
  const address = { shopUrl, payWithinMs };
  return {
    app: createApp({ database, payments, webhook, address, staffPassword, newOrderId: randomUUID }),
    payments,
  };
}
